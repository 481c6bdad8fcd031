"""The places of symbols in answers whose paths are absolute."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codeagentd.model.kinds import EDGE_OF_REFERENCE, Confidence
from codeagentd.model.results.lens_results import Range, SymbolPlace

from .lookup import LABELS

OUTSIDE: Final = "external:"  # begins the path of a package, which no file of the repository has
EDGES: Final = {int(kind): edge for kind, edge in EDGE_OF_REFERENCE.items()}
CONFIDENCES: Final = {int(confidence): confidence.label for confidence in Confidence}


def absolute(root: Path, path: str) -> str:
    """A path of the index as an absolute one; that of a package as it is."""
    return path if path.startswith(OUTSIDE) else f"{root}/{path}"


def symbol_place(
    root: Path, name: str, kind: int, path: str, line_start: int, line_end: int, qualified_name: str
) -> SymbolPlace:
    """A symbol's row as the answer has it."""
    return SymbolPlace(name, LABELS[kind], absolute(root, path), Range(line_start, line_end), qualified_name)
