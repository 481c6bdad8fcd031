"""The values of the Language Server Protocol that this server reads and writes, as frozen structs.

Their names and fields are those of the specification, 3.17. Fields that the server does not use are left out.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .positions import Position, Range


class Params(msgspec.Struct, frozen=True, rename="camel"):
    """The base of parameters; unknown fields are ignored."""


class Result(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The base of results; fields with their default are left out."""


class TextDocumentIdentifier(Params, frozen=True):
    """A document by its URI."""

    uri: str


class DocumentParams(Params, frozen=True):
    """The parameters of a request about a whole document."""

    text_document: TextDocumentIdentifier


class PositionParams(Params, frozen=True):
    """The parameters of a request about a position in a document."""

    text_document: TextDocumentIdentifier
    position: Position


class Location(Result, frozen=True):
    """A range in a document."""

    uri: str
    range: Range


class LocationLink(Result, frozen=True):
    """A target, and the range of the name that leads to it."""

    target_uri: str
    target_range: Range
    target_selection_range: Range
    origin_selection_range: Range | None = None


class MarkupContent(Result, frozen=True):
    """A text for people."""

    kind: str
    value: str


class Command(Result, frozen=True):
    """A command of the client. An empty `command` is only a title."""

    title: str
    command: str
    arguments: list[Any] | None = None


class TextEdit(Result, frozen=True):
    """A range and its new text; `annotation_id` names the annotation of the change."""

    range: Range
    new_text: str
    annotation_id: str = ""
