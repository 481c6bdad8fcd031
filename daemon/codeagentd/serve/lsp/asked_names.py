"""What a request of an editor asks about, for answers before the first index is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from codeagentd.lsp.document_view import IDENTIFIER
from codeagentd.lsp.open_documents import Documents
from codeagentd.lsp.positions import Encoding, Position, TextLines
from codeagentd.lsp.uris import path_in
from codeagentd.model.on_demand import Question

# methods about the places that use a name; others are answered from its definition
ABOUT_USES: Final = frozenset(
    {
        "textDocument/references", "textDocument/rename", "textDocument/implementation", "codeLens/resolve",
        "callHierarchy/incomingCalls", "typeHierarchy/subtypes",
    }
)  # fmt: skip


def question_of(method: str, params: dict[str, Any], root: Path, documents: Documents, encoding: Encoding) -> Question:
    """Return the document that `params`, those of `method`, name, and the name at their position, or the one that they
    search for.
    """
    document, item = params.get("textDocument"), params.get("item")
    names = [value for value in (params.get("query"), _member(item, "name")) if isinstance(value, str) and value]
    uri = _member(document, "uri") or _member(item, "uri")
    path = path_in(root, uri) if isinstance(uri, str) else None
    open_document = documents.get(path) if path else None
    if open_document and (name := _name_at(open_document.lines, params.get("position"), encoding)):
        names.append(name)
    return Question(tuple(names), (path,) if path and (root / path).is_file() else (), needs_uses=method in ABOUT_USES)


def _member(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _name_at(lines: TextLines, sent: object, encoding: Encoding) -> str:
    try:
        position = msgspec.convert(sent, Position)
    except msgspec.ValidationError:
        return ""
    place = lines.place(lines.offset(position, encoding))
    names = (match for match in IDENTIFIER.finditer(lines.line(place.line)) if match.end() >= place.column)
    name = next(names, None)
    return name[0] if name and name.start() <= place.column else ""
