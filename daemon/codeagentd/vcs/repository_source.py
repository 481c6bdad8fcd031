"""A repository as a source of commits: its objects and refs, read without its configuration, hooks, attributes or work
tree. Neither the repository nor what its files point to is trusted.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import MAX_GIT_FILE_BYTES, MAX_PATH_BYTES, MAX_REF_HOPS
from codeagentd.base.paths import read_regular

from .alternates import MAX_SHALLOW_BYTES, add_alternates
from .checkout import Head
from .git import COMMIT, REF
from .history import commit_of

HEADS: Final = "refs/heads/"
NO_BRANCH: Final = "ref: refs/heads/none"  # the HEAD of a git directory that has no commit of its own
# where a revision's name is looked for: branches come before tags
_PLACES: Final = ("refs/heads/{}", "refs/tags/{}", "refs/{}", "refs/remotes/{}")
_REFTABLE: Final = "refs/heads/.invalid"  # what HEAD names where the refs are in a reftable
_ABBREVIATED: Final = re.compile(r"[0-9a-f]{4,64}")
_OBJECT_FOLDERS: Final = re.compile(r"[0-9a-f]{2}|pack|info")


class Unusable(Exception):
    """Raised for a repository that cannot be served; the text is the reason, a clause."""


class Source(NamedTuple):
    """The git directory of a repository and its folder of objects. `identity` changes when another repository has taken
    the place.
    """

    git_dir: Path
    identity: tuple[int, int]

    @property
    def objects(self) -> Path:
        """The folder of objects."""
        return self.git_dir / "objects"


def source_at(root: Path) -> Source | None:
    """Return the repository at `root`, bare or with a work tree; None where there is none. Errors: Unusable."""
    git_dir = _git_dir_at(root)
    if git_dir is None:
        return None
    for name, is_expected in (("objects", stat.S_ISDIR), ("HEAD", _is_file_or_link)):
        if not is_expected(_mode(git_dir / name)):
            raise Unusable(f"it has no {name}" if not _mode(git_dir / name) else f"its {name} is of an odd kind")
    if _mode(git_dir / "commondir"):
        raise Unusable("it is a linked work tree: serve the repository that it belongs to")
    if (read_regular(git_dir / "objects/info/alternates", MAX_GIT_FILE_BYTES) or b"").strip():
        raise Unusable("it borrows objects of another repository (objects/info/alternates)")
    info = os.stat(git_dir / "objects")
    return Source(git_dir, (info.st_dev, info.st_ino))


def check_objects(source: Source) -> None:
    """Check that every object lies in the repository itself. Errors: Unusable."""
    for entry in _entries(source.objects):
        if entry.is_symlink():
            raise Unusable(f"its objects/{entry.name[:60]} is a symbolic link")
        if _OBJECT_FOLDERS.fullmatch(entry.name):
            for item in _entries(Path(entry.path)):
                if item.is_symlink():
                    raise Unusable(f"its objects/{entry.name}/{item.name[:60]} is a symbolic link")
                if not item.is_file(follow_symlinks=False):  # git would wait for a pipe
                    raise Unusable(f"its objects/{entry.name}/{item.name[:60]} is no file")


def head_of(source: Source) -> Head:
    """Return what HEAD names: its commit ('' before the first one), and its branch ('' where it is detached).

    Errors: Unusable.
    """
    place = source.git_dir / "HEAD"
    value, branch = f"ref: {os.readlink(place)}" if place.is_symlink() else _line(place), ""
    for _ in range(MAX_REF_HOPS):
        if COMMIT.fullmatch(value):
            return Head(value, branch)
        name = value.removeprefix("ref:").strip()
        if name == _REFTABLE:
            raise Unusable("its refs are in a reftable, which is not read here")
        if not _is_ref(name):
            raise Unusable("its HEAD is damaged")
        branch = branch or name.removeprefix(HEADS)
        value = read_ref(source, name)
        if not value:
            return Head("", branch)
    raise Unusable("its HEAD leads in a circle")


def read_ref(source: Source, name: str) -> str:
    """Return the object (a hash), or the `ref: …`, that the ref `name` holds; '' without such a ref."""
    if not _is_ref(name):
        return ""
    if value := _line(source.git_dir / name):
        return value if COMMIT.fullmatch(value) or value.startswith("ref:") else ""
    match = re.search(rb"^([0-9a-f]{40,64}) " + re.escape(os.fsencode(name)) + rb"$", packed_refs(source), re.MULTILINE)
    return match[1].decode() if match else ""


def packed_refs(source: Source) -> bytes:
    """Return the content of packed-refs; none without that file."""
    return read_regular(source.git_dir / "packed-refs", MAX_GIT_FILE_BYTES) or b""


def object_of(source: Source, revision: str) -> str:
    """Return the object that the branch, tag or ref `revision` names, or `revision` itself where it has the form of a
    commit's hash, whole or abbreviated; '' for anything else. '' as `revision` stands for HEAD.

    Errors: Unusable.
    """
    if revision in ("", "HEAD"):
        return head_of(source).commit
    for place in ("{}",) if revision.startswith("refs/") else _PLACES:
        value = read_ref(source, place.format(revision))
        for _ in range(MAX_REF_HOPS):
            if not value.startswith("ref:"):
                break
            value = read_ref(source, value.removeprefix("ref:").strip())
        if COMMIT.fullmatch(value):
            return value
    lower = revision.lower()
    return lower if _ABBREVIATED.fullmatch(lower) else ""


def borrow_objects(place: Path, source: Source, commit: str = "") -> None:
    """Make a git directory at `place`, with a configuration of its own, that reads the objects of `source`. With
    `commit`, its HEAD is that one, and it gets a copy of the refs, for comparisons with other branches.

    Errors: OSError, Unusable.
    """
    is_long = len(commit or _any_object(source)) == 64
    lines = ["[core]", f"repositoryformatversion = {int(is_long)}", "bare = false", "filemode = false"]
    lines += ["[extensions]", "objectformat = sha256"] if is_long else []
    (place / "refs").mkdir(mode=0o700, parents=True, exist_ok=True)
    (place / "config").write_text("\n".join(lines) + "\n")
    add_alternates(place / "objects", str(source.objects))
    if cut := read_regular(source.git_dir / "shallow", MAX_SHALLOW_BYTES):
        (place / "shallow").write_bytes(cut)
    if commit:
        (place / "packed-refs").write_bytes(_all_refs(source))
    (place / "HEAD").write_text(f"{commit or NO_BRANCH}\n")


def commit_in(reader: Path, hash_or_start: str) -> str:
    """Return the whole hash of the commit that an object or abbreviated hash leads to; '' when the repository has none,
    or several. `reader`: a folder whose `.git` was made by `borrow_objects`.
    """
    return commit_of(reader, hash_or_start)


def _any_object(source: Source) -> str:
    """An object of the repository, for the length of its hashes; '' where no ref names one."""
    if commit := head_of(source).commit:
        return commit
    match = re.search(rb"^([0-9a-f]{40,64}) ", packed_refs(source), re.MULTILINE)
    return match[1].decode() if match else ""


def _all_refs(source: Source) -> bytes:
    """All branches, tags and remote branches in the form of packed-refs."""
    lines = re.findall(rb"^([0-9a-f]{40,64}) (refs/\S+)$", packed_refs(source), re.MULTILINE)
    refs = {name: value for value, name in lines}
    for kind in ("heads", "tags", "remotes"):
        for folder, _, names in os.walk(source.git_dir / "refs" / kind):
            for name in names:
                place = os.path.join(folder, name)
                path = os.path.relpath(place, source.git_dir).replace(os.sep, "/")
                if COMMIT.fullmatch(value := _line(place)) and _is_ref(path):
                    refs[os.fsencode(path)] = value.encode()
    return b"".join(value + b" " + name + b"\n" for name, value in sorted(refs.items()))


def _git_dir_at(root: Path) -> Path | None:
    mode = _mode(root / ".git")
    if stat.S_ISDIR(mode):
        return root / ".git"
    if stat.S_ISREG(mode):
        raise Unusable("it is a linked work tree or a submodule: serve the repository that it belongs to")
    if mode:
        raise Unusable("its .git is no folder")
    return root if all(_mode(root / name) for name in ("HEAD", "objects", "refs")) else None


def _is_file_or_link(mode: int) -> bool:
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _is_ref(name: str) -> bool:
    return bool(REF.fullmatch(name)) and ".." not in name and "//" not in name and not name.endswith("/")


def _mode(place: Path) -> int:
    try:
        return os.lstat(place).st_mode
    except (OSError, ValueError):
        return 0


def _line(place: str | Path) -> str:
    return os.fsdecode(read_regular(place, MAX_PATH_BYTES) or b"").strip()


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        raise Unusable(f"its objects cannot be read: {error.strerror}") from error
