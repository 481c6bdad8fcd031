"""Bad input: one member that 10,000 others override and 1,000 functions call. Answers are bounded, counted and say so."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.query.graph.edges import CALLEES, CALLERS, IMPLEMENTATIONS, neighbours
from codeagentd.query.graph.impact import REACHED, reached_from
from codeagentd.query.graph.traversal import steps
from codeagentd.query.symbols.name_resolution import resolve
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex

OVERRIDERS: Final = 10_000
USERS: Final = 1_000
SECONDS: Final = 3.0  # of CPU time, ten times what an answer takes: every pair of both would take a minute


class Crowd:
    """`Base.run`, the members that override it, and the functions that call it."""

    def __init__(self, index: SampleIndex) -> None:
        self.index = index
        file = index.file("m.py")
        index.begin()
        module = index.symbol(file, "m", SymbolKind.MODULE)
        parent = index.symbol(file, "m.Base", SymbolKind.CLASS, module)
        self.base = index.symbol(file, "m.Base.run", SymbolKind.METHOD, parent, (2, 2))
        self.overriders = []
        for number in range(OVERRIDERS):
            line = 10 * number + 10
            heir = index.symbol(file, f"m.H{number}", SymbolKind.CLASS, module, (line, line + 2))
            member = index.symbol(file, f"m.H{number}.run", SymbolKind.METHOD, heir, (line + 1, line + 2))
            index.override(member, self.base)
            self.overriders.append(member)
        self.users = [
            index.symbol(file, f"m.use{number}", SymbolKind.FUNCTION, module, (200_000 + number, 200_000 + number))
            for number in range(USERS)
        ]
        for number, user in enumerate(self.users):
            index.reference(user, self.base, line=200_000 + number)
        index.commit()


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Crowd:
    return Crowd(SampleIndex(tmp_path_factory.mktemp("crowd") / "index.db"))


@pytest.fixture
def graph(crowd: Crowd) -> Iterator[Database]:
    with crowd.index.readers().read() as database:
        yield database


@pytest.fixture(autouse=True)
def bounded(crowd: Crowd) -> Iterator[None]:
    started = time.thread_time()
    yield
    assert time.thread_time() - started < SECONDS


def test_every_member_has_the_callers_of_the_one_that_it_overrides(crowd: Crowd, graph: Database) -> None:
    subject = resolve(graph, "m.H7.run")
    part = neighbours(graph, subject, CALLERS, None, USERS)
    found = {item.qualified_name for item in part.items}
    after = part.after
    while after:
        more = neighbours(graph, subject, CALLERS, after, USERS)
        found |= {item.qualified_name for item in more.items}
        after = more.after
    assert found == {f"m.use{number}" for number in range(USERS)}
    assert part.note == f"{USERS} calls go through m.Base.run, which this overrides, and may land here"


def test_the_callees_and_implementations_come_in_pages_and_are_counted(crowd: Crowd, graph: Database) -> None:
    part = neighbours(graph, resolve(graph, "m.use0"), CALLEES, None, 100)
    assert len(part.items) == 100
    assert part.after is not None
    assert part.note == f"m.Base.run is overridden by {OVERRIDERS} members: a call may land there"
    part = neighbours(graph, resolve(graph, "m.Base.run"), IMPLEMENTATIONS, None, 100)
    assert len(part.items) == 100
    assert part.after is not None


def test_a_step_from_all_members_does_not_multiply_the_calls(crowd: Crowd, graph: Database) -> None:
    members = crowd.overriders[:2_000]
    found = steps(graph, members, forward=False, pairs=False)
    assert len(found) == USERS + len(members) - 1
    assert {step.end for step in found} == set(crowd.users), "each caller is reached"
    assert {step.start for step in found} == set(members), "each member has a caller"


@pytest.mark.parametrize("size", [1, 3, 20])
def test_such_a_step_reaches_what_all_pairs_reach(crowd: Crowd, graph: Database, size: int) -> None:
    members = crowd.overriders[:size]
    every = steps(graph, members, forward=False)
    some = steps(graph, members, forward=False, pairs=False)
    assert set(some) <= set(every)
    assert {step.end for step in some} == {step.end for step in every}
    assert {step.start for step in some} == {step.start for step in every}


@pytest.mark.parametrize("forward", [True, False])
def test_what_a_change_affects_is_cut_and_said_to_be(crowd: Crowd, graph: Database, forward: bool) -> None:
    start = [crowd.users[0]] if forward else [crowd.base]
    reached, note = reached_from(graph, start, forward, 5)
    assert len(reached) == REACHED
    assert note == f"only {REACHED:,} symbols are told: there are more at a distance of 1"


def test_a_change_of_all_members_affects_the_callers_of_the_one_that_they_override(
    crowd: Crowd, graph: Database
) -> None:
    reached, note = reached_from(graph, crowd.overriders, False, 3, followed=20_000)
    assert {item.symbol for item in reached} == set(crowd.users)
    assert note == ""
    _, note = reached_from(graph, crowd.overriders, False, 3)
    assert note == f"only nearer than 1 steps: {OVERRIDERS:,} symbols are too many to follow"
