"""Definitions of Scheme by Emacs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.compilers.emacs_definitions import emacs_definitions
from tests.eval.languages.facts import Definition

TOOL: Final = "Emacs 28.2"


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield what the files define."""
    return emacs_definitions(root, paths, "scheme-mode")
