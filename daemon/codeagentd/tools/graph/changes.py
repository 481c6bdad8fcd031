"""The tools about changed files: the symbols in them, what they may break, and the tests to run."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from codeagentd.languages.language import language_of
from codeagentd.model.changed_lines import Hunk
from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import Dependent, Forecast, Tests, WorkingChanges
from codeagentd.model.results.graph_results import EXTRACTED, INFERRED
from codeagentd.query.graph.impact import Reached
from codeagentd.query.refactor.affected_tests import BY_NAME, AffectedTest, Selection, select
from codeagentd.query.refactor.changed_lines import touched_lines
from codeagentd.query.refactor.changed_symbols import (
    SymbolsOfFiles,
    blast,
    changed_nodes,
    communities,
    dependent,
    dependents,
    risk,
    touched,
    used_outside,
)
from codeagentd.query.symbols.coverage import generic_note, is_generic
from codeagentd.query.symbols.near_names import near_paths
from codeagentd.store.connection import Database
from codeagentd.toolkit.change_scope import (
    MOST_FILES,
    TOO_SLOW,
    Base,
    Changes,
    Files,
    changed_lines,
    changes,
    working_changes,
)
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import begin
from codeagentd.toolkit.tool import tool
from codeagentd.vcs import history, time_budget

NO_LINES: Final = "git did not say how many lines and commits are concerned: the risk leaves them out"
UNKNOWN: Final = 5  # unknown paths that a note names
FARTHER_SHOWN: Final = 50  # files in the text of an answer
LISTED: Final = 200  # entries of each list; the numbers count all

Depth = Annotated[int, Meta(le=16, description="hops, 1 to 16")]


def line_of(node: Dependent) -> str:
    """A line of text about a dependent."""
    hops = f"{node.depth} hop{'' if node.depth == 1 else 's'}"
    return f"- {hops} via {node.via_relation}: {node.label} ({node.file})" + (
        f" - {node.reason}" if node.reason else ""
    )


def _render_working(answer: WorkingChanges) -> str:
    if not answer.files:
        message = f"No changes vs {answer.base or 'base'} (or git unavailable)"
        return f"{message}: {answer.note}" if answer.note else message
    head = (
        f"Working changes vs {answer.base}: {answer.total} files, {answer.nodes} graph nodes, {answer.communities} "
        "communities touched"
    )
    return "\n".join(
        [head, *(f"- {path}" for path in answer.files), *([f"Note: {answer.note}"] if answer.note else [])]
    )


@tool("graph", render_text=_render_working, open_world=True)
def working_changes_impact(ctx: Context, base: Base = "") -> WorkingChanges:
    """Summarize the git diff against a base branch such as main, committed or not: which files differ, how many graph
    nodes and communities they touch.

    Returns: at most 2,000 files by path; the numbers count all; `note` says why there are none.
    Errors:  invalid_parameter for a base that git does not know.
    Source:  002 working_changes_impact.
    """
    begin(ctx)
    result = working_changes(ctx, base)
    with ctx.read() as db:
        inside = touched(db, result.files)
        number = communities(db, inside.symbols)
    return WorkingChanges(
        base=result.base, files=[*map(clean, result.files[: ctx.most(MOST_FILES)])], total=len(result.files),
        nodes=len(inside.symbols),
        communities=number, note=result.note)  # fmt: skip


def _render_forecast(answer: Forecast) -> str:
    if not answer.files and answer.unknown:
        return f"No file to forecast: {answer.note}"
    if not answer.files:
        return f"No files to forecast: {answer.note or 'nothing differs from ' + (answer.base or 'the base')}"
    head = (
        f"{answer.total} files define {answer.nodes} nodes; {answer.dependents} nodes depend on them, {answer.apis} "
        "public APIs are used by other files"
    )
    blocks = (
        ("Changed nodes:", [f"- {node.label} [{node.kind}] {node.file}:{node.line}" for node in answer.changed]),
        (
            "Public APIs at risk:",
            [
                f"- {node.label} ({node.file}:{node.line}), used by {node.outside} symbols of other files"
                for node in answer.public
            ],
        ),
        ("Tests at risk:", [line_of(test) for test in answer.tests]),
        ("Blast radius:", [line_of(node) for node in answer.blast]),
        ("Verify:", [f"- [ ] {step}" for step in answer.checklist]),
    )
    lines = [
        *_left_out(answer.unknown),
        head,
        f"Risk: {answer.risk.level} ({answer.risk.score}/100)"
        + (f": {', '.join(answer.risk.drivers)}" if answer.risk.drivers else ""),
    ]
    lines += [line for title, block in blocks if block for line in (title, *block)]
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", render_text=_render_forecast, open_world=True)
def predict_impact(ctx: Context, files: Files | None = None, base: Base = "", depth: Depth = 3) -> Forecast:
    """Assess the risk of changing files, before a commit, and what may break: risk score, public APIs and tests at
    risk, what depends on them, a checklist.

    Returns: at most 200 of each list, the nearest and surest first; the score is a heuristic.
    Errors:  invalid_parameter; path_escape.
    Source:  002 predict_impact.
    """
    change = changes(ctx, files, base)
    lines, commits = _lines(ctx, change), history.recent_commits(ctx.root, change.files)
    hunks = ctx.once("hunks", lambda: changed_lines(ctx, change))
    unsaid = "" if lines is not None and not time_budget.is_late() else NO_LINES
    with ctx.read() as db:
        inside = touched(db, change.files)
        hops = max(depth, 1)
        reached, cut = ctx.once("reached", lambda: blast(db, inside.symbols, hops))
        outside = used_outside(db, inside.public)
        at_risk = sorted(outside, key=lambda symbol: (-outside[symbol], symbol))
        selection = _selected(ctx, db, change, inside, hunks, hops)
        to_run = [*map(clean, (*selection.files, *selection.farther))]
        forecast = Forecast(
            base=change.base,
            files=[*map(clean, change.files[: ctx.most(LISTED)])],
            risk=risk(
                reach=len(reached), apis=len(outside), lines=lines or 0, files=len(change.files),
                symbols=len(inside.symbols), commits=commits,
            ),
            total=len(change.files),
            nodes=len(inside.symbols),
            changed=changed_nodes(db, inside.symbols[: ctx.most(LISTED)], outside),
            apis=len(outside),
            public=changed_nodes(db, at_risk[: ctx.most(LISTED)], outside),
            tests=[_test(test) for test in _near(selection, hops)[: ctx.most(LISTED)]],
            test_files=to_run[: ctx.most(LISTED)],
            tests_at_risk=len(to_run),
            dependents=len(reached),
            blast=dependents(db, _sure_first(reached)[: ctx.most(LISTED)]),
            checklist=[],
            unknown=[*map(clean, change.unknown)],
            note=_note(db, change, inside, cut, unsaid),
        )  # fmt: skip
    return _with_checklist(forecast)


def _lines(ctx: Context, change: Changes) -> int | None:
    """The number of changed lines so far; None if git does not answer, 0 without a commit to compare with."""
    since = change.commit or history.commit_of(ctx.root, "HEAD")
    changed = history.lines_changed(ctx.root, since) if since else {}
    return None if changed is None else sum(changed.get(path, 0) for path in change.files)


def _sure_first(reached: list[Reached]) -> list[Reached]:
    return sorted(reached, key=lambda reach: (reach.distance, reach.confidence))


def _with_checklist(forecast: Forecast) -> Forecast:
    """The forecast with a checklist for the author of the change."""
    steps = (
        [f"run the tests of {forecast.tests_at_risk} files (affected_tests lists them)"]
        if forecast.tests_at_risk
        else ["no test is known to reach the change: write one"]
    )
    steps += [f"look at the callers of {node.label} ({node.outside} in other files)" for node in forecast.public[:5]]
    steps += ["compare with time_travel_diff when done: removed APIs, new cycles"] if forecast.apis else []
    return replace(forecast, checklist=steps if forecast.files else [])


def _note(db: Database, change: Changes, inside: SymbolsOfFiles, cut: str, unsaid: str = "") -> str:
    unread = len(set(change.files) - set(inside.files))
    unindexed = f"{unread} of the files are not in the index: new, gone, or in no known language" if unread else ""
    return "; ".join(
        filter(
            None,
            (
                *_unknown(db, change.unknown),
                change.note,
                unindexed,
                cut,
                generic_note({language_of(path) or "" for path in inside.files}),
                "" if unsaid and change.note == TOO_SLOW else unsaid,
            ),
        )
    )


def _is_by_name(path: str) -> bool:
    return is_generic(language_of(path) or "")


def _unknown(db: Database, paths: list[str]) -> list[str]:
    """Notes in words about named files that are not in the repository, so that their dependents are unknown."""
    shown = [
        f"{clean(path)}{f' (did you mean {clean(near[0])}?)' if (near := near_paths(db, path)) else ''}"
        for path in paths[:UNKNOWN]
    ]
    more = f" and {len(paths) - UNKNOWN} more" if len(paths) > UNKNOWN else ""
    return (
        [f"no file of the repository, nor of its last commit, and left out: {', '.join(shown)}{more}"] if paths else []
    )


def _left_out(paths: list[str]) -> list[str]:
    return [f"Not known, and left out: {', '.join(paths)}"] if paths else []


def _render_tests(answer: Tests) -> str:
    if answer.unknown and not answer.changed:
        return f"Which tests to run is not known: {answer.note}"
    if not answer.tests and not answer.farther:
        count = len(answer.changed)
        if not count and answer.partial:
            return f"It is not known what has changed, so neither which tests to run: {answer.note}"
        message = (
            f"No test in the graph reaches the change ({count} file{'' if count == 1 else 's'})"
            if count
            else "No file has changed, so no test has to run"
        )
        return "\n".join([*_left_out(answer.unknown), f"{message}: {answer.note}" if answer.note else message])
    more = [f"... and {answer.total - len(answer.tests)} more"] if answer.total > len(answer.tests) else []
    return "\n".join(
        [
            *_left_out(answer.unknown),
            *map(line_of, answer.tests),
            *more,
            *_farther(answer),
            *([f"Note: {answer.note}"] if answer.note else []),
        ]
    )


def _farther(answer: Tests) -> list[str]:
    """The files of tests that are farther away than the listed ones, in one line."""
    shown = answer.farther[:FARTHER_SHOWN]
    more = f" and {answer.total_farther - len(shown)} more" if answer.total_farther > len(shown) else ""
    return [f"Farther away ({answer.total_farther} files): {', '.join(shown)}{more}"] if shown else []


@tool("graph", render_text=_render_tests, open_world=True)
def affected_tests(ctx: Context, files: Files | None = None, base: Base = "", depth: Depth = 3) -> Tests:
    """Select the tests to run for a change or diff: those impacted, since they depend on the changed files (without
    `files`: on the definitions whose lines differ), and those named after them.

    Returns: at most 200 tests up to `depth`, the nearest first; `files` has all their files, for a test runner,
    `farther` those of tests at any distance.
    Errors:  invalid_parameter; path_escape.
    Source:  002 affected_tests.
    """
    change = changes(ctx, files, base)
    hunks, hops = ctx.once("hunks", lambda: changed_lines(ctx, change)), max(depth, 1)
    with ctx.read() as db:
        inside = touched(db, change.files)
        selection = _selected(ctx, db, change, inside, hunks, hops)
        near = _near(selection, hops)
        return Tests(
            base=change.base,
            changed=[*map(clean, change.files[: ctx.most(LISTED)])],
            tests=[_test(test) for test in near[: ctx.most(LISTED)]],
            total=len(near),
            files=[*map(clean, selection.files[: ctx.most(MOST_FILES)])],
            total_files=len(selection.files),
            farther=[*map(clean, selection.farther[: ctx.most(MOST_FILES)])],
            total_farther=len(selection.farther),
            partial=not change.is_whole or not selection.is_whole or any(map(_is_by_name, inside.files)),
            unknown=[*map(clean, change.unknown)],
            note=_note(db, change, inside, selection.note),
        )


def _selected(
    ctx: Context, db: Database, change: Changes, inside: SymbolsOfFiles, hunks: dict[str, list[Hunk]], hops: int
) -> Selection:
    """The tests of a change, selected once for an answer that is made again with less room."""
    return ctx.once("selection", lambda: select(db, change.files, touched_lines(db, inside, hunks), hops))


def _near(selection: Selection, hops: int) -> list[AffectedTest]:
    return [test for test in selection.tests if test.depth <= hops]


def _test(test: AffectedTest) -> Dependent:
    if test.reached:
        return dependent(test.node, test.reached)
    return Dependent(
        test.node.label,
        test.depth,
        test.relation,
        test.node.id,
        test.node.file,
        INFERRED if test.relation == BY_NAME else EXTRACTED,
    )
