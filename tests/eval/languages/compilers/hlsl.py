"""Definitions by universal-ctags, which takes HLSL for C++ once the semantics are gone: `float4 main() : SV_Target`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages import ctags
from tests.eval.languages.facts import Definition

TOOL: Final = f"{ctags.version()} (as C++ without semantics)"
_SEMANTICS: Final = re.compile(r":[ \t]*[A-Za-z_]\w*(?:\([^()\n]*\))?(?=\s*[;,){\n])")


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield what ctags finds in a copy of the files."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary)
        for path in paths:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_text(_SEMANTICS.sub("", (root / path).read_text(errors="replace")))
        yield from ctags.definitions(copy, paths, "C++", all_kinds=True)
