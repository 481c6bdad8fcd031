"""The definitions that changed lines are part of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.model.changed_lines import Hunk
from codeagentd.model.ids import name_hash, name_key
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, SymbolKind
from codeagentd.store.connection import Database

from .changed_symbols import SymbolsOfFiles, touched

_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})
_WORD: Final = re.compile(r"[^\W\d]\w*")


class _Definition(NamedTuple):
    """A symbol in a file, its lines, and that of its name."""

    number: int
    parent: int | None
    kind: int
    first: int
    last: int
    line: int
    name: str


def touched_lines(db: Database, inside: SymbolsOfFiles, hunks: Mapping[str, Sequence[Hunk]]) -> SymbolsOfFiles:
    """Limit `inside`, the symbols of some files, to those that the changed lines are part of: functions with all that
    is in them; types with all members where a line of the type itself, or of a field, differs.

    A file counts whole where a line outside of its definitions differs, where it has lost a name that another file
    mentions, and where its changed lines are not known.
    """
    if not hunks:
        return inside
    limited: dict[str, set[int]] = {}
    removed: dict[str, set[bytes]] = {}
    for path in inside.files:
        definitions = [_Definition(*row) for row in db.all("change.defined_in", {"path": path})]
        if symbols := _in_lines(definitions, hunks.get(path, ())):
            limited[path] = symbols
            removed[path] = _removed_names(definitions, hunks[path])
    lost = _with_lost_names(db, removed)
    whole = touched(db, [path for path in inside.files if path in lost or path not in limited]).symbols
    changed = (symbol for path, symbols in limited.items() if path not in lost for symbol in symbols)
    return inside._replace(symbols=list(dict.fromkeys([*whole, *changed])))


def _in_lines(definitions: list[_Definition], hunks: Sequence[Hunk]) -> set[int]:
    """The symbols that the changed lines are part of; none for the whole file."""
    known = {definition.number: definition for definition in definitions}
    changed: set[int] = set()
    for hunk in hunks:
        for owner in _owners(definitions, hunk):
            while (outer := known.get(owner.parent or 0)) and (_is_part(owner, outer) or _has_new_name(owner, hunk)):
                owner = outer
            if owner.parent is None or owner.kind in SCOPES_OF_NAMES:
                return set()
            changed.add(owner.number)
    inside = changed
    while inside:
        inside = {definition.number for definition in definitions if definition.parent in inside} - changed
        changed |= inside
    return changed


def _is_part(definition: _Definition, outer: _Definition) -> bool:
    """Whether a change of a definition is one of what is around it: of a function, or of a type's fields."""
    return outer.kind in _FUNCTIONS or (outer.kind in TYPES and definition.kind not in TYPES | _FUNCTIONS)


def _has_new_name(definition: _Definition, hunk: Hunk) -> bool:
    """Whether a definition has its name from a changed line: what was there before is not known, nor who used it."""
    is_named_here = hunk.first <= definition.line < hunk.first + len(hunk.added)
    return bool(hunk.removed) and is_named_here and definition.name not in _words(hunk.removed)


def _words(lines: Iterable[str]) -> set[str]:
    return {word for text in lines for word in _WORD.findall(text)}


def _owners(definitions: list[_Definition], hunk: Hunk) -> Iterator[_Definition]:
    """The innermost definitions of the lines of a hunk; blank lines are left out."""
    lines = [hunk.first + index for index, text in enumerate(hunk.added) if text.strip()]
    for line in lines:
        yield _innermost(definitions, line, line)
    if not lines and any(text.strip() for text in hunk.removed):
        # what was removed stood between two lines, and belongs to what both are part of
        yield _innermost(definitions, hunk.first, hunk.first + 1)


def _innermost(definitions: list[_Definition], first: int, last: int) -> _Definition:
    """The innermost definition of two lines: the file's own symbol, which is the first, where there is no other."""
    enclosing = [item for item in definitions if item.first <= first and last <= item.last]
    return max(enclosing, key=lambda item: (item.first, -item.last, item.number), default=definitions[0])


def _removed_names(definitions: list[_Definition], hunks: Sequence[Hunk]) -> set[bytes]:
    """The hashes of the words that stand in removed lines of a file alone, and are no names of its definitions."""
    words = {word for hunk in hunks for word in _words(hunk.removed)}
    words -= {word for hunk in hunks for word in _words(hunk.added)} | {definition.name for definition in definitions}
    return {name_hash(name_key(word)) for word in words}


def _with_lost_names(db: Database, removed: Mapping[str, set[bytes]]) -> set[str]:
    """The files whose removed names they do not mention any more, while another file does."""
    if not any(removed.values()):
        return set()
    mentioned = {path: names for _, path, _, names in db.all("world.mentions")}
    missing = {path: names - _hashes(mentioned.get(path, b"")) for path, names in removed.items()}
    return {
        path
        for path, names in missing.items()
        if any(name in other for where, other in mentioned.items() if where != path for name in names)
    }


def _hashes(names: bytes) -> set[bytes]:
    return {names[start : start + 4] for start in range(0, len(names), 4)}
