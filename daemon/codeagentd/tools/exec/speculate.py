"""The tool that tries out a change: it runs the build and the tests at risk in a throwaway tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, structs

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter, TooLarge
from codeagentd.base.limits import COMMAND_DEADLINE_S, MAX_OVERLAY_FILES, OUTPUT_TOLD
from codeagentd.model.file_kinds import can_be_run, holds_tests
from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import Step, Tried
from codeagentd.model.speculation import Command, Order, Ran
from codeagentd.query.refactor.affected_tests import select
from codeagentd.query.refactor.changed_symbols import blast, touched
from codeagentd.secrets.redaction import redacted
from codeagentd.toolkit.change_scope import NO_GIT, UNBORN, Changes, commit, working_changes
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect, tool
from codeagentd.vcs import git, history, time_budget

from . import baseline
from .toolchain_commands import FILES, FOLDERS, NOTHING, RECIPES, Recipe, Toolchain, fitting, is_absent, words

MOST_TESTS: Final = 20  # test files that are run, the nearest first (page 002's origin)
LISTED: Final = 100
LONGEST_PATCH: Final = 1_000_000  # characters
OPEN: Final = "this system lets nobody leave the network: commands could reach it"
UNCONFINED: Final = "this system cannot keep commands from the process that watches them: one that hides can go on"

Patch = Annotated[
    str, Meta(max_length=LONGEST_PATCH, description="unified diff to try on top of the working tree, or of base")
]
From = Annotated[
    str,
    Meta(
        max_length=history.MAX_REVISION,
        description="revision that the change is measured against; with patch: that it is applied to",
    ),
]
Words = Annotated[list[str], Meta(max_length=100, description="a command as a list of words; no shell")]
TestWords = Annotated[
    list[str], Meta(max_length=100, description="likewise; the words {files} and {folders} stand for the tests at risk")
]
Chain = Annotated[Toolchain, Meta(description="its usual commands; detected where no command is given")]
Links = Annotated[
    list[str],
    Meta(max_length=20, description="ignored paths to reach by a link, such as node_modules; commands can write there"),
]
Seconds = Annotated[int, Meta(ge=1, le=COMMAND_DEADLINE_S, description="for each command")]
Hops = Annotated[int, Meta(le=16, description="hops from the change to tests, 1 to 16")]


def _render(answer: Tried) -> str:
    before = f"{answer.before}. " if answer.before else ""
    head = (
        f"{before}{answer.verdict.upper()}: {answer.total} files changed since {answer.base}, {answer.nodes} nodes, "
        f"{answer.dependents} depend on them; "
    )
    head += f"{len(answer.tests)} of {answer.tests_at_risk} test files at risk chosen; network: {answer.network}"
    lines = [head]
    for step in answer.steps:
        code = "" if step.exit_code is None else f", exit code {step.exit_code}"
        lines.append(
            f"- {step.name} {step.outcome} in {step.seconds:g} s{code}: {' '.join(step.command)}{_render_before(step)}"
        )
    for step in answer.steps:
        cut = f" (after {step.left_out} bytes)" if step.left_out else ""
        lines += [f"Output of {step.name}{cut}:", step.output] if step.output else []
    lines += [f"Written by the commands: {', '.join(answer.written)}"] if answer.written else []
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


def _render_before(step: Step) -> str:
    named = f", with {', '.join(step.failed_before)}" if step.failed_before else ""
    return f"; before the change: {step.before}{named}" if step.before else ""


@tool("exec", Effect.EXEC, render_text=_render, open_world=True)
def speculate(
    ctx: Context, patch: Patch = "", base: From = "", toolchain: Chain | None = None, build: Words | None = None,
    test: TestWords | None = None, link: Links | None = None, fail_fast: bool = False,
    timeout: Seconds = COMMAND_DEADLINE_S, depth: Hops = 3,
) -> Tried:  # fmt: skip
    """Try a change out: run a build and the tests at risk in a throwaway copy of the working tree, or with a patch on
    top.

    Returns: at most 20 test files are run, the nearest first, with the commands of `toolchain`: the one that was asked
             for, else the one whose files are there, none where build or test are given. `broken`: a command failed;
             `inconclusive`: none ran, or one had no end. `files` and `written` are cut at 100. Commands that fail are
             run on the unchanged tree too, in the time that they have left: `before`, `failed_before`.
    Errors:  invalid_parameter, also for a patch that does not apply; too_large; engine_unavailable without git or while
             another change is tried out.
    Source:  002 speculate, as far as the page says; its parameters are ours.
    """
    own_commands = _own_commands(build, test)
    change = _change(ctx, patch, base)
    order = _order(ctx, change, patch, link or [])
    with ctx.engine.speculation(order) as speculation:
        files = speculation.prepared.files if patch else change.files
        view, at_risk = _view(ctx, change.base, files, max(depth, 1))
        chain = toolchain or (fitting(os.listdir(speculation.prepared.folder)) if own_commands == NOTHING else None)
        recipe = _recipe(chain, own_commands)
        plan = _plan(recipe, Path(speculation.prepared.folder), at_risk, timeout)
        ran, finished = speculation.run(plan.commands, fail_fast=fail_fast)
    absent = {run.name for run in ran if run.outcome == "failed" and is_absent(run.output)}
    ran = [structs.replace(run, outcome="not_started") if run.name in absent else run for run in ran]
    before, untried = baseline.before(
        ctx, baseline.without(order, change.commit), lambda folder: _plan(recipe, folder, plan.tests, timeout).commands,
        ran if files else [], fail_fast=fail_fast,
    )  # fmt: skip
    unknown = f"which files the commands wrote is not known: {finished.unknown}" if finished.unknown else ""
    missing = [
        f"{run.words[0]} could not run: its output says that it is not installed" for run in ran if run.name in absent
    ]
    system = ["" if speculation.prepared.isolated else OPEN, "" if speculation.prepared.confined else UNCONFINED]
    notes = [*missing, change.note, *plan.notes, untried, unknown, *system]
    steps = [_step(run, before.get(run.name)) for run in ran]
    return structs.replace(
        view,
        verdict=_verdict(ran),
        before=baseline.words(before),
        tests=[*map(clean, plan.tests)],
        steps=steps,
        written=[*map(clean, finished.written[:LISTED])],
        network="none" if speculation.prepared.isolated else "open",
        toolchain=chain or "",
        note="; ".join(filter(None, notes)),
    )


def _change(ctx: Context, patch: str, base: str) -> Changes:
    """The change to try out. If a patch is applied on top of a commit, `commit` is that commit.

    Errors: invalid_parameter; engine_unavailable.
    """
    if not history.is_repository(ctx.root):
        raise _refusal(NO_GIT, "speculate needs a git repository: `git init`, and commit")
    if not history.commit_of(ctx.root, "HEAD"):
        raise _refusal(UNBORN, "commit something first")
    if patch:
        return Changes(clean(base) or "HEAD", commit(ctx, base, "base") if base else "", [])
    return working_changes(ctx, base or history.default_branch(ctx.root) or "HEAD")


def _refusal(why: str, remedy: str) -> EngineUnavailable:
    """The error when no change can be tried out. When git does not answer, the reason is that it did not."""
    if time_budget.is_late():
        return EngineUnavailable(
            "git did not answer in time", remedy="try again; a large .git/config or a busy disk makes git slow"
        )
    return EngineUnavailable(why, remedy=remedy)


def _order(ctx: Context, change: Changes, patch: str, link: list[str]) -> Order:
    """The order for the tree: the present work tree, unless a patch is for another commit."""
    head = change.commit if patch and change.commit else history.commit_of(ctx.root, "HEAD")
    changed = [] if patch and change.commit else history.changed_since(ctx.root, head)
    if changed is None:
        raise _refusal("git does not tell what differs from HEAD", "`git status` may say why")
    if len(changed) > MAX_OVERLAY_FILES:
        raise TooLarge(
            f"{len(changed)} files differ from HEAD, more than {MAX_OVERLAY_FILES}",
            remedy="ignore built files, or commit",
            limit=MAX_OVERLAY_FILES,
        )
    top, common = git.top_level(ctx.root), git.common_dir(ctx.root)
    assert top is not None
    assert common is not None
    links = [ctx.jail.resolve(path)[0] for path in link]
    prefix = "" if top == ctx.root else str(ctx.root.relative_to(top))
    return Order(
        str(ctx.root),
        prefix,
        str(common / "objects"),
        str(common / "shallow"),
        head,
        changed,
        patch,
        [path for path in links if path],
    )


def _own_commands(build: list[str] | None, test: list[str] | None) -> Recipe:
    """The caller's own commands. Errors: invalid_parameter."""
    for name, own_words in (("build", build), ("test", test)):
        if own_words is not None and (not own_words or not own_words[0]):
            raise InvalidParameter(
                f"{name} has no word", remedy=f"leave {name} out, or pass the command and its arguments", parameter=name
            )
    return Recipe(tuple(build or ()), tuple(test or ()))


def _recipe(toolchain: Toolchain | None, own_commands: Recipe) -> Recipe:
    """The commands to run: the caller's own, else those of the toolchain."""
    usual = RECIPES[toolchain] if toolchain else NOTHING
    return Recipe(
        own_commands.build or usual.build, own_commands.test or usual.test, () if own_commands.build else usual.needs
    )


def _view(ctx: Context, base: str, files: list[str], depth: int) -> tuple[Tried, list[str]]:
    """The view of the change in the graph, and the test files at risk: those that are changed and the nearest first."""
    with ctx.read() as db:
        inside = touched(db, files)
        reached = blast(db, inside.symbols, depth)[0]
        selection = select(db, files, inside, depth)
    own = [path for path in files if holds_tests(path) and can_be_run(path)]
    at_risk = list(dict.fromkeys([*own, *selection.files, *selection.farther]))
    view = Tried(
        verdict="", base=base, files=[*map(clean, files[:LISTED])], total=len(files), nodes=len(inside.symbols),
        dependents=len(reached), tests=[], tests_at_risk=len(at_risk), steps=[], written=[], network="",
    )  # fmt: skip
    return view, at_risk


class _Plan(NamedTuple):
    """The commands, the test files that they get, and the notes about them."""

    commands: list[Command]
    tests: list[str]
    notes: list[str]


def _plan(recipe: Recipe, folder: Path, at_risk: list[str], timeout: int) -> _Plan:
    there = [path for path in at_risk if (folder / path).is_file()]
    chosen, notes = there[:MOST_TESTS], []
    build = recipe.build if not recipe.needs or any((folder / name).exists() for name in recipe.needs) else ()
    takes_files = FILES in recipe.test or FOLDERS in recipe.test
    if takes_files and len(there) > len(chosen):
        notes.append(f"only the nearest {len(chosen)} of {len(there)} test files at risk are run")
    if takes_files and not there:
        notes.append("no test in the graph reaches the change, so none was run")
    if recipe.test and not takes_files:
        notes.append("the test command takes no files: all its tests are run")
    if not recipe.build and not recipe.test:
        notes.append("nothing was run: no toolchain is known by the files here; pass build and test")
    planned = (("build", list(build)), ("test", words(recipe.test, chosen)))
    commands = [Command(name, command, timeout) for name, command in planned if command]
    return _Plan(commands, chosen if takes_files else [], notes)


def _verdict(ran: list[Ran]) -> str:
    """The verdict on a command. One that did not end or did not start proves nothing."""
    outcomes = {run.outcome for run in ran}
    if "failed" in outcomes:
        return "broken"
    return "passed" if outcomes == {"passed"} else "inconclusive"


def _step(run: Ran, before: baseline.Before | None) -> Step:
    """The result of a command, as answers show it.

    Secrets are removed before the text is cut: half a key would not be recognised.
    """
    output = redacted(run.output)
    shown = output[-OUTPUT_TOLD:]
    left_out = run.left_out + len(output[: len(output) - len(shown)].encode("utf-8", "replace"))
    return Step(
        name=run.name, command=run.words, outcome=run.outcome, exit_code=run.exit_code, seconds=run.seconds,
        output=shown.strip("\n"), left_out=left_out, before=before.outcome if before else "",
        failed_before=before.failed if before else [],
    )  # fmt: skip
