"""The documents that one window has open, and the lines of its client that made them.

The shim keeps these lines for a daemon that takes over. A long series of changes is folded into one line, which opens
the document with its present text; the lines of a closed document are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagentd.base.log import EventLog
from codeagentd.lsp.open_documents import Documents, OpenDocument, TextChange
from codeagentd.lsp.positions import Encoding
from codeagentd.lsp.protocol_types import Params
from codeagentd.lsp.uris import path_in

OPEN: Final = "textDocument/didOpen"
CHANGE: Final = "textDocument/didChange"
CLOSE: Final = "textDocument/didClose"
MOST_LINES: Final = 64  # lines of one document that are kept before they are folded
MOST_DOCUMENTS: Final = 2_000  # of one window; no editor opens so many

_log = EventLog(__name__)

Replace = Callable[[list[int], bytes], None]  # puts a line in place of those with these numbers; b"" drops them


class _Opened(Params, frozen=True):
    """A document as didOpen sends it."""

    uri: str
    text: str
    language_id: str = ""
    version: int = 0


class _OpenParams(Params, frozen=True):
    """The parameters of didOpen."""

    text_document: _Opened


class _Versioned(Params, frozen=True):
    """A document and its new version."""

    uri: str
    version: int | None = None


class _ChangeParams(Params, frozen=True):
    """The parameters of didChange."""

    text_document: _Versioned
    content_changes: list[TextChange]


class _CloseParams(Params, frozen=True):
    """The parameters of didClose."""

    text_document: _Versioned


class SessionDocuments:
    """The open documents of a window, by path. Documents outside of the repository `root` are left out."""

    def __init__(self, root: Path, replace: Replace) -> None:
        self.by_path: dict[str, OpenDocument] = {}
        self.encoding = Encoding.UTF16
        self._root = root
        self._replace = replace
        self._lines: dict[str, list[int]] = {}  # by path: the numbers of the lines that made the document

    def take(self, method: str, params: dict[str, Any], seq: int, acknowledge: Callable[[bool], None]) -> str | None:
        """Apply a notification about a document, which came in the line `seq`, and acknowledge that line: with True if
        it is to be kept.

        Returns the path of a document that has a new text.
        """
        try:
            if method == OPEN:
                return self._open(msgspec.convert(params, _OpenParams).text_document, seq, acknowledge)
            if method == CHANGE:
                return self._change(params, seq, acknowledge)
            self._close(msgspec.convert(params, _CloseParams).text_document.uri, acknowledge)
        except msgspec.ValidationError as error:
            _log.info("an unreadable notification", method=method, why=str(error)[:200])
            acknowledge(False)
        return None

    def snapshot(self) -> Documents:
        """Return the documents as they are now."""
        return dict(self.by_path)

    def _open(self, opened: _Opened, seq: int, acknowledge: Callable[[bool], None]) -> str | None:
        path = path_in(self._root, opened.uri)
        if path is None or (len(self.by_path) >= MOST_DOCUMENTS and path not in self.by_path):
            acknowledge(False)
            return None
        self._drop(path)
        self.by_path[path] = OpenDocument(opened.uri, path, opened.language_id, opened.version, opened.text)
        self._lines[path] = [seq]
        acknowledge(True)
        return path

    def _change(self, params: dict[str, Any], seq: int, acknowledge: Callable[[bool], None]) -> str | None:
        try:
            change = msgspec.convert(params, _ChangeParams)
        except msgspec.ValidationError:  # its document is not known any more
            path = self._path_of(params)
            if path in self.by_path:
                self.by_path[path] = self.by_path[path].uncertain()
                self._keep(path, seq, acknowledge)
            else:
                acknowledge(False)
            return None
        path = path_in(self._root, change.text_document.uri) or ""
        document = self.by_path.get(path)
        if document is None:
            acknowledge(False)
            return None
        version = document.version if change.text_document.version is None else change.text_document.version
        self.by_path[path] = document.changed(version, change.content_changes, self.encoding)
        self._keep(path, seq, acknowledge)
        return path

    def _keep(self, path: str, seq: int, acknowledge: Callable[[bool], None]) -> None:
        numbers = self._lines[path]
        numbers.append(seq)
        acknowledge(True)
        if len(numbers) > MOST_LINES and self.by_path[path].is_certain:
            self._replace(numbers, _opening(self.by_path[path]))
            self._lines[path] = [max(numbers)]

    def _close(self, uri: str, acknowledge: Callable[[bool], None]) -> None:
        path = path_in(self._root, uri) or ""
        self._drop(path)  # before the line is acknowledged: else a daemon that takes over now would open it again
        acknowledge(False)

    def _drop(self, path: str) -> None:
        if self.by_path.pop(path, None):
            self._replace(self._lines.pop(path), b"")

    def _path_of(self, params: dict[str, Any]) -> str:
        document = params.get("textDocument")
        uri = document.get("uri") if isinstance(document, dict) else None
        return (path_in(self._root, uri) or "") if isinstance(uri, str) else ""


def _opening(document: OpenDocument) -> bytes:
    """The line that opens a document with its present text."""
    item = {
        "uri": document.uri, "languageId": document.language_id, "version": document.version, "text": document.text,
    }  # fmt: skip
    return msgspec.json.encode({"jsonrpc": "2.0", "method": OPEN, "params": {"textDocument": item}})
