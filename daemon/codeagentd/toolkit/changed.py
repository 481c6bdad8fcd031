"""Which files does a question about changes mean: those named, or those that differ from the base branch?"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.labels import clean
from codeagentd.vcs import history

from .context import Context

NO_GIT: Final = "git is not there, or does not answer for this directory: name the files instead"
NO_BASE: Final = "no default branch is known: name a base, or the files"
UNBORN: Final = "there is no commit yet"
SHALLOW: Final = "the clone is shallow: where the branch left its base may lie before what was fetched (git fetch --unshallow)"
MOST_FILES: Final = 2_000

Files = Annotated[list[str], Meta(max_length=MOST_FILES, description="repository-relative; default: what differs from base")]
Base = Annotated[str, Meta(max_length=history.MAX_REVISION, description="branch or revision; default: the repository's default branch")]


class Changes(msgspec.Struct, frozen=True):
    """`base` as it is called, '' for files that were named; the commit that the files differ from, '' likewise; what is missing, in words.

    `is_whole`: whether these are all files that were changed.
    """

    base: str
    commit: str
    files: list[str]
    note: str = ""
    is_whole: bool = True


def working_changes(ctx: Context, base: str) -> Changes:
    """What differs between the point where HEAD left `base` and the work tree: committed, uncommitted and new files. Errors: invalid_parameter."""
    root = ctx.root
    if not history.is_repository(root):
        return Changes(base, "", [], NO_GIT, False)
    if not history.commit_of(root, "HEAD"):
        return Changes(base, "", [], UNBORN, False)
    name = base or history.default_branch(root)
    if not name:
        return Changes("", "", [], NO_BASE, False)
    start = commit(ctx, name, "base")
    since = history.fork_point(root, start)
    files = history.changed_since(root, since)
    if files is None:
        return Changes(clean(name), since, [], NO_GIT, False)
    note = SHALLOW if since == start and history.is_shallow(root) else ""
    more = f"only the first {MOST_FILES} of {len(files)} files are looked at" if len(files) > MOST_FILES else ""
    return Changes(clean(name), since, files[:MOST_FILES], "; ".join(filter(None, (note, more))), not more)


def changes(ctx: Context, files: list[str] | None, base: str) -> Changes:
    """The files named, else the working changes. Errors: path_escape and invalid_parameter for what is no path of the repository."""
    if files is None:
        return working_changes(ctx, base)
    return Changes("", "", sorted({ctx.jail.resolve(path, must_exist=False)[0] for path in files}))


def commit(ctx: Context, revision: str, parameter: str) -> str:
    """The commit of a revision. Errors: invalid_parameter."""
    found = history.commit_of(ctx.root, revision)
    if not found:
        cut = "; the clone is shallow and may lack it (git fetch --unshallow)" if history.is_shallow(ctx.root) else ""
        raise InvalidParameter(
            f"{parameter}: git knows no commit {clean(revision)[:80]!r}{cut}",
            remedy="pass a branch, tag or hash that `git rev-parse` knows",
            parameter=parameter,
        )
    return found
