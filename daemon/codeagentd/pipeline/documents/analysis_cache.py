"""The results of the analysis of documents that may be asked for again: encoded, since most are never read."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from codeagentd.model.documents import DocumentAnalysis, DocumentText

from .document_messages import analysis_decoder
from .moved_analysis import moved

KEPT_BYTES: Final = 8_000_000  # of results, encoded: some 500 documents of usual length
KEPT_DECODED: Final = 16  # decoded results; one takes ten times the memory
KEPT_LATEST: Final = 32  # documents whose last text and result are kept: those in which someone types

Key = tuple[str, str, bytes]  # path, language, digest


class AnalysisCache:
    """The last results, each with the generation of the index that it was resolved against. Not for several threads at
    once.
    """

    def __init__(self) -> None:
        self._results: OrderedDict[Key, tuple[int, bytes]] = OrderedDict()
        self._bytes = 0
        self._decoded: OrderedDict[bytes, DocumentAnalysis] = OrderedDict()  # by what was decoded
        self._latest: OrderedDict[str, tuple[DocumentText, bytes]] = OrderedDict()  # by path

    def keep(self, key: Key, document: DocumentText, generation: int, analysis: bytes) -> None:
        """Keep a result, and drop the oldest ones where there are too many."""
        _, before = self._results.pop(key, (0, b""))
        self._results[key] = generation, analysis
        self._bytes += len(analysis) - len(before)
        while len(self._results) > 1 and self._bytes > KEPT_BYTES:
            _, (_, dropped) = self._results.popitem(last=False)
            self._bytes -= len(dropped)
        self._latest.pop(document.path, None)
        self._latest[document.path] = document, analysis
        if len(self._latest) > KEPT_LATEST:
            self._latest.popitem(last=False)

    def find(self, key: Key, generation: int | None) -> bytes | None:
        """Return the result for a text, resolved against this generation of the index, or against any for None; None
        where it is not kept.
        """
        result, analysis = self._results.get(key, (0, None))
        if analysis is None or generation not in (None, result):
            return None
        self._results.move_to_end(key)
        return analysis

    def decoded(self, analysis: bytes) -> DocumentAnalysis:
        """Return a result in its decoded form."""
        result = self._decoded.pop(analysis, None) or analysis_decoder.decode(analysis)
        self._decoded[analysis] = result
        if len(self._decoded) > KEPT_DECODED:
            self._decoded.popitem(last=False)
        return result

    def moved_onto(self, document: DocumentText) -> DocumentAnalysis | None:
        """Return the last result for an earlier text of a document, moved onto its present one; None without one."""
        older, analysis = self._latest.get(document.path, (None, b""))
        return moved(analysis_decoder.decode(analysis), _bare(older), _bare(document)) if older else None

    def clear(self) -> None:
        """Drop everything."""
        self._results.clear()
        self._decoded.clear()
        self._latest.clear()
        self._bytes = 0


def _bare(document: DocumentText) -> str:
    return document.text.removeprefix("\ufeff")
