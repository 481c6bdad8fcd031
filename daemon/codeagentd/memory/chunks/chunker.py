"""Splitting of a file along its definitions: one piece for each definition that is not too long."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from codeagentd.model.kinds import SCOPES_OF_NAMES, SymbolKind

# lines of a piece: two screens; a longer type is split into its members, any other definition into parts
LONGEST: Final = 120
MOST: Final = 2_000  # pieces of one file; only generated ones have more
SHORT: Final = 3  # lines below which a key or rule of a document is not a piece by itself

_SMALL: Final = frozenset({SymbolKind.KEY, SymbolKind.ELEMENT, SymbolKind.RULE})
# beginnings of lines above a definition that belong to it
_ABOVE: Final = ("#", "//", "/*", "*", "@", "[", "--", '"""')


class Definition(NamedTuple):
    """A definition in a file, by its lines: the columns of the statement code_chunks.definitions."""

    name: str
    uid: bytes
    kind: int
    first: int
    last: int
    parent: str


class Span(NamedTuple):
    """The lines of a piece, and the definition that it is or is part of (None: outside of all definitions)."""

    first: int
    last: int
    definition: Definition | None
    is_whole: bool


class Piece(NamedTuple):
    """A piece of a file: its span, and its number among the spans of its definition."""

    span: Span
    ordinal: int

    @property
    def name(self) -> str:
        """The name of the definition; '' for a piece outside of all definitions."""
        return self.span.definition.name if self.span.definition else ""


def cut(lines: Sequence[str], definitions: Sequence[Definition]) -> list[Piece]:
    """Return the pieces that a file is cut into along its definitions, except those without text."""
    chosen = [
        definition
        for definition in definitions
        if definition.kind not in SCOPES_OF_NAMES
        and (definition.kind not in _SMALL or definition.last - definition.first + 1 >= SHORT)
    ]
    count: Counter[str] = Counter()
    pieces = []
    for span in _spans(lines, chosen, 1, len(lines), None):
        name = span.definition.name if span.definition else ""
        count[name] += 1
        pieces.append(Piece(span, count[name]))
        if len(pieces) == MOST:
            break
    return pieces


def _spans(
    lines: Sequence[str], inner: Sequence[Definition], first: int, last: int, owner: Definition | None
) -> Iterator[Span]:
    """Yield the pieces of a range of lines: the definitions in it, and the lines between them."""
    at = first
    for number, definition in enumerate(inner):
        if definition.first < at or definition.last > last:
            continue  # inside a definition that is a piece already, or overlapping its end
        start = _start(lines, definition.first, at)
        yield from _parts(lines, at, start - 1, owner, is_whole=False)
        within = [] if definition.last - start < LONGEST else _within(definition, inner, number + 1)
        if within:
            yield from _spans(lines, within, start, definition.last, definition)
        else:
            yield from _parts(lines, start, definition.last, definition, is_whole=True)
        at = definition.last + 1
    yield from _parts(lines, at, last, owner, is_whole=False)


def _within(outer: Definition, inner: Sequence[Definition], start: int) -> list[Definition]:
    """The definitions from index `start` on that are inside `outer`."""
    following = itertools.takewhile(lambda other: other.first <= outer.last, itertools.islice(inner, start, None))
    return [other for other in following if other.last <= outer.last]


def _start(lines: Sequence[str], first: int, least: int) -> int:
    """The line where a definition begins, including comments, decorators and attributes above it."""
    while first > least and lines[first - 2].lstrip().startswith(_ABOVE):
        first -= 1
    return first


def _parts(lines: Sequence[str], first: int, last: int, owner: Definition | None, *, is_whole: bool) -> Iterator[Span]:
    while first <= last and not lines[first - 1].strip():
        first += 1
    while last >= first and not lines[last - 1].strip():
        last -= 1
    for start in range(first, last + 1, LONGEST):
        end = min(start + LONGEST - 1, last)
        yield Span(start, end, owner, is_whole and (start, end) == (first, last))
