"""The scan of a batch of noted changes: the files to read, the files that are gone, and whether everything has to be
compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.lockfiles.versions import is_lock
from codeagentd.scan.projects.detection import is_manifest
from codeagentd.scan.walk import Stat, look, scan_under
from codeagentd.vcs import git

from .pending_changes import ChangeBatch
from .plan import Plan


class Seen(NamedTuple):
    """The state of a batch's paths on the disk: the plan that follows, and the stats by path.

    `moves_names`: unchanged files may have other module names now, or import other files.
    """

    plan: Plan
    stats: dict[str, Stat]
    moves_names: bool


def rules_of(root: Path, ignore: tuple[str, ...]) -> IgnoreRules:
    """Return the ignore rules of the repository at `root`: git's, and the patterns `ignore`."""
    return IgnoreRules(
        root, exclude_files=git.exclude_files(root), extra=ignore, nested=git.git_dir(root) is None,
        above=git.top_level(root), ignore_case=git.ignores_case(root), tracked=lambda: git.list_tracked(root),
    )  # fmt: skip


def left_out(root: Path, rules: IgnoreRules, paths: Iterable[str]) -> set[str]:
    """Return those of `paths` that are not indexed: an ignore rule covers them. Files that git tracks although git's
    own rules cover them are indexed.
    """
    covered = {path for path in paths if rules.ignored(path)}
    return covered - {path for path in (git.list_forced(root) if covered else ()) if not rules.excluded(path)}


def survey(
    root: Path, rules: IgnoreRules, batch: ChangeBatch, known: set[str], moves_headers: Callable[[set[str]], bool]
) -> Seen:
    """Return the state of the batch's paths on the disk, and of the paths that git tracks from now on. `known`: the
    paths of the index; `moves_headers`: whether a set of all paths changes the language of headers.
    """
    if batch.tracked:
        batch.paths.update(path for path in git.list_forced(root) if path not in known)
    folders = [path.rstrip("/") for path in batch.paths if path.endswith("/") or not path]
    result = look(root, [path for path in batch.paths if path and not path.endswith("/")]).files
    if folders:
        result = {**result, **scan_under(root, folders, rules).files}
    below = tuple(f"{folder}/" for folder in folders if folder)
    gone = {path for path in batch.paths if path in known and path not in result}
    if folders:
        gone |= {path for path in known if path not in result and ("" in folders or path.startswith(below))}
    came = {path for path in result if path not in known}
    moves = any(is_manifest(path) or is_lock(path) for path in {*batch.paths, *result, *gone})
    # with a directory all its neighbours are read anyway
    moves = moves or any(_makes_package(path) and path in came | gone for path in batch.paths)
    moves = moves or (bool(came or gone) and moves_headers((known | came) - gone))
    return Seen(Plan(tuple(sorted(result)), tuple(sorted(gone))), result, moves)


def _makes_package(path: str) -> bool:
    """Whether the presence of the file changes the module names of its neighbours."""
    return path.rpartition("/")[2] == "__init__.py"
