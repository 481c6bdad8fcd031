"""Files in pieces, for text search: cut along definitions, written in the background."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.paths import Jail
from codeagentd.base.text import decode
from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.secrets import redacted
from codeagentd.store.connection import Database

LONGEST: Final = 50  # lines: about a screen, some 500 tokens
SHORTEST: Final = 8  # lines before a definition begins a new chunk: one-liners stand together

_CAMEL: Final = re.compile(r"\b\w*[a-z0-9][A-Z]\w*")
_BORDER: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VALUES: Final = frozenset({SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER})

Definition = tuple[int, int, str, int]  # first and last line, name, kind
Span = tuple[int, int]  # first and last line


class Chunker:
    """Writes the chunks of files whose content is indexed. Used by the writer's thread alone."""

    def __init__(self, database: Database, root: Path) -> None:
        self._database = database
        self._jail = Jail(root)

    def work(self, files: int) -> int:
        """Write the chunks of so many files, in a transaction of its own; returns how many there were to write."""
        rows = self._database.all("chunks.unchunked", (files,))
        if rows:
            with self._database.transaction():
                for file, path in rows:
                    self._write(file, path)
        return len(rows)

    def _write(self, file: int, path: str) -> None:
        first = file << FILE_SHIFT
        span = (first, first + (1 << FILE_SHIFT) - 1)
        self._database.run("chunks.delete_words", span)
        self._database.run("chunks.delete", span)
        lines = self._lines(path)
        definitions: list[Definition] = self._database.all("chunks.definitions", (file,)) if lines else []
        words = _words_of_path(path)
        for number, (start, end) in enumerate(cut(len(lines), definitions)):
            text = redacted("\n".join(lines[start - 1 : end]))
            self._database.run("chunks.put", (first + number, start, end))
            self._database.run("chunks.put_words", (first + number, words, spelled(_names(definitions, start, end)), spelled(text)))
        self._database.run("chunks.set_chunked", (file,))

    def _lines(self, path: str) -> list[str]:
        try:
            return decode(self._jail.read_bytes(path, MAX_FILE_BYTES)).splitlines()
        except CodedError:
            return []  # gone since: the index will hear of it


def cut(lines: int, definitions: Iterable[Definition]) -> list[Span]:
    """The spans of a file's chunks, which cover all its lines: a new one begins with a definition, or where the last one is long."""
    starts = {first for first, _, _, kind in definitions if kind not in _VALUES}
    cuts = [1]
    for line in range(2, lines + 1):
        size = line - cuts[-1]
        if size >= LONGEST or (size >= SHORTEST and line in starts):
            cuts.append(line)
    return [(start, following - 1) for start, following in zip(cuts, [*cuts[1:], lines + 1], strict=True)] if lines else []


def spelled(text: str) -> str:
    """A text, and the words of the names in it that the tokenizer takes for one."""
    return f"{text}\n{' '.join(_BORDER.sub(' ', name) for name in _CAMEL.findall(text))}"


def _names(definitions: Sequence[Definition], start: int, end: int) -> str:
    """What is defined in a range of lines, and what is defined around it."""
    return " ".join(name for first, last, name, _ in definitions if start <= first <= end or first < start <= last)


def _words_of_path(path: str) -> str:
    return spelled(f"{path} {posixpath.splitext(path)[0].replace('/', ' ').replace('.', ' ')}")
