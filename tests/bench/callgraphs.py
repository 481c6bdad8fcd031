"""Call edges of Python, judged by PyCG's micro-benchmark: `python -m tests.bench.callgraphs CLONE [--wrong] [--json OUT]`.

CLONE is a clone of github.com/vitsalis/PyCG; each directory below its `micro-benchmark/snippets` with a `callgraph.json` is a snippet: a program,
and the pairs of caller and callee that running it makes. Each is indexed by the engine, and asked for the callees of every definition and
module, as get_callees answers: calls, constructions, and calls through overriding. A decorator that is applied counts as called.

Counted are pairs of definitions, also those of other packages; code outside of functions is called by its module. Not counted are:
- callees that are built into the language: they are no symbols of the graph;
- lambdas: they are no symbols either. The calls in a lambda belong to the definition around it, so that such an edge is neither right nor wrong;
- edges to a class: the benchmark counts its constructor, where it has one, and the graph has an edge to each.

Source: V. Salis et al., "PyCG: Practical Call Graph Generation in Python", ICSE 2021.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagentd.model.kinds import Confidence, SymbolKind
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.query.graph.edges import CALLEES, bits, neighbours
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

PATIENCE_S: Final = 60.0
MOST: Final = 1_000  # edges of one definition
QUESTION: Final = msgspec.structs.replace(CALLEES, kinds=CALLEES.kinds | bits("decorates"), external=True)
CALLED: Final = frozenset(
    kind.label
    for kind in (
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.PROPERTY,
        SymbolKind.EXTERNAL,
    )
)
COUNTED: Final = frozenset({Confidence.EXACT.label, Confidence.INFERRED.label})

Pair = tuple[str, str]


class Snippet(NamedTuple):
    """A program of the benchmark, and the pairs that running it makes."""

    category: str
    root: Path
    truth: dict[str, list[str]]

    @property
    def counted(self) -> set[Pair]:
        """The pairs that are counted."""
        return {
            (caller, callee)
            for caller, callees in self.truth.items()
            for callee in callees
            if not is_left_out(caller) and not is_left_out(callee)
        }

    @property
    def left_out(self) -> int:
        """The number of pairs that are not counted."""
        return sum(map(len, self.truth.values())) - len(self.counted)

    @property
    def of_lambdas(self) -> set[str]:
        """What lambdas call."""
        return {callee for caller, callees in self.truth.items() if is_left_out(caller) for callee in callees}


class Score:
    """The answers about some snippets, against their pairs."""

    def __init__(self) -> None:
        self.snippets = self.pairs = self.left_out = 0
        self.found = self.answered = self.found_exact = self.answered_exact = 0

    def add(self, snippet: Snippet, edges: dict[Pair, str]) -> None:
        """Count the answers about one snippet."""
        truth, of_lambdas = snippet.counted, snippet.of_lambdas
        judged = {pair: word for pair, word in edges.items() if pair in truth or pair[1] not in of_lambdas}
        exact = {pair for pair, word in judged.items() if word == Confidence.EXACT.label}
        self.snippets += 1
        self.pairs += len(truth)
        self.left_out += snippet.left_out
        self.found += len(truth & judged.keys())
        self.answered += len(judged)
        self.found_exact += len(truth & exact)
        self.answered_exact += len(exact)

    def join(self, other: Score) -> None:
        """Add the counts of another category."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def as_json(self) -> dict[str, float]:
        """The figures by name; shares of 1."""
        return {
            "snippets": self.snippets,
            "pairs": self.pairs,
            "left_out": self.left_out,
            "recall": self.found / max(1, self.pairs),
            "precision": self.found / max(1, self.answered),
            "exact_recall": self.found_exact / max(1, self.pairs),
            "exact_precision": self.found_exact / max(1, self.answered_exact),
            "wrong": self.answered - self.found,
            "wrong_exact": self.answered_exact - self.found_exact,
        }


def is_left_out(name: str) -> bool:
    """Whether a name of the benchmark is no symbol of the graph: it is built in, or a lambda."""
    return name.startswith("<") or "<lambda" in name


def snippets_of(clone: Path) -> Iterator[Snippet]:
    """List the snippets of a clone."""
    top = clone / "micro-benchmark" / "snippets"
    for path in sorted(top.rglob("callgraph.json")):
        yield Snippet(path.relative_to(top).parts[0], path.parent, json.loads(path.read_text(encoding="utf-8")))


def edges_of(db: Database) -> dict[Pair, str]:
    """The edges of the graph by caller and callee, each with the most certain confidence."""
    edges: dict[Pair, str] = {}
    uids = [uid for (uid,) in db.connection.execute("SELECT uid FROM symbols WHERE id > 0 AND file > 0")]
    for uid in uids:
        row = db.row("symbols.by_uid", (uid,))
        assert row is not None
        subject = Subject(*row)
        for edge in neighbours(db, subject, QUESTION, None, MOST).items:
            if edge.node_type in CALLED and edge.confidence in COUNTED:
                pair = (subject.qualified_name, edge.qualified_name)
                edges[pair] = min(edges.get(pair, edge.confidence), edge.confidence)  # exact precedes inferred
    return edges


def judged(snippets: Iterable[Snippet]) -> Iterator[tuple[Snippet, dict[Pair, str]]]:
    """Index one snippet after the other with one engine, and list each with the edges of the graph."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "snippet")
        root.mkdir()
        engine = IndexingEngine(root, Path(place, "index"), Path(place, "blobs"), use_watcher=False)
        engine.start()
        try:
            for snippet in snippets:
                shutil.rmtree(root)
                shutil.copytree(snippet.root, root, ignore=shutil.ignore_patterns("*.json", "*.md"))
                engine.request_scan()
                assert engine.wait_caught_up(PATIENCE_S), f"{snippet.root} was not indexed"
                with engine.readers.read() as db:
                    yield snippet, edges_of(db)
        finally:
            engine.close(10)


HEADING: Final = (
    "| category | snippets | pairs | left out | recall | precision | exact alone: recall | precision |\n"
    "|---|---|---|---|---|---|---|---|"
)


def table(scores: dict[str, Score]) -> Iterator[str]:
    """List the rows of a Markdown table."""
    for category, score in scores.items():
        one = score.as_json()
        precision = f"{one['precision']:.1%}" if score.answered else "-"
        exact = f"{one['exact_precision']:.1%}" if score.answered_exact else "-"
        yield (
            f"| {category} | {score.snippets} | {score.pairs} | {score.left_out} | {one['recall']:.1%} | {precision}"
            f" | {one['exact_recall']:.1%} | {exact} |"
        )


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, help="a clone of github.com/vitsalis/PyCG")
    parser.add_argument("--wrong", action="store_true", help="list the pairs that are missed or invented")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    scores: dict[str, Score] = defaultdict(Score)
    for snippet, edges in judged(snippets_of(arguments.clone)):
        scores[snippet.category].add(snippet, edges)
        if arguments.wrong:
            truth, of_lambdas = snippet.counted, snippet.of_lambdas
            name = f"{snippet.category}/{snippet.root.name}"
            for caller, callee in sorted(truth - edges.keys()):
                print(f"missed   {name}: {caller} -> {callee}")
            for caller, callee in sorted(pair for pair in edges if pair not in truth and pair[1] not in of_lambdas):
                print(f"invented {name}: {caller} -> {callee} ({edges[caller, callee]})")
    whole = Score()
    for score in scores.values():
        whole.join(score)
    print(HEADING)
    print("\n".join(table({**scores, "all": whole})))
    if arguments.json:
        figures = {category: score.as_json() for category, score in {**scores, "all": whole}.items()}
        arguments.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
