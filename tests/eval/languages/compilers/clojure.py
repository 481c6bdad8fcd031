"""Definitions of Clojure by its own reader."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Definition

TOOL: Final = "Clojure 1.11.1"
SCRIPT: Final = Path(__file__).with_suffix(".clj")
# where Debian's package `clojure` has it
CLASSES: Final = ":".join(f"/usr/share/java/{name}.jar" for name in ("clojure", "spec.alpha", "core.specs.alpha"))


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield what the forms of the files define, also in branches of reader conditionals. What the reader cannot read
    counts for nobody up to there.
    """
    done = subprocess.run(
        ["java", "-cp", CLASSES, "clojure.main", str(SCRIPT)],
        cwd=root,
        input="\n".join(paths),
        capture_output=True,
        text=True,
        check=True,
    )
    for kind, name, path, line in (row.split("\t") for row in done.stdout.splitlines()):
        if kind != "failed":
            yield Definition(path, _line(root / path, name, int(line)), name), kind


def _line(path: Path, name: str, first: int) -> int:
    """The line of a name, which may be below that of its form, the only one that the reader knows."""
    lines = path.read_text(errors="replace").splitlines()
    named = re.compile(rf"(?<![^\s(){{}}\[\]\"']){re.escape(name)}(?![^\s(){{}}\[\]\"'])")
    return next(
        (line for line in range(first, min(first + 12, len(lines) + 1)) if named.search(lines[line - 1])), first
    )
