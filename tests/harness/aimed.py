"""Edits of what other files rest on, found by the index itself: definitions that they use, the types these are written with, bases and imports."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.languages.language import language_of
from codeagentd.model.kinds import SCOPES_OF_NAMES, ReferenceKind
from codeagentd.store.connection import Database
from tests.harness.stored_rows import stored_rows

NAME: Final = re.compile(r"[^\W\d]\w*")
TRIES: Final = 8
LONGEST: Final = 80  # lines of a definition that is taken elsewhere
HEADER: Final = 3  # lines of a definition in which its types are

_BINDING: Final = tuple(
    getattr(ReferenceKind, name) for name in ("IMPORT", "REEXPORT", "INHERIT", "IMPLEMENT", "EXTEND", "EMBED", "MIXIN")
)


class Place(NamedTuple):
    """A name in a file, and the lines of what it names."""

    path: str
    name: str
    line: int
    col: int
    first: int
    last: int
    kind: int


class Aim:
    """Makes such edits of one work tree, and takes some back."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self._root, self._chance = root, chance
        self._before: dict[Path, tuple[bytes | None, bytes | None]] = {}

    def edit(self, index: Path) -> str:
        """One edit; what it was, '' where none was found."""
        if self._before and self._chance.random() < UNDONE and (told := self._undo()):
            return told
        with closing(Database(index)) as database:
            used = [Place(*row) for row in stored_rows(database).used_elsewhere(SCOPES_OF_NAMES)]
            said = [Place(*row) for row in stored_rows(database).mentions(_BINDING)]
        for _ in range(TRIES):
            act = self._chance.choice(ACTS)
            places = said if act is resaid else used
            if places and (texts := act(self._root, self._chance.choice(places), used, self._chance)):
                break
        else:
            return ""
        self._before = {path: (_content(path), text) for path, text in texts.items()}
        for path, text in texts.items():
            _put(path, text)
        return f"{act.__name__}: {', '.join(str(path.relative_to(self._root)) for path in texts)}"

    def _undo(self) -> str:
        last, self._before = self._before, {}
        if any(_content(path) != now for path, (_, now) in last.items()):
            return ""
        for path, (before, _) in last.items():
            _put(path, before)
        return f"taken back: {', '.join(str(path.relative_to(self._root)) for path in last)}"


Texts = dict[Path, bytes | None]  # what files say after an edit; None: they are gone
Lines = list[str]


def renamed(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """A definition gets another name: one that is not used, or that of another definition."""
    return _with_name(root, place, chance.choice((f"{place.name}X", chance.choice(_alike(place, used)).name)))


def resaid(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """An import or a base says another name, or stands there no longer."""
    if chance.random() < GONE:
        lines = _read(root, place)
        return _written(root, place, [*lines[: place.line - 1], *lines[place.line :]])
    return _with_name(root, place, chance.choice(_alike(place, used)).name)


def removed(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """A definition is gone."""
    lines = _read(root, place)
    return _written(root, place, [*lines[: place.first - 1], *lines[place.last :]])


def copied(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """A definition stands beside another one as well."""
    other = chance.choice(_alike(place, used))
    lines, taken = _read(root, other), _read(root, place)[place.first - 1 : place.last]
    if not 0 < len(taken) <= LONGEST or other.first > len(lines):
        return {}
    depth, other_depth = _depth(taken[0]), _depth(lines[other.first - 1])
    fitted = [lines[other.first - 1][:other_depth] + line[min(depth, _depth(line)) :] for line in taken]
    return _written(root, other, [*lines[: other.first - 1], *fitted, *lines[other.first - 1 :]])


def moved(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """A definition stands in another file instead."""
    texts = copied(root, place, used, chance)
    return texts | removed(root, place, used, chance) if texts and root / place.path not in texts else {}


def retyped(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """A name in the head of a definition, of a type of its or of a value, is that of another definition."""
    lines = _read(root, place)
    head = range(place.line - 1, min(place.line - 1 + HEADER, place.last, len(lines)))
    known = {one.name for one in used}
    names = [
        (at, found)
        for at in head
        for found in NAME.finditer(lines[at])
        if found[0] in known and (at, found.start()) != (place.line - 1, place.col)
    ]
    if not names:
        return {}
    at, found = chance.choice(names)
    others = [one for one in used if one.name == found[0]]
    name = chance.choice(_alike(chance.choice(others), used)).name
    lines[at] = lines[at][: found.start()] + name + lines[at][found.end() :]
    return _written(root, place, lines)


def relocated(root: Path, place: Place, used: Sequence[Place], chance: random.Random) -> Texts:
    """The file of a definition has another name, or is gone."""
    path = root / place.path
    there = path.with_name(f"{path.name.partition('.')[0]}_x.{path.name.partition('.')[2]}")
    return {path: None} | ({} if chance.random() < GONE else {there: path.read_bytes()})


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _put(path: Path, text: bytes | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text)


def _alike(place: Place, used: Sequence[Place]) -> list[Place]:
    """Other definitions of the same kind and language."""
    language = language_of(place.path)
    return [one for one in used if one.kind == place.kind and language_of(one.path) == language] or [place]


def _with_name(root: Path, place: Place, name: str) -> Texts:
    lines = _read(root, place)
    if not lines[place.line - 1 : place.line] or not lines[place.line - 1].startswith(place.name, place.col):
        return {}
    line = lines[place.line - 1]
    lines[place.line - 1] = line[: place.col] + name + line[place.col + len(place.name) :]
    return _written(root, place, lines)


def _read(root: Path, place: Place) -> Lines:
    return (root / place.path).read_bytes().decode(errors="surrogateescape").split("\n")


def _written(root: Path, place: Place, lines: Lines) -> Texts:
    return {root / place.path: "\n".join(lines).encode(errors="surrogateescape")}


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


UNDONE: Final = 0.4  # share of edits that are taken back by the next
GONE: Final = 0.3  # share of imports, bases and files that go
Act = Callable[[Path, Place, Sequence[Place], random.Random], Texts]
ACTS: Final[tuple[Act, ...]] = (renamed, renamed, resaid, removed, copied, moved, retyped, retyped, relocated)
