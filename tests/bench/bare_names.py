"""How often a type is answered about by its bare name: `python -m tests.bench.bare_names CLONE… [--types 100]`.

Of each clone, every n-th public type of product code by name is asked about through a daemon and a window, with three tools. A row is a clone: the share of
questions that were answered and not refused, by tool, and the share of descriptions that were of a type of the name. Refusals are printed.
Clones are only read.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import is_product
from codeagentd.model.ids import node_id
from codeagentd.model.kinds import SymbolFlag, SymbolKind
from tests.harness.window import Window
from tests.harness.world import World

TOOLS: Final = {"get_implementations": "node_id", "get_references": "node_id", "describe_symbol": "symbol"}
KINDS: Final = (
    SymbolKind.CLASS,
    SymbolKind.INTERFACE,
    SymbolKind.STRUCT,
    SymbolKind.ENUM,
    SymbolKind.TYPE,
    SymbolKind.RECORD,
    SymbolKind.TRAIT,
)
PUBLIC: Final = (
    f"SELECT s.name, s.uid, f.path FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 AND s.flags & {int(SymbolFlag.PUBLIC_API)} AND f.generated = 0 "
    f"AND s.kind IN ({', '.join(str(int(kind)) for kind in KINDS)})"
)
TARGET: Final = 0.98


class Drawn(NamedTuple):
    """A name that is asked about, and the types of the product that have it."""

    name: str
    nodes: frozenset[str]


class Tally(NamedTuple):
    """What became of the questions: by tool, how many were answered; how many descriptions were of a type that was drawn; the refusals."""

    types: int
    answered: dict[str, int]
    exact: int
    refused: list[str]

    @property
    def share(self) -> float:
        """The share of all questions that were answered."""
        return sum(self.answered.values()) / max(1, self.types * len(TOOLS))


def drawn(index: Path, count: int) -> list[Drawn]:
    """Every n-th public type of product code, by name: `count` of them, or all."""
    every: dict[str, set[str]] = defaultdict(set)
    with sqlite3.connect(f"file:{index}?mode=ro", uri=True) as database:
        for name, uid, path in database.execute(PUBLIC):
            if is_product(path):
                every[name].add(node_id(uid))
    names = sorted(every)
    step = max(1.0, len(names) / count)
    return [
        Drawn(name, frozenset(every[name])) for name in (names[int(at * step)] for at in range(min(count, len(names))))
    ]


def tally(window: Window, types: Sequence[Drawn]) -> Tally:
    """Ask about each type with each tool."""
    answered, exact, refused = dict.fromkeys(TOOLS, 0), 0, []
    for tool, parameter in TOOLS.items():
        for one in types:
            answer = window.call(tool, {parameter: one.name})
            if answer.failed:
                refused.append(f"{tool} {one.name}: {answer.data['error']['message']}")
                continue
            answered[tool] += 1
            exact += answer.data.get("node_id") in one.nodes
    return Tally(len(types), answered, exact, refused)


def measured(clones: Sequence[Path], count: int) -> Iterator[tuple[str, Tally]]:
    """One clone after the other, each with a daemon of its own."""
    for clone in clones:
        with World() as world:
            world.index(clone)
            (index,) = (world.base / "cache" / "worktrees").glob("*/index.db")
            yield clone.name, tally(world.connect(clone, "--toolsets", "all"), drawn(index, count))


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--types", type=int, default=100, metavar="N", help="types asked about of each clone")
    asked = parser.parse_args()
    print(
        f"{'':6}{'clone':<24}{'types':>6}{'all':>8}"
        + "".join(f"{tool:>21}" for tool in TOOLS)
        + f"{'of such a type':>15}"
    )
    for name, found in measured([clone.resolve() for clone in asked.clones], asked.types):
        shares = "".join(f"{count / found.types:>21.1%}" for count in found.answered.values())
        print(
            f"{'PASS' if found.share >= TARGET else 'MISS':<6}{name:<24}{found.types:>6}{found.share:>8.1%}{shares}{found.exact / found.types:>15.1%}",
            flush=True,
        )
        print(*(f"      refused: {one}" for one in found.refused), sep="\n")


if __name__ == "__main__":
    main()
