"""Answers that rest on each other are the same whatever was asked first, and are found in time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.resolve.query_cache import Dependencies, QueryCache, QueryState

MOST = 60


class Maze:
    """Rooms with doors; the question is whether a treasure can be reached from a room. `looks` counts how often one is looked into."""

    def __init__(self, doors: dict[int, list[int]], treasures: set[int]) -> None:
        self.doors, self.treasures = doors, treasures
        self.memory = QueryState()
        self.known = QueryCache[int, bool](self.memory)
        self.looks = 0

    def ask(self, room: int) -> bool:
        return self.known.get_or_compute(room, False, self._look, room)

    def _look(self, room: int) -> bool:
        self.looks += 1
        self.memory.record(room, "treasure")
        return room in self.treasures or any([self.ask(door) for door in self.doors.get(room, ())])  # noqa: C419 - all doors are tried

    def reachable(self, room: int) -> set[int]:
        seen, waiting = {room}, [room]
        for one in waiting:
            waiting += [door for door in self.doors.get(one, ()) if door not in seen and not seen.add(door)]  # type: ignore[func-returns-value]
        return seen

    def truth(self, room: int) -> bool:
        return bool(self.reachable(room) & self.treasures)


rooms = st.integers(0, 7)


@given(
    st.dictionaries(rooms, st.lists(rooms, max_size=4)),
    st.sets(rooms, max_size=2),
    st.lists(rooms, min_size=1, max_size=12),
)
def test_an_answer_does_not_depend_on_what_was_asked_before(
    doors: dict[int, list[int]], treasures: set[int], asked: list[int]
) -> None:
    maze = Maze(doors, treasures)
    for room in asked:
        assert maze.ask(room) == maze.truth(room)
    assert not maze.memory.provisional


@given(
    st.dictionaries(rooms, st.lists(rooms, max_size=4)),
    st.lists(rooms, min_size=1, max_size=12),
)
def test_an_answer_depends_on_all_that_it_was_computed_from_whoever_asked_first(
    doors: dict[int, list[int]], asked: list[int]
) -> None:
    maze = Maze(doors, set())
    for room in asked:
        with maze.memory.recording() as dependencies:
            maze.ask(room)
        assert dependencies.members() == {(other, "treasure") for other in maze.reachable(room)}


def test_what_is_read_outside_of_a_recording_is_not_kept() -> None:
    maze = Maze({1: [2]}, set())
    maze.ask(1)
    with maze.memory.recording() as dependencies:
        pass
    maze.ask(2)
    assert not dependencies.members()
    assert not maze.memory.reads


def test_rooms_that_all_lead_to_each_other_are_looked_into_once_for_each_question() -> None:
    maze = Maze({room: list(range(MOST)) for room in range(MOST)}, set())
    assert not any(maze.ask(room) for room in range(MOST))
    assert maze.looks <= MOST * MOST


def test_what_is_found_is_kept_and_what_failed_is_asked_again() -> None:
    table, looks = QueryCache[str, int](QueryState()), list[int]()
    for _ in range(3):
        assert table.get_or_compute("a", 0, lambda: looks.append(1) or 7) == 7  # type: ignore[func-returns-value]
    assert len(looks) == 1
    for _ in range(2):
        try:
            table.get_or_compute("b", 0, lambda: 1 // 0)
        except ZeroDivisionError:
            looks.append(2)
    assert looks == [1, 2, 2]
    assert table.get_or_compute("b", 0, lambda: 8) == 8


def test_a_failure_leaves_no_doubt_behind() -> None:
    memory = QueryState()
    table = QueryCache[str, int](memory)

    def fails() -> int:
        assert table.get_or_compute("b", 0, lambda: table.get_or_compute("a", 0, fails) + 1) == 1
        assert memory.provisional
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        table.get_or_compute("a", 0, fails)
    assert not memory.provisional
    assert not memory.open
    assert table.get_or_compute("a", 0, lambda: table.get_or_compute("b", 0, lambda: 5)) == 5


def test_a_member_that_is_near_is_found_without_looking_at_a_long_chain_of_results() -> None:
    chain = Dependencies([(0, "member")])
    for number in range(1, 5_000):
        chain = Dependencies([(number, "member"), chain])
    each = chain.each_member()
    assert next(each) == (4_999, "member")
    assert len(chain.members()) == 5_000
