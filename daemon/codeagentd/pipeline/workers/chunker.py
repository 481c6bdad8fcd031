"""Cuts files into chunks for text search, along definitions; the chunks are written in the background."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.file_lines import lines_of
from codeagentd.base.paths import Jail
from codeagentd.model.identifier_words import spelled
from codeagentd.model.ids import numbers_of, text_digest
from codeagentd.model.kinds import SymbolKind
from codeagentd.secrets.redaction import judged, withheld, without_keys
from codeagentd.store.connection import Database

from .searched_text import searched

LONGEST: Final = 50  # lines: about a screen, some 500 tokens
MANY: Final = 24  # files cut and written at once, at most
STEP_S: Final = 0.05  # seconds that these may take, since a change has to wait
FEW: Final = 4  # for so few files no worker is started
DOUBTFUL_FILES: Final = 6  # files that are checked by the issuers' rules before they are written together
SHORTEST: Final = 8  # lines before a definition begins a new chunk: one-liners stand together

_VALUES: Final = frozenset({SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER})

WRITTEN: Final = 1  # files.chunked: its chunks are those of its content
DOUBTFUL: Final = 2  # it waits for a check by the issuers' rules
WITHHELD: Final = 3  # its chunks are without its text, which the issuers' rules could not check

Definition = tuple[int, int, str, int]  # first and last line, name, kind
Span = tuple[int, int]  # first and last line


class Piece(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One chunk as a row of the text index."""

    line_start: int
    line_end: int
    names: str
    text: str


class Chunker:
    """Writes the chunks of files whose content is indexed. Used by the writer's thread alone.

    Many files are cut by a worker, because splitting words and finding secrets is slow in Python, and would delay
    requests. Files for which the rules of issuers are needed come last, when `make_room` has ended that worker, and in
    between: these rules take 60 MB.
    """

    def __init__(
        self, database: Database, root: Path,
        workers: Callable[[Sequence[tuple[int, str]]], Iterable[tuple[int, list[Piece] | None]]],
        make_room: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._database = database
        self._jail = Jail(root)
        self._workers = workers
        self._make_room = make_room
        self._share = MANY  # files of the next step

    def work(self) -> bool:
        """Write the chunks of some files, in one transaction; return whether there were any."""
        files: list[tuple[int, str]] = self._database.all("chunks.unchunked", (self._share,))
        if not files:
            return self._ask()
        paths, began = dict(files), time.monotonic()
        results = (
            self._workers(files)
            if len(files) > FEW
            else ((file, pieces_of(self._database, self._jail, file, path)) for file, path in files)
        )
        with self._database.transaction():
            for file, pieces in results:
                if pieces is None:
                    self._database.run("chunks.set_chunked", (DOUBTFUL, None, file))
                else:
                    self._write(file, paths[file], pieces, None)
        self._share = next_share(len(files), time.monotonic() - began)
        return True

    def _ask(self) -> bool:
        """Write the chunks of a few files for which the rules of issuers are needed (secrets.scanner); return whether
        there were any.
        """
        files: list[tuple[int, str]] = self._database.all("chunks.doubtful", (DOUBTFUL_FILES,))
        if files and self._make_room():
            collected = [
                (file, path, *doubtful_pieces_of(self._database, self._jail, file, path)) for file, path in files
            ]
            with self._database.transaction():
                for entry in collected:
                    self._write(*entry)
        return bool(files)

    def _write(
        self, file: int, path: str, pieces: Sequence[Piece], clean: bytes | None, chunked: int = WRITTEN
    ) -> None:
        first, last = numbers_of(file)
        self._database.run("chunks.delete_words", (first, last))
        self._database.run("chunks.delete", (first, last))
        words = _words_of_path(path)
        self._database.run_many(
            "chunks.put", [(first + number, piece.line_start, piece.line_end) for number, piece in enumerate(pieces)]
        )
        self._database.run_many(
            "chunks.put_words",
            [(first + number, words, piece.names, piece.text) for number, piece in enumerate(pieces)],
        )
        self._database.run("chunks.set_chunked", (chunked, clean, file))


def next_share(files: int, seconds: float) -> int:
    """Return the number of files for the next step, after a step with `files` files took `seconds`; always enough for a
    worker.
    """
    return round(min(MANY, max(FEW + 1, files * STEP_S / max(seconds, 1e-6))))


def pieces_of(database: Database, jail: Jail, file: int, path: str) -> list[Piece] | None:
    """Return the chunks of the indexed file at `path`: none when it is gone since, as the index will notice; None where
    the rules of issuers are needed.
    """
    own = judged(_text(database, jail, file, path), path)  # as a whole: a key may go on in the next piece
    return None if own.is_doubtful else _pieces(database, file, own.text)


def doubtful_pieces_of(database: Database, jail: Jail, file: int, path: str) -> tuple[list[Piece], bytes | None, int]:
    """Return (chunks, digest, state) of the indexed file at `path`, judged with the rules of issuers. The digest is
    that of its text if these have found nothing, else None; the state is the value for files.chunked.
    """
    text = _text(database, jail, file, path)
    own = judged(text, path)
    try:
        clean = without_keys(own.text) if own.is_doubtful else own.text
    except EngineUnavailable:
        return _pieces(database, file, withheld(own.text)), None, WITHHELD
    return _pieces(database, file, clean), text_digest(text) if clean == own.text else None, WRITTEN


def waiting_files(database: Database) -> int:
    """Return the number of files whose text is still to be written."""
    return int(database.value("chunks.waiting"))


def withheld_files(database: Database) -> int:
    """Return the number of files whose text was withheld."""
    return int(database.value("chunks.withheld", (WITHHELD,)))


def _text(database: Database, jail: Jail, file: int, path: str) -> str:
    language = str(database.value("world.language_of_file", (file,), ""))
    return searched("\n".join(lines_of(jail, path)), path, language)


def _pieces(database: Database, file: int, text: str) -> list[Piece]:
    lines = text.split("\n")
    definitions: list[Definition] = database.all("chunks.definitions", (file,))
    spans = cut(len(lines) - (not lines[-1]), definitions)
    return [
        Piece(start, end, spelled(names), spelled("\n".join(lines[start - 1 : end])))
        for (start, end), names in zip(spans, _names(definitions, spans), strict=True)
    ]


def cut(lines: int, definitions: Iterable[Definition]) -> list[Span]:
    """Return the spans of the chunks of a file with `lines` lines; they cover all of these. A chunk begins with a
    definition, or where the chunk before it has become long.
    """
    starts = {first for first, _, _, kind in definitions if kind not in _VALUES}
    cuts = [1]
    for line in range(2, lines + 1):
        size = line - cuts[-1]
        if size >= LONGEST or (size >= SHORTEST and line in starts):
            cuts.append(line)
    return (
        [(start, following - 1) for start, following in zip(cuts, [*cuts[1:], lines + 1], strict=True)] if lines else []
    )


def _names(definitions: Sequence[Definition], spans: Iterable[Span]) -> Iterator[str]:
    """Yield the names of the definitions in each of `spans`, and of those that enclose its begin. Both are in the order
    of the text, so that each definition is looked at where it begins and as long as it encloses.
    """
    enclosing: list[Definition] = []
    at = 0
    for start, end in spans:
        enclosing = [definition for definition in enclosing if definition[1] >= start]
        begun = at
        while at < len(definitions) and definitions[at][0] <= end:
            at += 1
        enclosing += definitions[begun:at]
        yield " ".join(name for _, _, name, _ in enclosing)


def _words_of_path(path: str) -> str:
    return spelled(f"{path} {posixpath.splitext(path)[0].replace('/', ' ').replace('.', ' ')}")
