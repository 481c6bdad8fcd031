"""The files that a question about changes refers to: those named, or those that differ from the base branch."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter
from codeagentd.model.changed_lines import Hunk
from codeagentd.model.labels import clean
from codeagentd.vcs import history, time_budget

from .context import Context
from .path_arguments import readings

NO_GIT: Final = "git is not there, or does not answer for this directory: name the files instead"
TOO_SLOW: Final = (
    "git did not answer in time, so what has changed is not known: name the files instead; a large .git/config or a "
    "busy disk makes git slow"
)
NO_BASE: Final = "no default branch is known: name a base, or the files"
UNBORN: Final = "there is no commit yet"
SHALLOW: Final = (
    "the clone is shallow: where the branch left its base may lie before what was fetched (git fetch --unshallow)"
)
MOST_FILES: Final = 2_000

Files = Annotated[list[str], Meta(max_length=MOST_FILES, description="paths; default: what differs from base")]
Base = Annotated[
    str,
    Meta(max_length=history.MAX_REVISION, description="branch or revision; default: the default branch"),
]


class Changes(msgspec.Struct, frozen=True):
    """The changed files. `base` is the name of the base, '' for named files; `commit` the commit that the files differ
    from, likewise; `note` says in words what is missing.

    `is_whole`: whether these are all changed files. `unknown`: named paths that are no files of the repository, and
    were none in its last commits.
    """

    base: str
    commit: str
    files: list[str]
    note: str = ""
    is_whole: bool = True
    unknown: list[str] = []


def working_changes(ctx: Context, base: str) -> Changes:
    """Return the differences between the work tree and the commit where HEAD left `base`: committed, uncommitted and
    new files.

    Errors: invalid_parameter.
    """
    root = ctx.root
    if not history.is_repository(root):
        return _unknown(base, NO_GIT)
    if not history.commit_of(root, "HEAD"):
        return _unknown(base, UNBORN)
    name = base or history.default_branch(root)
    if not name:
        return _unknown("", NO_BASE)
    start = commit(ctx, name, "base")
    since = history.fork_point(root, start)
    files = history.changed_since(root, since)
    if files is None or time_budget.is_late():
        return _unknown(clean(name), NO_GIT)
    note = SHALLOW if since == start and history.is_shallow(root) else ""
    more = f"only the first {MOST_FILES} of {len(files)} files are looked at" if len(files) > MOST_FILES else ""
    return Changes(clean(name), since, files[:MOST_FILES], "; ".join(filter(None, (note, more))), not more)


def _unknown(base: str, why: str) -> Changes:
    """An empty result with the reason. When git does not answer, it is unknown whether there are changes."""
    return Changes(base, "", [], TOO_SLOW if time_budget.is_late() else why, False)


def changes(ctx: Context, files: list[str] | None, base: str) -> Changes:
    """Return the changes that a question is about: the named `files`, or (None) the working changes since `base`.

    A path may be relative to the caller's folder. Errors: path_escape; invalid_parameter for an invalid path.
    """
    if files is None:
        return working_changes(ctx, base)
    collected = {
        path: [ctx.jail.resolve(reading, must_exist=False) for reading in readings(ctx, path)] for path in files
    }
    there = {
        path: next((relative for relative, place in places if place.is_file()), "")
        for path, places in collected.items()
    }
    gone = _gone(ctx, [relative for path, places in collected.items() if not there[path] for relative, _ in places])
    known = {
        path: there[path] or next((relative for relative, _ in places if relative in gone), "")
        for path, places in collected.items()
    }
    unknown = [path for path in files if not known[path]]
    late = TOO_SLOW if unknown and time_budget.is_late() else ""
    return Changes(
        "",
        "",
        sorted(set(filter(None, known.values()))),
        late,
        is_whole=not unknown,
        unknown=list(dict.fromkeys(unknown)),
    )


def changed_lines(ctx: Context, change: Changes) -> dict[str, list[Hunk]]:
    """Return the lines in which the files of a change differ from its commit, by path, as far as git knows them; none
    for named files.
    """
    return (history.hunks_since(ctx.root, change.commit) or {}) if change.commit else {}


def _gone(ctx: Context, paths: list[str]) -> set[str]:
    """The paths that were files in the last commit, or in the commit where the branch began."""
    revisions = filter(None, ("HEAD", history.default_branch(ctx.root) if paths else ""))
    return {path for revision in revisions for path in history.present(ctx.root, revision, paths)} if paths else set()


def commit(ctx: Context, revision: str, parameter: str) -> str:
    """Return the commit that `revision` names; `parameter` is the tool's parameter in errors. Errors:
    invalid_parameter; engine_unavailable if git does not answer in time.
    """
    result = history.commit_of(ctx.root, revision)
    if not result and time_budget.is_late():
        raise EngineUnavailable(
            "git did not answer in time",
            remedy="try again, or name the files; a large .git/config or a busy disk makes git slow",
        )
    if not result:
        cut = "; the clone is shallow and may lack it (git fetch --unshallow)" if history.is_shallow(ctx.root) else ""
        raise InvalidParameter(
            f"{parameter}: git knows no commit {clean(revision)[:80]!r}{cut}",
            remedy="pass a branch, tag or hash that `git rev-parse` knows",
            parameter=parameter,
        )
    return result
