"""The documents that an editor has open, with their texts, which may not be saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from codeagentd.model.ids import text_digest

from .positions import Encoding, Range, TextLines


class TextChange(msgspec.Struct, frozen=True):
    """A change of a document: `text` in place of a range; without a range, in place of everything."""

    text: str
    range: Range | None = None


class OpenDocument:
    """One version of an open document, which never changes. `path` is relative to the repository.

    `is_certain`: False once a change could not be applied, so that its text may not be the editor's.
    """

    def __init__(
        self, uri: str, path: str, language_id: str, version: int, text: str, *, is_certain: bool = True
    ) -> None:
        self.uri = uri
        self.path = path
        self.language_id = language_id
        self.version = version
        self.text = text
        self.is_certain = is_certain

    @cached_property
    def lines(self) -> TextLines:
        """The positions of the text."""
        return TextLines(self.text)

    @cached_property
    def digest(self) -> bytes:
        """The digest of the text as a file, as the index stores it for files in UTF-8."""
        return text_digest(self.text)

    def changed(self, version: int, changes: Sequence[TextChange], encoding: Encoding) -> OpenDocument:
        """Return the document after `changes`, one after the other, each of which refers to the text that the one
        before it made.
        """
        text, is_certain = self.text, self.is_certain
        for change in changes:
            if change.range is None:
                text, is_certain = change.text, True
                continue
            start, end = change.range.start, change.range.end
            if end < start or min(start.line, start.character, end.character) < 0:
                is_certain = False
                continue
            lines = self.lines if text is self.text else TextLines(text)
            text = text[: lines.offset(start, encoding)] + change.text + text[lines.offset(end, encoding) :]
        return OpenDocument(self.uri, self.path, self.language_id, version, text, is_certain=is_certain)

    def uncertain(self) -> OpenDocument:
        """Return the document after a change that could not be read."""
        return OpenDocument(self.uri, self.path, self.language_id, self.version, self.text, is_certain=False)


Documents = Mapping[str, OpenDocument]  # by path
NONE_OPEN: Final[Documents] = {}
