"""The name at a position of a document, and what it means."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from codeagent_protocol.errors import CodedError
from codeagentd.languages.untyped_members import lending
from codeagentd.model.documents import Definition, LocalVariable, Place
from codeagentd.model.ids import name_key
from codeagentd.model.kinds import CANDIDATES, SCOPES_OF_NAMES, Confidence
from codeagentd.model.parameters import language_family
from codeagentd.query.symbols.definitions import Viewpoint, definitions_named
from codeagentd.query.symbols.lookup import Subject

from .document_view import DEFINITION, IDENTIFIER, IMPORTS, DocumentView, NameOnLine
from .method_context import MethodContext
from .positions import Position

LISTED = 50  # meanings of one name


class Meaning(NamedTuple):
    """A definition that a name means, as the index has it, as its unsaved document has it, or both.

    `path`: of its file; `target`: its number, as in model.documents.
    """

    target: int
    path: str
    name: str
    subject: Subject | None
    definition: Definition | None

    @property
    def kind(self) -> int:
        """Its model.kinds.SymbolKind."""
        return self.definition.kind if self.definition else self.subject.kind if self.subject else 0


class NameAt(NamedTuple):
    """A name in a document. `text` is how it is written there.

    It means a local variable of the document, or `meanings`, which all have the confidence `confidence`; neither where
    nothing is known of it. `is_definition`: it is defined here.
    """

    view: DocumentView
    place: Place
    text: str
    meanings: list[Meaning]
    variable: LocalVariable | None = None
    is_definition: bool = False
    confidence: int = int(Confidence.EXACT)

    @property
    def subjects(self) -> list[Subject]:
        """The meanings that the index has."""
        return [meaning.subject for meaning in self.meanings if meaning.subject]


def name_at(context: MethodContext, path: str, position: Position) -> NameAt | None:
    """Return the name at a position, or that ends at it; None where there is no name."""
    name = _resolved(context, context.view(path), context.place(path, position))
    if name is None or name.meanings or name.variable or context.is_whole:
        return name
    return name._replace(**_named_so(context, name))


def _resolved(context: MethodContext, view: DocumentView, place: Place) -> NameAt | None:
    """The name at a place, with what resolution knows of it."""
    on_line = view.names_on(place.line)
    names = _touching(on_line, place.column)
    text = view.lines.line(place.line)
    if not names:
        variable = _variable(view, place, text)
        names = [] if variable and variable.variable else _begun_at(on_line, place.column, text)
        if not names:
            return variable
    first = names[0]
    written = text[first.column : first.column + first.length]
    at = Place(place.line, first.column)
    if is_definition := any(name.kind == DEFINITION for name in names):
        names = [name for name in names if name.kind == DEFINITION]
    surest = min(name.confidence for name in names)
    targets = list(dict.fromkeys(name.target for name in names if name.target and name.confidence == surest))
    if not targets:
        return NameAt(view, at, written, *_candidates(context, view, written))
    known = meanings(context, view, targets[:LISTED])
    if outer := _outer_module(context, first, written, place, known):
        return NameAt(view, at, written[: _part_end(written, place.column - at.column)], [outer])
    return NameAt(view, at, written, known, None, is_definition, surest)


def _named_so(context: MethodContext, name: NameAt) -> dict[str, Any]:
    """The definitions of a name that are nearest to its document: before the first index is whole, the documents that
    use it are not resolved yet.
    """
    folder, slash, _ = name.view.path.rpartition("/")
    try:
        match = definitions_named(context.db, name.text, None, Viewpoint(name.view.path, folder + slash, False))
    except CodedError:
        return {}
    numbers = [subject.id for subject in match.subjects[:CANDIDATES]]
    sure = Confidence.INFERRED if len(match.subjects) == 1 else Confidence.AMBIGUOUS
    return {"meanings": meanings(context, name.view, numbers), "confidence": int(sure)}


def _outer_module(
    context: MethodContext, name: NameOnLine, written: str, place: Place, known: list[Meaning]
) -> Meaning | None:
    """The package or module that a part of an imported path means: `shop` in `import shop.desk`. None for its last
    part, and for other names.
    """
    parts = written[_part_end(written, place.column - name.column) :].count(".")
    subject = known[0].subject if known and name.kind in IMPORTS else None
    if not parts or subject is None or subject.kind not in SCOPES_OF_NAMES:
        return None
    outer = ".".join(subject.qualified_name.split(".")[:-parts])
    rows = context.db.all("symbols.by_qualified_name", {"qualified_name": outer, "place": "", "limit": LISTED})
    modules = [Subject(*row[:-1]) for row in rows]
    return next(
        (Meaning(module.id, module.path, module.name, module, None) for module in modules if module.is_file), None
    )


def _part_end(written: str, column: int) -> int:
    """The end of the part of a dotted path that is at a column."""
    end = written.find(".", max(column, len(written) - len(written.lstrip("."))))
    return end if end >= 0 else len(written)


def meanings(context: MethodContext, view: DocumentView, targets: list[int]) -> list[Meaning]:
    """Return what these targets stand for, in their order; `view`: the document in which they were found."""
    known = {
        subject.id: subject for subject in context.subjects(target for target in targets if not _is_own(view, target))
    }
    results = []
    for target in targets:
        subject = known.get(target)
        overlay = view if subject is None else context.overlays.get(subject.path)
        definition = overlay.definition_of(target) if overlay and not overlay.is_indexed else None
        if subject:
            results.append(Meaning(target, subject.path, subject.name, subject, definition))
        elif definition:
            results.append(Meaning(target, view.path, definition.name, None, definition))
    return results


def _is_own(view: DocumentView, target: int) -> bool:
    """Whether a target is a definition that only its document has. In the index, numbers below zero are symbols of
    other packages.
    """
    return target < 0 and not view.is_indexed


def _touching(names: list[NameOnLine], column: int) -> list[NameOnLine]:
    """The names at one column that lie around, or else end at, the column `column`."""
    touching = [name for name in names if name.column <= column <= name.column + name.length]
    inside = [name for name in touching if column < name.column + name.length] or touching
    best = max((name.column for name in inside), default=0)
    return [name for name in inside if name.column == best]


def _begun_at(names: list[NameOnLine], column: int, text: str) -> list[NameOnLine]:
    """The definition whose line begins at a column: agents name the beginning of a line, where a keyword stands."""
    defined = [name for name in names if name.kind == DEFINITION]
    is_beginning = column <= len(text) - len(text.lstrip())
    return defined if is_beginning and len({name.column for name in defined}) == 1 else []


def _variable(view: DocumentView, place: Place, text: str) -> NameAt | None:
    start = next(
        (match.start() for match in IDENTIFIER.finditer(text) if match.start() <= place.column <= match.end()), None
    )
    if start is None:
        return None
    variable = view.variable_at(place.line, place.column)
    if variable is None:
        return NameAt(view, Place(place.line, start), IDENTIFIER.match(text, start)[0], [])  # type: ignore[index]
    column, is_binding = next(
        (column, is_binding)
        for line, column, is_binding in variable.places
        if line == place.line and column <= place.column <= column + len(variable.name)
    )
    return NameAt(view, Place(place.line, column), variable.name, [], variable, is_binding)


def _candidates(context: MethodContext, view: DocumentView, name: str) -> tuple[list[Meaning], None, bool, int]:
    """The members that the name of a reference on a receiver of unknown type can mean, if they are few."""
    family = language_family(view.language) if view.language else ()
    parameters = {"key": name_key(name), "family": json.dumps(family), "limit": CANDIDATES + 1, **lending()}
    rows = context.db.all("lsp.members_named", parameters)
    subjects = [Subject(*row) for row in rows] if len(rows) <= CANDIDATES else []
    sure = Confidence.INFERRED if len(subjects) == 1 else Confidence.AMBIGUOUS
    members = meanings(context, view, [subject.id for subject in subjects])
    return members, None, False, int(sure)
