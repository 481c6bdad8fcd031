"""What a client tells of itself in `initialize`: how it counts columns, and which optional parts it has."""

from __future__ import annotations

from typing import Any

import msgspec

from .positions import Encoding, chosen_encoding


class ClientFeatures(msgspec.Struct, frozen=True):
    """The features of a client that change answers.

    `links`: definitions may be LocationLinks; `nested`: document symbols may be nested; `document_changes`: edits may
    name versions; `annotations`: edits may need confirmation; `renames_files`: an edit may rename a file; `markdown`:
    hovers may be Markdown; `progress`: the server may report progress of its own; `diagnostics`: it reads diagnostics;
    `show_references`: the client's command that lists the references of a position. `lenses` and `hints`: the user's
    options.
    """

    encoding: Encoding = Encoding.UTF16
    links: bool = False
    nested: bool = False
    document_changes: bool = False
    annotations: bool = False
    renames_files: bool = False
    markdown: bool = False
    progress: bool = False
    diagnostics: bool = False
    show_references: str = ""
    lenses: bool = True
    hints: bool = False


def features_of(params: dict[str, Any]) -> ClientFeatures:
    """Return the features that `params`, those of `initialize`, name. Malformed parts count as missing."""
    capabilities = params.get("capabilities")
    document = ("textDocument",)
    edit = ("workspace", "workspaceEdit")
    formats = _at(capabilities, *document, "hover", "contentFormat")
    options = params.get("initializationOptions")
    operations = _at(capabilities, *edit, "resourceOperations")
    return ClientFeatures(
        encoding=chosen_encoding(_at(capabilities, "general", "positionEncodings")),
        links=_at(capabilities, *document, "definition", "linkSupport") is True,
        nested=_at(capabilities, *document, "documentSymbol", "hierarchicalDocumentSymbolSupport") is True,
        document_changes=_at(capabilities, *edit, "documentChanges") is True,
        annotations=isinstance(_at(capabilities, *edit, "changeAnnotationSupport"), dict),
        renames_files=isinstance(operations, list) and "rename" in operations,
        markdown=isinstance(formats, list) and "markdown" in formats,
        progress=_at(capabilities, "window", "workDoneProgress") is True,
        diagnostics=isinstance(_at(capabilities, *document, "publishDiagnostics"), dict),
        show_references=command if isinstance(command := _at(options, "showReferencesCommand"), str) else "",
        lenses=_at(options, "codeLens") is not False,
        hints=_at(options, "inlayHints") is True,
    )


def _at(value: object, *names: str) -> Any:
    """The value below `value` at these names; None where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
