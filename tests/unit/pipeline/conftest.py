"""A small repository with an engine that sees changes when asked to."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.contents import content
from tests.harness.stored_rows import StoredRows, rows_of_engine

PATIENCE_S = 60.0


class Bench:
    """A repository, its engine, and questions to its index."""

    def __init__(self, root: Path, place: Path) -> None:
        self.root = root
        self.place = place
        self.engine = self.start()

    def start(self, **choices: object) -> IndexingEngine:
        """Begin with the index as it lies there."""
        # any of the engine's options, as the test chooses
        place = self.place
        self.engine = IndexingEngine(self.root, place, place, use_watcher=False, **choices)  # type: ignore[arg-type]
        self.engine.start()
        return self.engine

    def write(self, path: str, text: str) -> None:
        """Write a file of the repository."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def catch_up(self) -> None:
        """Compare with the disk and wait for the result."""
        self.engine.request_scan()
        assert self.engine.wait_caught_up(PATIENCE_S)

    def is_as_fresh(self, place: Path, table: str = "refs") -> bool:
        """Whether a table has the same content as in a new index, built at `place`."""
        fresh = Bench(self.root, place)
        fresh.catch_up()
        followed, rebuilt = content(self.engine.index_path)[table], content(fresh.engine.index_path)[table]
        fresh.engine.close(10)
        assert followed == rebuilt  # for pytest to tell them apart
        return True

    def follows(self, path: str, before: str, after: str, place: Path) -> bool:
        """Whether the index is as a fresh one once something in a file is something else, and once it is back; fresh
        ones are made below `place`.
        """
        text = (self.root / path).read_text()
        assert before in text
        for number, edition in enumerate((text.replace(before, after), text)):
            self.write(path, edition)
            self.catch_up()
            assert self.is_as_fresh(place / str(number))
        return True

    @property
    def stored(self) -> StoredRows:
        """What the index has stored, as of each question."""
        return rows_of_engine(self.engine)

    def uid(self, name: str) -> bytes:
        """The id of the one symbol with this qualified name."""
        return self.stored.symbol(name).uid


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def make(files: dict[str, str]) -> Bench:
        root = tmp_path / "repo"
        root.mkdir()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        benches.append(Bench(root, tmp_path / "index"))
        benches[-1].catch_up()
        return benches[-1]

    yield make
    for bench in benches:
        bench.engine.close(10)
