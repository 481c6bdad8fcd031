"""Requests and answers between the daemon and its workers, when both have much to say at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import pytest

from codeagentd.base.limits import BULK_RESOLVE_FILES
from codeagentd.pipeline.engine import background_work
from codeagentd.pipeline.workers import pool
from codeagentd.pipeline.workers.messages import Linked, LinkJob
from tests.harness.waiting import comes
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

PROJECTS = 300
CALLS = 60
FULL = 4096  # bytes: the least that a pipe can hold


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes that are full soon, as they are between one large repository and a busy writer."""
    monkeypatch.setattr(pool, "PIPE_BYTES", FULL)


def test_many_projects_and_many_answers_do_not_wait_for_each_other(narrow: None, make_bench: Make) -> None:
    source = "".join(f"export function shelf{number}() {{}}\n" for number in range(CALLS)) + "".join(
        f"shelf{number}()\n" for number in range(CALLS)
    )
    files = {}
    for number in range(PROJECTS):
        folder = f"packages/{number:04}-{'x' * 200}"
        files |= {
            f"{folder}/package.json": json.dumps({"name": f"@library/{number:04}-{'y' * 100}"}),
            f"{folder}/index.ts": source,
        }
    bench = make_bench(files)
    assert resolved(bench, "typescript") == PROJECTS


def resolved(bench: Bench, language: str) -> int:
    """How many files of a language are resolved."""
    return sum(file.is_resolved for file in bench.stored.files(external=True) if file.language == language)


def test_a_file_that_costs_its_worker_while_it_is_resolved_costs_no_other(
    monkeypatch: pytest.MonkeyPatch, make_bench: Make
) -> None:
    usual = pool.Pool.link

    def without_the_first(workers: pool.Pool, jobs: Sequence[LinkJob], projects: bytes) -> Iterator[Linked]:
        yield from (answer for answer in [pool._nothing(jobs[0], "")] if isinstance(answer, Linked))
        yield from usual(workers, jobs[1:], projects)

    monkeypatch.setattr(pool.Pool, "link", without_the_first)
    bench = make_bench({f"shelf{number}.py": "def lend(): pass\nlend()\n" for number in range(BULK_RESOLVE_FILES + 1)})
    assert resolved(bench, "python") == BULK_RESOLVE_FILES + 1
    assert len(bench.stored.references()) == BULK_RESOLVE_FILES


def test_a_worker_waits_for_the_next_save_of_somebody_who_edits_and_leaves_with_them(
    monkeypatch: pytest.MonkeyPatch, make_bench: Make
) -> None:
    monkeypatch.setattr(background_work, "IDLE_S", 0.05)
    monkeypatch.setattr(background_work, "RESTING_S", 0.05)
    monkeypatch.setattr(background_work, "WORKER_IDLE_S", 0.1)
    bench = make_bench({"shelf.py": "def lend(): pass\n"})
    assert comes(lambda: not bench.engine.status().worker_pids)
    bench.write("shelf.py", "def lend(): return 1\n")
    bench.catch_up()
    (worker,) = bench.engine.status().worker_pids
    assert not comes(lambda: bench.engine.status().worker_pids != (worker,), 1.0)
    monkeypatch.setattr(background_work, "EDITING_S", 0.1)
    assert comes(lambda: not bench.engine.status().worker_pids)
