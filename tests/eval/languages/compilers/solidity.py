"""Definitions by solc's parser, of the npm package `solc`; NODE_PATH names the folder that has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Definition
from tests.eval.languages.node_scripts import answer

TOOL: Final = "solc"
_PRAGMA: Final = re.compile(r"pragma solidity[^;\n]*;")  # which versions may read the file


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield what solc finds, with the types of its nodes. Errors: FileNotFoundError without node."""
    sources = {path: _PRAGMA.sub(_blank, (root / path).read_text(errors="replace")) for path in paths}
    contents = {path: source.encode() for path, source in sources.items()}
    for path, offset, name, kind in json.loads(answer(Path(__file__).with_suffix(".mjs"), json.dumps(sources))):
        yield Definition(path, 1 + contents[path].count(b"\n", 0, offset), name), kind


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
