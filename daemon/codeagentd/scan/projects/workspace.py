"""The folders of a workspace: those of .codeagent/workspace.json, and those that npm, pnpm, Cargo, Go, uv and .NET
declare at the top of a repository.

All of these files come from the authors of the repository, who are not trusted: the files are read inside the jail,
capped, and can only name folders. Whether a folder may be read is decided elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from codeagentd.base.limits import MAX_MEMBERS, MAX_WORKSPACE_DEPTH, MAX_WORKSPACE_FOLDERS

from .csharp import solution_projects
from .go import directives
from .manifests import Broken, Manifests, table, texts

WORKSPACE_FILE: Final = ".codeagent/workspace.json"

_WILD: Final = re.compile(r"[*?\[]")
_ENTRY: Final = re.compile(r"""\s*-\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#"'][^#\n]*?))\s*(?:#.*)?""")
_NEVER: Final = frozenset({"node_modules", "target", "__pycache__"})  # names that a wildcard does not match

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]
Place = Annotated[str, Meta(min_length=1, max_length=1_024)]


class Named(msgspec.Struct, frozen=True):
    """A folder, or a pattern of folders, that `source` names; `marker` is the file that makes a folder a member ('':
    none is needed).
    """

    pattern: str
    source: str
    name: str = ""
    marker: str = ""

    @property
    def is_pattern(self) -> bool:
        """Whether the entry may match several folders."""
        return _WILD.search(self.pattern) is not None


class Declared(NamedTuple):
    """The workspace as a repository declares it.

    `name`: the workspace's own name, '' for none; `problems`: (source, why it was left out).
    """

    name: str
    named: list[Named]
    excluded: list[str]
    problems: list[tuple[str, str]]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: Place
    name: Name = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    members: Annotated[list[Place | _Entry], Meta(max_length=MAX_MEMBERS)] = []
    exclude: Annotated[list[Place], Meta(max_length=MAX_MEMBERS)] = []
    name: Name = ""


class TooMany(Exception):
    """Raised for a pattern that would require reading too many folders."""


def declared(root: Path) -> Declared:
    """Return everything that the files at the top of the repository at `root` declare, the workspace file first; files
    that cannot be used are listed as problems.
    """
    declared_folders = Declared("", [], [], [])
    manifests = Manifests(root, _present(root))
    if WORKSPACE_FILE in manifests:
        declared_folders = _from_file(manifests, declared_folders)
    for path in manifests.paths:
        read = _READERS.get(path) or _READERS.get(os.path.splitext(path)[1])
        try:
            declaration = list(read(manifests, path)) if read else []
        except Broken as problem:
            declared_folders.problems.append((path, str(problem)))
            continue
        for pattern, marker in declaration[:MAX_MEMBERS]:
            if pattern.startswith("!"):
                declared_folders.excluded.append(pattern[1:])
            elif pattern and len(pattern) <= 1_024:
                declared_folders.named.append(Named(pattern, path, marker=marker))
    return declared_folders


def _present(root: Path) -> list[str]:
    names = [name for name in (WORKSPACE_FILE, *_READERS) if os.path.lexists(root / name)]
    with suppress(OSError), os.scandir(root) as entries:
        names += sorted(
            entry.name
            for entry, _ in zip(entries, range(MAX_WORKSPACE_FOLDERS), strict=False)
            if entry.name.endswith((".sln", ".slnx"))
        )
    return names


def _from_file(manifests: Manifests, declared_folders: Declared) -> Declared:
    try:
        declaration = msgspec.convert(manifests.json(WORKSPACE_FILE), _File)
    except (Broken, msgspec.ValidationError) as problem:
        declared_folders.problems.append((WORKSPACE_FILE, str(problem)))
        return declared_folders
    entries = [entry if isinstance(entry, _Entry) else _Entry(entry) for entry in declaration.members]
    return Declared(
        declaration.name,
        [Named(entry.path, WORKSPACE_FILE, entry.name) for entry in entries],
        list(declaration.exclude),
        declared_folders.problems,
    )


MemberPatterns = Iterator[tuple[str, str]]  # (pattern, marker)


def _npm(manifests: Manifests, path: str) -> MemberPatterns:
    declaration = manifests.json(path).get("workspaces")
    return ((pattern, "package.json") for pattern in texts(declaration) or texts(table(declaration).get("packages")))


def _pnpm(manifests: Manifests, path: str) -> MemberPatterns:
    """Return the list under `packages:`, in its usual form: an entry a line."""
    inside = False
    for line in manifests.text(path).splitlines():
        if match := _ENTRY.fullmatch(line) if inside else None:
            yield next(filter(None, match.groups()), ""), "package.json"
        elif line.strip() and not line.lstrip().startswith("#"):
            inside = line.split("#")[0].strip() == "packages:"


def _cargo(manifests: Manifests, path: str) -> MemberPatterns:
    declaration = table(manifests.toml(path), "workspace")
    yield from ((pattern, "Cargo.toml") for pattern in texts(declaration.get("members")))
    yield from ((f"!{pattern}", "") for pattern in texts(declaration.get("exclude")))


def _go(manifests: Manifests, path: str) -> MemberPatterns:
    return ((words[0], "go.mod") for verb, words in directives(manifests.text(path)) if verb == "use" and words)


def _uv(manifests: Manifests, path: str) -> MemberPatterns:
    declaration = table(manifests.toml(path), "tool", "uv", "workspace")
    yield from ((pattern, "pyproject.toml") for pattern in texts(declaration.get("members")))
    yield from ((f"!{pattern}", "") for pattern in texts(declaration.get("exclude")))


def _solution(manifests: Manifests, path: str) -> MemberPatterns:
    return ((os.path.dirname(project) or ".", "") for project in solution_projects(path, manifests.text(path)))


_READERS: Final[dict[str, Callable[[Manifests, str], MemberPatterns]]] = {
    "package.json": _npm, "pnpm-workspace.yaml": _pnpm, "Cargo.toml": _cargo, "go.work": _go, "pyproject.toml": _uv,
    ".sln": _solution, ".slnx": _solution,
}  # fmt: skip


def folders(root: Path, named: Named, excluded: list[str], looks: Iterator[int]) -> Iterator[str]:
    """Return the folders that the entry `named` matches, without those that `excluded` patterns match, as absolute
    paths in which links and `..` are not resolved.

    `looks` ends with the looks at the disk that are left for all entries together. Errors: TooMany.
    """
    looked = (look for _, look in zip(range(MAX_WORKSPACE_FOLDERS), looks, strict=False))
    pattern = os.path.expanduser(named.pattern) if named.source == WORKSPACE_FILE else named.pattern
    steps = pattern.replace("\\", "/").split("/")
    parts = [step for step, after in zip(steps, [*steps[1:], ""], strict=True) if not step == after == "**"]
    base = "/" if pattern.startswith("/") else os.fspath(root)
    matching = dict.fromkeys(
        place
        for place in _matching(base, parts, looked, 0)
        if not (named.marker and not os.path.lexists(os.path.join(place, named.marker)))
    )
    return (place for place in matching if not any(_is_like(os.path.relpath(place, root), out) for out in excluded))


def _is_like(path: str, pattern: str) -> bool:
    glob = pattern.rstrip("/").removeprefix("./")
    return fnmatchcase(path, glob) or path.startswith(f"{glob}/")


def _matching(base: str, parts: list[str], looked: Iterator[int], depth: int) -> Iterator[str]:
    if "\0" in base or depth > MAX_WORKSPACE_DEPTH:
        return
    if not parts:
        if os.path.isdir(base):
            yield base
        return
    head, *rest = parts
    if head in ("", "."):
        yield from _matching(base, rest, looked, depth)
    elif not _WILD.search(head):
        yield from _matching(os.path.join(base, head), rest, looked, depth + 1)
    else:
        if head == "**":
            yield from _matching(base, rest, looked, depth)
        for name in _below(base, looked, links=head != "**"):
            if head == "**" or (fnmatchcase(name, head) and name.startswith(".") <= head.startswith(".")):
                yield from _matching(os.path.join(base, name), parts if head == "**" else rest, looked, depth + 1)


def _below(base: str, looked: Iterator[int], *, links: bool) -> list[str]:
    """Return the folders in a folder, by name. Errors: TooMany."""
    declared_folders = []
    if next(looked, None) is None:  # many patterns come to an empty folder many times
        raise TooMany
    with suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            if next(looked, None) is None:
                raise TooMany
            if (
                entry.name not in _NEVER
                and entry.name != ".git"
                and (links or not entry.name.startswith("."))
                and entry.is_dir(follow_symlinks=links)
            ):
                declared_folders.append(entry.name)
    return sorted(declared_folders)
