"""The places of symbols, for answers with absolute paths."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codeagentd.model.kinds import EDGE_OF_REFERENCE, Confidence
from codeagentd.model.results.lens_results import Range, SymbolPlace

from .lookup import LABELS

OUTSIDE: Final = "external:"  # prefix of the path of a package, which no file of the repository has
EDGES: Final = {int(kind): edge for kind, edge in EDGE_OF_REFERENCE.items()}
CONFIDENCES: Final = {int(confidence): confidence.label for confidence in Confidence}


def absolute(root: Path, path: str) -> str:
    """Return `path`, a path of the index, as an absolute path; the path of a package unchanged."""
    return path if path.startswith(OUTSIDE) else f"{root}/{path}"


def symbol_place(
    root: Path, name: str, kind: int, path: str, line_start: int, line_end: int, qualified_name: str
) -> SymbolPlace:
    """Return the place of a symbol in the form of answers, from the columns of its row."""
    return SymbolPlace(name, LABELS[kind], absolute(root, path), Range(line_start, line_end), qualified_name)
