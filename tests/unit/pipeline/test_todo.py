"""Which jobs a worker is given next."""

from __future__ import annotations

from typing import cast

from codeagentd.pipeline.workers.messages import LinkJob
from codeagentd.pipeline.workers.pool import Todo, WorkerProcess


class Hands:
    """What `Todo` wants to know of a worker."""

    def __init__(self, *done: str, backwards: bool = False) -> None:
        self.done = set(done)
        self.backwards = backwards


def taken_paths(todo: Todo, hands: Hands) -> list[str]:
    return [job.path for job in todo.take(cast(WorkerProcess, hands))]


def jobs(paths: str) -> list[LinkJob]:
    return [LinkJob(number, path) for number, path in enumerate(paths)]


def test_one_worker_begins_at_the_start_and_the_others_at_the_end() -> None:
    todo = Todo(jobs("abcdef"), 2)
    first, second = Hands(), Hands(backwards=True)
    assert [taken_paths(todo, hands) for hands in (first, second, second, first)] == [
        ["a", "b"],
        ["f", "e"],
        ["d", "c"],
        [],
    ]


def test_a_worker_is_given_what_it_remembers_before_anything_else() -> None:
    first, second = Hands("c", "d", "e"), Hands("a", backwards=True)
    todo = Todo(jobs("abcdef"), 2, cast(list[WorkerProcess], [first, second]))
    assert [taken_paths(todo, hands) for hands in (first, first, first, second, second)] == [
        ["c", "d"],
        ["e"],
        ["a", "b"],
        ["f"],
        [],
    ]


def test_what_a_dead_worker_left_is_given_again() -> None:
    todo = Todo(jobs("ab"), 2)
    left = todo.take(cast(WorkerProcess, Hands()))
    todo.put_back(left)
    assert taken_paths(todo, Hands()) == ["a", "b"]
