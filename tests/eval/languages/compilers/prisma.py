"""Definitions by a parser of Prisma, the npm package `@mrleebo/prisma-ast`; NODE_PATH names the folder that has it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Definition
from tests.eval.languages.node_scripts import answer

TOOL: Final = "@mrleebo/prisma-ast"


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield what the parser finds, with the types of its nodes. Errors: FileNotFoundError without node or the package."""
    sources = {path: (root / path).read_text(errors="replace") for path in paths}
    for path, line, name, kind in json.loads(answer(Path(__file__).with_suffix(".mjs"), json.dumps(sources))):
        yield Definition(path, line, name), kind
