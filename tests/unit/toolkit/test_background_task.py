"""Work that goes on beside the one that wants it, and what becomes of it."""

from __future__ import annotations

import threading

import pytest

from codeagentd.toolkit.background_task import Meanwhile


def test_the_work_is_done_by_another_thread_while_nobody_asks() -> None:
    begun = threading.Event()
    Meanwhile(begun.set)
    assert begun.wait(10)
    assert Meanwhile(threading.get_ident).result() != threading.get_ident()


def test_the_result_can_be_asked_for_again_and_may_be_none() -> None:
    work = Meanwhile(lambda: None)
    assert work.result() is None
    assert work.result() is None


def test_what_the_work_raises_meets_who_asks() -> None:
    work: Meanwhile[float] = Meanwhile(lambda: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            work.result()
