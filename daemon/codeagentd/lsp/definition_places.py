"""The places at which symbols are defined, in the texts that an editor sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codeagentd.model.documents import Definition, Place

from .document_view import column_of, length_at
from .method_context import MethodContext
from .name_at import Meaning
from .positions import Range
from .protocol_types import Location


class DefinitionPlace(NamedTuple):
    """A definition: its file, its lines, and the place and length of its name."""

    path: str
    line_start: int
    line_end: int
    place: Place
    length: int


def places_of(context: MethodContext, meaning: Meaning) -> list[DefinitionPlace]:
    """Return the places of a symbol, the primary one first; none for one that lies outside of the repository, or that
    the unsaved text of its file has no more.
    """
    if meaning.definition:
        first = [place_in(context, meaning.path, meaning.definition)]
    elif meaning.subject is None or meaning.subject.id < 0:
        return []
    elif meaning.path in context.overlays:
        first = []
    else:
        at = meaning.subject
        first = [_place(context, at.path, at.line_start, at.line_end, Place(at.line, at.col), at.name)]
    return list(dict.fromkeys([*first, *_other_places(context, meaning)]))


def place_in(context: MethodContext, path: str, definition: Definition) -> DefinitionPlace:
    """Return the place of a definition in the document at `path`."""
    name = Place(definition.line, definition.column)
    return _place(context, path, definition.line_start, definition.line_end, name, definition.name)


def _other_places(context: MethodContext, meaning: Meaning) -> Iterable[DefinitionPlace]:
    """The further places of a symbol that several statements declare."""
    if meaning.subject is None:
        return
    for path, first, last, line in context.db.all("lsp.other_places", (meaning.subject.id,)):
        if path in context.overlays:
            continue
        if (column := column_of(context.lines(path).line(line), meaning.name)) is not None:
            yield _place(context, path, first, last, Place(line, column), meaning.name)


def _place(context: MethodContext, path: str, first: int, last: int, place: Place, name: str) -> DefinitionPlace:
    return DefinitionPlace(
        path, first, last, place, length_at(context.lines(path).line(place.line), place.column, name)
    )


def location(context: MethodContext, place: DefinitionPlace) -> Location:
    """Return the location of the name at a place."""
    return context.location(place.path, place.place, place.length)


def name_range(context: MethodContext, place: DefinitionPlace) -> Range:
    """Return the range of the name at a place."""
    return context.range(place.path, place.place, place.length)


def whole_range(context: MethodContext, place: DefinitionPlace) -> Range:
    """Return the range of the lines of a definition; it contains the name."""
    lines = context.lines(place.path)
    first = min(place.line_start, place.place.line)
    return lines.lines_range(first, max(place.line_end, place.place.line), context.encoding)
