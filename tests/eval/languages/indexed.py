"""What our index says of a repository: the files, definitions and uses of one language."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codeagentd.model.kinds import ReferenceKind, SymbolKind
from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.eval.languages.facts import Definition, Use
from tests.harness.stored_rows import StoredRows, rows_of_engine

PATIENCE_S: Final = 1_800.0
_SEPARATOR: Final = re.compile(r"[.:/#]+(?=\w)")
_AT_DEFINITIONS: Final = frozenset({ReferenceKind.OVERRIDE})  # stand at the names of definitions


@contextlib.contextmanager
def indexed(root: Path) -> Iterator[StoredRows]:
    """The rows of a fresh index of a repository; nothing is written into it."""
    with tempfile.TemporaryDirectory() as temporary:
        engine = IndexingEngine(root, Path(temporary, "index"), Path(temporary, "blobs"), use_watcher=False)
        engine.start()
        try:
            if not engine.wait_caught_up(PATIENCE_S):
                raise TimeoutError(f"{root.name} is not indexed after {PATIENCE_S:.0f} s")
            yield rows_of_engine(engine)
        finally:
            engine.close(10)


def last(name: str) -> str:
    """Return the last part of a name with separators, without blanks: `Shelf::operator []` is operator[]."""
    return _SEPARATOR.split("".join(name.split()))[-1]


def files(rows: StoredRows, language: str) -> list[str]:
    """The files of a language."""
    return [file.path for file in rows.files() if file.language == language]


def _places(rows: StoredRows) -> dict[int, set[tuple[str, int]]]:
    """Every place of each symbol: (path, line)."""
    places: dict[int, set[tuple[str, int]]] = defaultdict(set)
    for number, path, line in rows.spans():
        places[number].add((path, line))
    for symbol in rows.symbols():
        places[symbol.id].add((symbol.path, symbol.line))
    return places


def definitions(rows: StoredRows, language: str) -> Iterator[tuple[Definition, str]]:
    """Yield what the files of a language define, with our kinds."""
    chosen, places = set(files(rows, language)), _places(rows)
    for symbol in rows.symbols():
        for path, line in () if symbol.is_file else places[symbol.id]:
            if path in chosen:
                yield Definition(path, line, last(symbol.name)), SymbolKind(symbol.kind).label


def uses(rows: StoredRows, language: str) -> Iterator[tuple[Use, frozenset[tuple[str, int]]]]:
    """Yield the references of a language's files that lead to definitions of the repository, with all places of the
    definition.
    """
    chosen, places = set(files(rows, language)), _places(rows)
    for ref in rows.references():
        if ref.path in chosen and ref.is_internal and not ref.is_to_file and ref.kind not in _AT_DEFINITIONS:
            target = (ref.target_path or "", ref.target_line or 0)
            yield Use(ref.path, ref.line, ref.col, ref.target_name or "", target), frozenset(places[ref.target_id or 0])
