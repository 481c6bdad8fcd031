"""The files of one commit as a folder of their own, written from git's objects alone: no work tree of the repository is
touched, and no filter, hook, attribute or configuration of it takes part.

A file that another layout has with the same content is a hard link to that one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import MAX_NAME_BYTES
from codeagentd.base.text import is_unicode
from codeagentd.vcs import alternates, history
from codeagentd.vcs.repository_source import Source, Unusable, borrow_objects
from codeagentd.vcs.tree_listing import MAX_ENTRIES, Entry, list_tree

MAX_LAID_OUT_BYTES: Final = 16_000_000  # bytes of one file; longer ones are data, of which nothing is indexed
MAX_LAYOUT_BYTES: Final = 20_000_000_000  # bytes of all files of a commit
AT_ONCE_BYTES: Final = 32_000_000  # bytes of files that are in memory at once
GIT: Final = "git"  # the folder of the git directory, beside that of the files
LAID_OUT: Final = "laid-out"  # the file that says that all files are there, beside these folders
INDEX: Final = "index"  # the folder of index.db, there too


class Layout(NamedTuple):
    """A folder with the files of `commit`. `place`: its git directory and the folder of the files, which has the name
    `name`.
    """

    place: Path
    name: str
    commit: str

    @property
    def tree(self) -> Path:
        """The folder of the files."""
        return self.place / "files" / self.name

    @property
    def is_laid_out(self) -> bool:
        """Whether all files are there."""
        return (self.place / LAID_OUT).exists()


def lay_out(layout: Layout, source: Source, others: Sequence[Layout] = ()) -> tuple[int, Layout | None]:
    """Write the files of `layout`; those that the nearest of the layouts `others` has as well are shared with that.
    Returns the number of files that were written, and the nearest layout.

    Links, submodules, files over MAX_LAID_OUT_BYTES and paths that no work tree may have are left out. Errors:
    Unusable; OSError, as on a full disk.
    """
    (layout.place / LAID_OUT).unlink(missing_ok=True)
    shutil.rmtree(layout.place / GIT, ignore_errors=True)
    shutil.rmtree(layout.tree.parent, ignore_errors=True)
    layout.tree.mkdir(mode=0o700, parents=True)
    borrow_objects(layout.place / GIT, source, layout.commit)
    (layout.tree / ".git").write_text(f"gitdir: ../../{GIT}\n")
    entries = {path: entry for path, entry in list_tree(layout.tree, layout.commit).items() if is_safe(path)}
    chosen = {path: entry for path, entry in entries.items() if entry.is_file and entry.size <= MAX_LAID_OUT_BYTES}
    if sum(entry.size for entry in chosen.values()) > MAX_LAYOUT_BYTES:
        raise Unusable(f"the files of commit {layout.commit[:12]} take more than {MAX_LAYOUT_BYTES:,} bytes")
    like = _nearest(layout, others)
    _make_folders(layout.tree, chosen)
    rest = dict(_unshared(layout.tree, chosen, like)) if like else chosen
    _write(layout.tree, rest)
    _make_git_index(layout.tree, entries, chosen)
    (layout.place / LAID_OUT).touch()
    return len(rest), like


def is_safe(path: str) -> bool:
    """Whether a path of a tree, which may come from an attacker, may lie in a work tree."""
    parts = path.split("/")
    if "\\" in path or os.path.splitdrive(path)[0] or not is_unicode(path):
        return False
    return all(
        part not in ("", ".", "..")
        and part.lower() not in (".git", "git~1")
        and len(os.fsencode(part)) <= MAX_NAME_BYTES
        for part in parts
    )


def _nearest(layout: Layout, others: Iterable[Layout]) -> Layout | None:
    """That of `others` whose files differ least; None without any. All trees are known to have an end."""

    def distance(other: Layout) -> int:
        answer = alternates.git(
            layout.tree, "diff-tree", "-r", "--no-renames", "--name-only", "-z", other.commit, layout.commit
        )
        return MAX_ENTRIES if answer.failure else answer.output.count(b"\0")

    return min(others, key=distance, default=None)


def _make_folders(tree: Path, chosen: Mapping[str, Entry]) -> None:
    for folder in sorted({path.rpartition("/")[0] for path in chosen}):
        try:
            (tree / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            if isinstance(error, FileExistsError | NotADirectoryError) or len(os.fsencode(folder)) > 1_000:
                raise Unusable("its tree is damaged: a path leads through a file, or is too long") from error
            raise


def _unshared(tree: Path, chosen: Mapping[str, Entry], like: Layout) -> Iterator[tuple[str, Entry]]:
    """Link the files that `like` has; yield the others."""
    with contextlib.suppress(Unusable):
        known = list_tree(like.tree, like.commit)
        for path, entry in chosen.items():
            if (
                (other := known.get(path)) is None
                or other.oid != entry.oid
                or not _linked(like.tree / path, tree / path)
            ):
                yield path, entry
        return
    yield from chosen.items()


def _linked(old: Path, new: Path) -> bool:
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        return False
    return True


def _write(tree: Path, chosen: Mapping[str, Entry]) -> None:
    paths: dict[str, list[str]] = {}
    for path, entry in chosen.items():
        paths.setdefault(entry.oid, []).append(path)
    for few in _batches({entry.oid: entry.size for entry in chosen.values()}):
        for oid, data in history.contents(tree, few):
            for path in paths.pop(oid, ()):
                with (tree / path).open("xb") as file:
                    file.write(data)
    if paths:
        raise Unusable(f"{len(paths):,} objects are missing, as in a partial clone")


def _batches(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    few: list[str] = []
    total = 0
    for oid, size in sizes.items():
        if few and total + size > AT_ONCE_BYTES:
            yield few
            few, total = [], 0
        few.append(oid)
        total += size
    if few:
        yield few


def _make_git_index(tree: Path, entries: Mapping[str, Entry], chosen: Mapping[str, Entry]) -> None:
    """Make the index of the layout's git directory, in which the files that were left out count as unchanged."""
    lines = [f"{entry.mode} {entry.oid}\t".encode() + os.fsencode(path) for path, entry in entries.items()]
    left_out = [os.fsencode(path) for path in entries if path not in chosen]
    done = alternates.git(tree, "update-index", "-z", "--index-info", stdin=b"\0".join([*lines, b""]))
    if not done.failure and left_out:
        done = alternates.git(
            tree, "update-index", "-z", "--skip-worktree", "--stdin", stdin=b"\0".join([*left_out, b""])
        )
    if done.failure:
        raise Unusable("git cannot make an index of its tree")
    alternates.git(tree, "update-index", "-q", "--refresh")  # so that comparisons need not read the files
