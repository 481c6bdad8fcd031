"""Where a name leads: to its definition, its declaration, the type of its value, its implementations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.lsp.definition_places import DefinitionPlace, location, places_of, whole_range
from codeagentd.lsp.document_view import length_of
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import Meaning, NameAt, meanings, name_at
from codeagentd.lsp.protocol_types import Location, LocationLink, PositionParams
from codeagentd.model.documents import LocalVariable, Place
from codeagentd.model.ids import numbers_of, uid_of
from codeagentd.model.kinds import TYPES, ReferenceKind, SymbolKind
from codeagentd.model.labels import CALLABLE
from codeagentd.model.parameters import language_family
from codeagentd.query.graph.edges import IMPLEMENTATIONS, neighbours
from codeagentd.query.hierarchy.type_hierarchy import types_of_value
from codeagentd.query.symbols.lookup import Subject

LISTED: Final = 1_000  # places of one answer

Places = list[Location] | list[LocationLink] | None


@method("textDocument/definition", PositionParams)
def definition(context: MethodContext, params: PositionParams) -> Places:
    """Return the places where the name at a position is defined; where it is declared only, those places."""
    return _led(context, params, lambda name: _defining(_all_places(context, name)))


@method("textDocument/declaration", PositionParams)
def declaration(context: MethodContext, params: PositionParams) -> Places:
    """Return the places where the name at a position is declared without a body; without any, its definitions."""
    return _led(context, params, lambda name: _declaring(_all_places(context, name)))


@method("textDocument/typeDefinition", PositionParams)
def type_definition(context: MethodContext, params: PositionParams) -> Places:
    """Return the definitions of the types of the value at a position; a type leads to itself."""
    return _led(context, params, lambda name: _types(context, name))


@method("textDocument/implementation", PositionParams)
def implementation(context: MethodContext, params: PositionParams) -> Places:
    """Return the definitions that implement, extend or override what is at a position."""
    return _led(context, params, lambda name: _implementations(context, name))


def _led(context: MethodContext, params: PositionParams, find: Callable[[NameAt], list[DefinitionPlace]]) -> Places:
    """The places that `find` returns for the name at a position, in the form that the client reads."""
    path = context.path(params.text_document)
    name = name_at(context, path, params.position)
    if name is None:
        return None
    places = find(name)[:LISTED]
    if not places:
        return None
    if not context.features.links:
        return [location(context, place) for place in places]
    origin = context.range(path, name.place, len(name.text))
    return [
        LocationLink(
            context.uri(place.path),
            whole_range(context, place),
            context.range(place.path, place.place, place.length),
            origin,
        )
        for place in places
    ]


def _all_places(context: MethodContext, name: NameAt) -> list[DefinitionPlace]:
    if name.variable:
        return [_first_place(name.view.path, name.variable)]
    # a type and its constructor are called by one name: the type is meant
    types = [meaning for meaning in name.meanings if meaning.kind != SymbolKind.CONSTRUCTOR]
    return [place for meaning in types or name.meanings for place in _places_meant(context, name, meaning)]


def _places_meant(context: MethodContext, name: NameAt, meaning: Meaning) -> list[DefinitionPlace]:
    """The places of a symbol. What another package defines, and a namespace of several files, is where the document
    imports it.
    """
    places = places_of(context, meaning)
    if _is_prototype(meaning, places):
        places = [*places, *(place for body in _bodies(context, meaning) for place in places_of(context, body))]
    if places and (meaning.kind != SymbolKind.NAMESPACE or len(places) == 1):
        return places
    imported = _import_place(context, name, meaning)
    return [imported] if imported and imported.place != name.place else places[:1]


def _is_prototype(meaning: Meaning, places: list[DefinitionPlace]) -> bool:
    """Whether a function of C or C++ has only declarations of one line, as far as its symbol is known."""
    language = languages().get(meaning.subject.language) if meaning.subject else None
    is_linked = language is not None and "linkage" in language.symbols.shared
    return is_linked and meaning.kind in CALLABLE and not any(place.line_end > place.line_start for place in places)


def _bodies(context: MethodContext, meaning: Meaning) -> list[Meaning]:
    """The functions with the qualified name of a prototype that have a body: those of a file that the parser reads in
    part are symbols of their own. None where there are several, of different programs.
    """
    assert meaning.subject is not None
    named = {"qualified_name": meaning.subject.qualified_name, "place": "", "limit": LISTED}
    subjects = [Subject(*row[:-1]) for row in context.db.all("symbols.by_qualified_name", named)]
    family = language_family(meaning.subject.language)
    bodies = [
        subject.id
        for subject in subjects
        if subject.kind in CALLABLE and subject.language in family and subject.line_end > subject.line_start
    ]
    return meanings(context, context.view(meaning.path), bodies) if len(bodies) == 1 else []


def _import_place(context: MethodContext, name: NameAt, meaning: Meaning) -> DefinitionPlace | None:
    """The place in the document where a symbol is imported; None where it is not, or the text is not indexed."""
    if meaning.subject is None or not name.view.is_indexed:
        return None
    first, last = numbers_of(name.view.file)
    row = context.db.row("lsp.import_of", {"first": first, "last": last, "symbol": meaning.subject.id})
    if row is None:
        return None
    line, column = row
    length = length_of(name.view.lines.line(line), column, int(ReferenceKind.IMPORT))
    return DefinitionPlace(name.view.path, line, line, Place(line, column), length)


def _first_place(path: str, variable: LocalVariable) -> DefinitionPlace:
    """The place where a local variable is bound first; where it is used first, if nothing binds it."""
    bound = [place for place in variable.places if place[2]] or variable.places
    line, column, _ = bound[0]
    return DefinitionPlace(path, line, line, Place(line, column), len(variable.name))


def _defining(places: list[DefinitionPlace]) -> list[DefinitionPlace]:
    """Those of the places of one symbol that have a body, where others are only declarations of one line."""
    bodies = [place for place in places if place.line_end > place.line_start]
    return bodies if bodies and len(bodies) < len(places) else places


def _declaring(places: list[DefinitionPlace]) -> list[DefinitionPlace]:
    return [place for place in places if place.line_end == place.line_start] or places


def _types(context: MethodContext, name: NameAt) -> list[DefinitionPlace]:
    if name.variable:
        return _places(context, meanings(context, name.view, list(name.variable.types)))
    if all(meaning.kind in TYPES for meaning in name.meanings):
        return _places(context, name.meanings)
    symbols = [
        row[1]
        for subject in name.subjects
        for row in ([(0, subject.id)] if subject.kind in TYPES else types_of_value(context.db, subject)[1])
    ]
    return _places(context, meanings(context, name.view, symbols))


def _implementations(context: MethodContext, name: NameAt) -> list[DefinitionPlace]:
    uids: dict[bytes, None] = {}
    for subject in name.subjects:
        for end in neighbours(context.db, subject, IMPLEMENTATIONS, None, LISTED, has_note=False).items:
            uids[uid_of(end.node_id) or b""] = None
    rows = [row for uid in uids if (row := context.db.row("symbols.by_uid", (uid,)))]
    return _places(context, meanings(context, name.view, [row[0] for row in rows]))


def _places(context: MethodContext, results: Iterable[Meaning]) -> list[DefinitionPlace]:
    return [place for meaning in results for place in places_of(context, meaning)]
