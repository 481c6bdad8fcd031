"""Threads for blocking work."""

from __future__ import annotations

import asyncio
import threading

import pytest

from codeagentd.serve.thread_pool import ThreadPool


def test_work_runs_in_another_thread_and_its_result_comes_back():
    async def main() -> int:
        return await ThreadPool().run(threading.get_ident)

    assert asyncio.run(main()) != threading.get_ident()


def test_an_error_belongs_to_whoever_waits():
    async def main() -> None:
        await ThreadPool().run(lambda: {}["x"])

    with pytest.raises(KeyError):
        asyncio.run(main())


def test_waiting_work_runs_side_by_side_up_to_the_number_of_lanes():
    pool, gate = ThreadPool(3), threading.Barrier(3, timeout=10)

    async def main() -> list[int]:
        return await asyncio.gather(*(pool.run(gate.wait) for _ in range(3)))

    assert sorted(asyncio.run(main())) == [0, 1, 2]


def test_work_beyond_the_number_of_lanes_waits_its_turn():
    pool = ThreadPool(2)

    async def main() -> set[str]:
        return set(await asyncio.gather(*(pool.run(lambda: threading.current_thread().name) for _ in range(50))))

    assert asyncio.run(main()) <= {"pool-1", "pool-2"}


def test_an_idle_lane_is_used_again():
    pool = ThreadPool()

    async def main() -> list[str]:
        names = []
        for _ in range(20):
            names.append(await pool.run(lambda: threading.current_thread().name))
            await pool.run(lambda: None)
        return names

    assert (
        len(set(asyncio.run(main()))) <= 10
    )  # of 40 calls; a busy machine starts another before one says that it is idle


def test_a_cancelled_caller_does_not_hurt_the_lane():
    pool, go = ThreadPool(1), threading.Event()

    async def main() -> str:
        waiting = asyncio.ensure_future(pool.run(go.wait))
        await asyncio.sleep(0)
        waiting.cancel()
        go.set()
        return await pool.run(lambda: "next")

    assert asyncio.run(main()) == "next"


def test_where_no_further_thread_can_be_started_those_that_are_there_do_the_work(monkeypatch: pytest.MonkeyPatch):
    pool = ThreadPool()

    async def main() -> list[str]:
        await pool.run(lambda: None)
        monkeypatch.setattr(threading.Thread, "start", no_thread)
        return await asyncio.gather(*(pool.run(lambda: threading.current_thread().name) for _ in range(20)))

    assert set(asyncio.run(main())) == {"pool-1"}


def no_thread(self: threading.Thread) -> None:
    """As under a limit of processes and threads."""
    raise RuntimeError("can't start new thread")
