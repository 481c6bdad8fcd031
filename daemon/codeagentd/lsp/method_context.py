"""The surroundings of one request of an editor: the index, the documents that its window has open, and how it counts
columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property, partial
from typing import Final

from codeagent_protocol.errors import CodedError, NotFound
from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.text import decode, is_binary
from codeagentd.languages.language import language_of
from codeagentd.languages.language_ids import language_with_id
from codeagentd.model.documents import REFUSED, DocumentAnalysis, DocumentText, Place
from codeagentd.model.ids import content_digest
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context

from .client_features import ClientFeatures
from .document_view import DocumentView
from .open_documents import Documents, OpenDocument
from .positions import Encoding, Position, Range, TextLines
from .protocol_types import Location, TextDocumentIdentifier
from .uris import path_in, uri_of

ANALYSIS_S: Final = 2.0  # seconds that an answer waits for the analysis of a document
SOON_S: Final = 0.01  # the same while an earlier version of the document has one: then that serves


class MethodContext:
    """The surroundings of one request, with a reader of the index. `documents`: those open in its window, by path.

    `is_exact`: the answer is about the present text of a document alone. Else, where someone types faster than the text
    is analysed, it may be about the text of a moment ago, with the present places. `is_whole`: what is missing in the
    index does not exist.
    """

    def __init__(
        self, ctx: Context, db: Database, documents: Documents, features: ClientFeatures, *, is_exact: bool = True,
        is_whole: bool = True,
    ) -> None:  # fmt: skip
        self.is_whole = is_whole
        self._is_exact = is_exact
        self.ctx = ctx
        self.db = db
        self.documents = documents
        self.features = features
        self.notices: list[str] = []  # texts to show to the user, besides the answer
        self.is_approximate = False  # an analysis of an earlier text was used
        self.unanalysed: list[str] = []  # documents whose analysis was not there in time
        self.refused: list[str] = []  # documents that are not analysed at all
        self._views: dict[str, DocumentView] = {}
        self._files: dict[str, tuple[TextLines, bytes]] = {}

    @property
    def encoding(self) -> Encoding:
        """The unit of columns."""
        return self.features.encoding

    # -- documents
    def path(self, document: TextDocumentIdentifier) -> str:
        """Return the path of a document. Errors: not_found for one that is no file of this repository."""
        path = path_in(self.ctx.root, document.uri)
        if path is None:
            raise NotFound(
                f"{document.uri[:200]} is no file of the repository {self.ctx.root}",
                remedy="add its repository to the editor's folders",
            )
        return path

    def uri(self, path: str) -> str:
        """Return the URI of a file; as the client writes it where it is open."""
        document = self.documents.get(path)
        return document.uri if document else uri_of(self.ctx.root, path)

    def version(self, path: str) -> int | None:
        """Return the version of an open document; None for a file that is not open."""
        document = self.documents.get(path)
        return document.version if document else None

    def view(self, path: str) -> DocumentView:
        """Return the names of the document at `path`: of its text where it is open, else of the file on disk."""
        view = self._views.get(path)
        if view is None:
            lines, digest = self._text(path)
            view = DocumentView(self.db, path, lines, digest, partial(self._analysis, path))
            self._views[path] = view
        return view

    def lines(self, path: str) -> TextLines:
        """Return the text of a file: that of its document where it is open, else as it is on disk now; '' without
        one.
        """
        return self._text(path)[0]

    @cached_property
    def overlays(self) -> dict[str, DocumentView]:
        """The open documents, by path, whose text is not the one that was indexed."""
        views = ((path, self.view(path)) for path in self.documents)
        return {path: view for path, view in views if not view.is_indexed}

    def _text(self, path: str) -> tuple[TextLines, bytes]:
        document = self.documents.get(path)
        if document:
            return document.lines, document.digest
        if path not in self._files:
            data = self._content(path)
            self._files[path] = TextLines("" if is_binary(data) else decode(data)), content_digest(data)
        return self._files[path]

    def _content(self, path: str) -> bytes:
        try:
            return self.ctx.jail.read_bytes(path, MAX_FILE_BYTES)
        except CodedError:
            return b""

    def text(self, path: str) -> DocumentText:
        """Return the text of a document, as it is analysed."""
        document = self.documents.get(path)
        return document_text(document) if document else DocumentText(path, "", self.lines(path).text)

    def _analysis(self, path: str, of_any_generation: bool) -> DocumentAnalysis | None:
        text, documents, owner = self.text(path), self.ctx.engine.documents, self.ctx.session
        patience_s = ANALYSIS_S if self._is_exact else SOON_S
        analysis = documents.analysis(text, patience_s, owner, of_any_generation=of_any_generation)
        if analysis is None and not self._is_exact:
            analysis = documents.earlier_analysis(text)
            self.is_approximate |= analysis is not None
            analysis = analysis or documents.analysis(text, ANALYSIS_S, owner)
        if analysis is None:
            self.unanalysed.append(path)
        elif analysis.status == REFUSED:
            self.refused.append(path)
            return None
        return analysis

    # -- positions
    def place(self, path: str, position: Position) -> Place:
        """Return the place in the index of a position in a document."""
        lines = self.lines(path)
        return lines.place(lines.offset(position, self.encoding))

    def range(self, path: str, place: Place, length: int) -> Range:
        """Return the range of a name."""
        return self.lines(path).range(place, length, self.encoding)

    def location(self, path: str, place: Place, length: int) -> Location:
        """Return the location of a name."""
        return Location(self.uri(path), self.range(path, place, length))

    # -- symbols
    def subjects(self, symbols: Iterable[int]) -> list[Subject]:
        """Return the symbols with these numbers in the index, in their order; those that are gone are left out."""
        numbers = list(symbols)
        return [Subject(*row) for row in self.db.all("lsp.symbols", (json.dumps(numbers),))] if numbers else []


def document_text(document: OpenDocument) -> DocumentText:
    """Return the text of an open document, as it is analysed: in the editor's language where its path tells none."""
    language = "" if language_of(document.path) else language_with_id(document.language_id)
    return DocumentText(document.path, language, document.text)
