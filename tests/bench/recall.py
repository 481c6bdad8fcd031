"""How well is what people wrote found again? Words, vectors and both, over the labelled set in tests/recall."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagentd.embed.model import Model, load
from codeagentd.memory.candidates import Filters, by_vector, by_words, embedded, expression
from codeagentd.memory.import_export import Header, MemoryLine, imported
from codeagentd.memory.maintenance import fill
from codeagentd.memory.memory_store import MemoryStore, memory_store_at
from codeagentd.memory.ranking import RANKED, fused
from codeagentd.memory.vectors import known_vector
from codeagentd.model.embedding import Embedder, NoEmbedder
from codeagentd.query.retrieval.question import read
from tests.bench.corpora import CorpusMissing
from tests.bench.figures import Figure
from tests.harness.models import FOLDER, wanted

DATA: Final = Path(__file__).parents[1] / "recall"
FIRST: Final = 5

Ranking = Sequence[tuple[int, float]]


class Loaded:
    """A model in this process."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.model = model.version

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """One vector for each text."""
        return [vector.astype("<f4").tobytes() for vector in self._model.encode(texts)]


def lines_of(name: str) -> list[dict[str, Any]]:
    """One of the two files."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def rankings(memory_store: MemoryStore) -> Iterator[tuple[set[int], dict[str, Ranking]]]:
    """For each question its answers, and what each way of searching finds, best first."""
    with memory_store.store.read() as db:
        numbers: dict[str, int] = dict(
            db.all("memory.numbers_of", (json.dumps([f"memory:{n}" for n in range(len(lines_of("memories")))]),))
        )
        for line in lines_of("questions"):
            question = line["question"]
            words = by_words(db, expression(read(question)), Filters()).ranked
            near = by_vector(db, known_vector(db, *embedded(memory_store.embedder, question)), Filters())
            both = fused(words, near or None)
            ranked = sorted(both.items(), key=lambda one: (-one[1], one[0]))
            yield (
                {numbers[f"memory:{answer}"] for answer in line["answers"]},
                {"words": words, "vectors": near, "both": ranked},
            )


def measured(folder: Path, embedder: Embedder | None = None) -> dict[str, tuple[float, float]]:
    """(recall of the first five, mean reciprocal rank) of each way, in a file."""
    memory_store = memory_store_at(folder, "shop", embedder or NoEmbedder())
    found = measured_in(memory_store)
    memory_store.store.close()
    return found


def measured_in(memory_store: MemoryStore) -> dict[str, tuple[float, float]]:
    """(recall of the first five, mean reciprocal rank) of each way, in an empty database."""
    memories = (
        MemoryLine(id=f"memory:{n}", type="knowledge", content=line["text"], created_at=1.0, updated_at=1.0)
        for n, line in enumerate(lines_of("memories"))
    )
    imported(memory_store, (msgspec.json.encode(line) for line in (Header(), *memories)))
    fill(memory_store)
    found: dict[str, list[tuple[float, float]]] = {}
    for answers, ways in rankings(memory_store):
        for way, ranked in ways.items():
            order = [number for number, _ in ranked[:RANKED]]
            share = len(answers & set(order[:FIRST])) / len(answers)
            found.setdefault(way, []).append(
                (share, next((1 / place for place, number in enumerate(order, 1) if number in answers), 0.0))
            )
    return {
        way: (sum(one[0] for one in pairs) / len(pairs), sum(one[1] for one in pairs) / len(pairs))
        for way, pairs in found.items()
    }


def model(folder: Path) -> Loaded:
    """The model beside the checkout."""
    return Loaded(load(wanted(folder)))


def recall(_rounds: int) -> Iterator[Figure]:
    """The figures of the three ways."""
    if not FOLDER.is_dir():
        raise CorpusMissing("there is no model beside the checkout")
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), model(Path(folder)))
    for way, (share, rank) in found.items():
        yield Figure("recall", f"recall@{FIRST}, {way}", share, "")
        yield Figure("recall", f"MRR, {way}", rank, "")
    lost = sum(found["both"][which] <= found[way][which] for way in ("words", "vectors") for which in (0, 1))
    yield Figure("recall", "comparisons that both together lose", lost, "", 0)
