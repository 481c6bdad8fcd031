"""How long an open window waits for an answer while a newer version takes over with an index that has to be migrated and read again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from tests.bench import corpora
from tests.bench.figures import Figure
from tests.harness.upgrade import MIGRATION, VERSION, Upgrade
from tests.harness.window import Answer
from tests.harness.world import World

READ_AGAIN = f"{MIGRATION} UPDATE files SET digest = NULL WHERE language IS NOT NULL AND id > 0; DELETE FROM times;"
LONGEST_S = 300.0


class Course(NamedTuple):
    """One upgrade: seconds until the newer daemon serves, of the longest answer, and of all answers from an index that was behind."""

    taken_over_s: float
    longest_s: float
    behind_s: float


def course(name: str) -> Course:
    """Ask without a pause from before a newer window comes until the newer daemon has caught up."""
    with World() as world:
        repo = corpora.repository(world, name)
        world.index(repo)
        window = world.connect(repo)
        window.must("search_symbols", {"query": "QuerySet"})
        upgrade = Upgrade(world, repo, READ_AGAIN)
        started = time.perf_counter()
        world.window(repo, PYTHONPATH=upgrade.path)
        answers: list[Answer] = []
        taken_over = 0.0
        while time.perf_counter() - started < LONGEST_S and not (taken_over and answers[-1].watermark["caught_up"]):
            answers.append(window.must("search_symbols", {"query": "QuerySet"}))
            if not taken_over and upgrade.status().get("version") == VERSION:
                taken_over = time.perf_counter() - started
                answers.append(window.must("search_symbols", {"query": "QuerySet"}))
        behind = sum(answer.seconds for answer in answers if not answer.watermark["caught_up"])
        return Course(taken_over, max(answer.seconds for answer in answers), behind)


def upgrades(_rounds: int) -> Iterator[Figure]:
    """Django, once."""
    found = course("django")
    yield Figure(
        "upgrades", "newer daemon serves", found.taken_over_s, "s", detail="a migration has every file read again"
    )
    yield Figure("upgrades", "longest answer meanwhile", found.longest_s, "s", 1.0)
    yield Figure("upgrades", "answers that were behind, together", found.behind_s, "s")
