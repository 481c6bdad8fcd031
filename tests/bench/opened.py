"""References on receivers of unknown type: `python -m tests.bench.opened REPOSITORY… [--shown 8]`

Of each repository and language: references that lead to a definition of its own, those that stay open (a name is asked of something unknown, and some type here
has it), and what most of the open ones hang on. Compilers' truth does not count such places, so that nothing else shows what is missed there.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.connection import Database

PATIENCE_S: Final = 300.0
LEAST: Final = 50  # open references of a language that is told
LONGEST: Final = 100  # characters of a line that is shown
_RECEIVER: Final = re.compile(r"([\w$]+)(\([^()]*\)|\[[^\]]*\])?$")
_BY_LANGUAGE: Final = """
SELECT f.language, sum(r.target > 0), sum(r.target IS NULL) AS unknown FROM refs r JOIN files f ON f.id = r.id >> 20
GROUP BY 1 HAVING unknown >= ? ORDER BY unknown DESC
"""
_OPEN: Final = (
    "SELECT f.path, r.line, r.col FROM refs r JOIN files f ON f.id = r.id >> 20 WHERE r.target IS NULL ORDER BY r.id"
)


def receiver(line: str, col: int) -> str:
    """What a name hangs on that begins at a column: `shelf`, `lend()`, `shelves[]`; else the sign before it."""
    before = line[:col].rstrip("?.!>-:")
    found = _RECEIVER.search(before)
    return f"{found[1]}{(found[2] or '')[:1]}{(found[2] or '')[-1:]}" if found else before.strip()[-1:]


def show(root: Path, shown: int) -> None:
    """Index a repository and print what it holds."""
    with tempfile.TemporaryDirectory() as place:
        engine = IndexingEngine(root, Path(place), Path(place), use_watcher=False)
        engine.start()
        try:
            assert engine.wait_caught_up(PATIENCE_S)
            connection = Database(engine.index_path).connection
            for language, *counts in connection.execute(_BY_LANGUAGE, (LEAST,)):
                settled, unknown = (int(str(count)) for count in counts)
                print(
                    f"{root.name} {language}: {settled:,} lead to a definition, {unknown:,} are open, {unknown / (settled + unknown):.1%}"
                )
            places = [(str(path), int(str(line)), int(str(col))) for path, line, col in connection.execute(_OPEN)]
        finally:
            engine.close(10)
    counted, examples = Counter[str](), dict[str, str]()
    lines = {
        path: (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
        for path in {path for path, _, _ in places}
    }
    for path, number, col in places:
        line = lines[path][number - 1]
        hangs_on = receiver(line, col)
        counted[hangs_on] += 1
        examples.setdefault(hangs_on, f"{path}:{number}  {line.strip()[:LONGEST]}")
    for hangs_on, count in counted.most_common(shown):
        print(f"  {count:6,}  {hangs_on:20}  {examples[hangs_on]}")


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--shown", type=int, default=8)
    arguments = parser.parse_args()
    for root in arguments.repositories:
        show(root.resolve(), arguments.shown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
