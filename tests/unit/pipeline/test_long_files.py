"""What takes long to resolve waits until what the save defines is there to be found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.pipeline.batch import reference_writer
from codeagentd.pipeline.batch.reference_writer import ReferenceWriter
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

USERS = {f"user{at}.py": f"from shop import lend\n\n\ndef use{at}():\n    return lend()\n" for at in range(6)}
SHOP = "def lend():\n    return 1\n\n\ndef other():\n    return lend()\n"
Seen = list[tuple[set[str], bool]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What was committed before the rest is resolved: paths of files that are not resolved, and whether the index says
    that it has caught up.
    """
    result: Seen = []
    original = ReferenceWriter.resolve_marked

    def watched(self: ReferenceWriter, bulk: bool = False) -> None:
        files = {path for _, path in self._database.all("world.unresolved")}
        result.append((files, self._database.connection.in_transaction))
        original(self, bulk)

    monkeypatch.setattr(ReferenceWriter, "resolve_marked", watched)
    return result


@pytest.mark.parametrize(
    ("room", "waiting"),
    [(10_000, set()), (len(SHOP) + 60, {*USERS}), (20, {*USERS, "shop.py"})],
    ids=["all", "own", "none"],
)
def test_files_that_fit_are_resolved_with_the_save_and_others_after_it(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, seen: Seen, tmp_path: Path, room: int, waiting: set[str]
) -> None:
    bench = make_bench({"shop.py": SHOP, **USERS})
    monkeypatch.setattr(reference_writer, "RESOLVED_AT_ONCE_BYTES", room)
    seen.clear()
    bench.write("shop.py", SHOP.replace("lend", "borrow"))
    bench.catch_up()
    assert (waiting, False) in seen
    assert bench.stored.symbol("shop.borrow")
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert all(file.is_resolved for file in bench.stored.files(external=True) if file.names)
