"""The places that use a name, in the index and in the documents that an editor has not saved."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from codeagentd.model.documents import Place
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import CANDIDATES, Confidence, ReferenceKind
from codeagentd.query.graph.edges import candidates
from codeagentd.query.graph.reference_places import sites
from codeagentd.query.symbols.lookup import Subject

from .definition_places import places_of
from .document_view import DocumentView, length_at
from .method_context import MethodContext
from .name_at import NameAt

MOST_USES: Final = 10_000  # places of one answer: 2 MB
_CONFIDENCES: Final = {confidence.label: int(confidence) for confidence in Confidence}
_WRITE: Final = int(ReferenceKind.WRITE)


class Use(NamedTuple):
    """A place that uses a name. `writes`: a value is assigned there."""

    path: str
    place: Place
    length: int
    confidence: int = int(Confidence.EXACT)
    writes: bool = False


def uses_of(context: MethodContext, name: NameAt, most: int = MOST_USES) -> list[Use]:
    """Return the places that refer to what `name` means, surest first, then by path and line; without definitions."""
    if name.variable:
        return [
            Use(name.view.path, Place(line, column), len(name.variable.name), writes=is_binding)
            for line, column, is_binding in name.variable.places
        ]
    subjects = name.subjects
    results = [use for subject in subjects for use in _indexed(context, subject, most)]
    for view in context.overlays.values():
        results += _unsaved(context, view, name)
    return sorted(dict.fromkeys(results), key=lambda use: (use.confidence, use.path, use.place.line, use.place.column))


def definitions_of(context: MethodContext, name: NameAt) -> list[Use]:
    """Return the places where what `name` means is defined."""
    places = [place for meaning in name.meanings for place in places_of(context, meaning)]
    return [Use(place.path, place.place, place.length, writes=True) for place in places]


def _indexed(context: MethodContext, subject: Subject, most: int) -> list[Use]:
    """The references in files whose text is the one that was indexed."""
    return [
        Use(path, Place(line, column), _length(context, path, line, column, subject.name), _CONFIDENCES[confidence])
        for path, line, column, _, confidence, _ in sites(context.db, [subject], None, most).items
        if path not in context.overlays
    ]


def _unsaved(context: MethodContext, view: DocumentView, name: NameAt) -> list[Use]:
    """The references in a document whose text is not the one that was indexed."""
    words = {meaning.name for meaning in name.meanings} | {name.text}
    if not any(word in view.lines.text for word in words):
        return []
    # what only one document defines has a number of that document
    targets = [meaning.target for meaning in name.meanings if meaning.subject or meaning.path == view.path]
    members = max((candidates(context.db, subject) for subject in name.subjects), default=0)
    uses = view.uses_of(targets, name.meanings[0].name if name.meanings else "", with_open=0 < members <= CANDIDATES)
    return [
        Use(view.path, Place(line, column), length_at(view.lines.line(line), column), confidence, kind == _WRITE)
        for line, column, kind, confidence in uses
    ]


def uses_in(context: MethodContext, view: DocumentView, name: NameAt) -> list[Use]:
    """Return the places in one document that refer to what `name` means, or define it."""
    if name.variable:
        return uses_of(context, name)
    own = [use for use in definitions_of(context, name) if use.path == view.path]
    if not view.is_indexed:
        return own + _unsaved(context, view, name)
    first, last = numbers_of(view.file)
    symbols = json.dumps([subject.id for subject in name.subjects])
    rows = context.db.all("lsp.uses_in_file", {"first": first, "last": last, "symbols": symbols})
    return own + [
        Use(view.path, Place(line, column), length_at(view.lines.line(line), column), confidence, kind == _WRITE)
        for line, column, kind, confidence in rows
    ]


def _length(context: MethodContext, path: str, line: int, column: int, name: str) -> int:
    return length_at(context.lines(path).line(line), column, name)
