"""Work that goes on beside the one that wants it, and what becomes of it."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from codeagentd.toolkit.background_task import run_in_background


def test_the_work_is_done_by_another_thread_while_nobody_asks() -> None:
    begun = threading.Event()
    run_in_background(begun.set)
    assert begun.wait(10)
    assert run_in_background(threading.get_ident).result() != threading.get_ident()


def test_the_result_can_be_asked_for_again_and_may_be_none() -> None:
    work = run_in_background(lambda: None)
    assert work.result() is None
    assert work.result() is None


def test_what_the_work_raises_meets_who_asks() -> None:
    work: Future[float] = run_in_background(lambda: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            work.result()
