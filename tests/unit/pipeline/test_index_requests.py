"""Calls of index_files on their way through the indexer's thread."""

from __future__ import annotations

import threading

import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.pipeline.engine import index_requests
from codeagentd.pipeline.engine.index_requests import FileRequests


@pytest.fixture
def first_done() -> threading.Event:
    return threading.Event()


def test_a_call_is_refused_while_the_first_index_is_being_made(
    first_done: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_requests, "PATIENCE_S", 0.01)
    requests = FileRequests(first_done, lambda: None)
    with pytest.raises(EngineUnavailable, match="first index"):
        requests.run(["a.py"], b"", 0)
    assert not requests


def test_calls_are_answered_in_the_order_in_which_they_came(first_done: threading.Event) -> None:
    first_done.set()
    woken, answers = threading.Semaphore(0), []
    requests = FileRequests(first_done, woken.release)
    callers = [
        threading.Thread(target=lambda path=path: answers.append((path, requests.run([path], b"", 0))), daemon=True)
        for path in ("a.py", "b.py")
    ]
    for caller in callers:
        caller.start()
        assert woken.acquire(timeout=10)
    for path in ("a.py", "b.py"):
        request = requests.first
        assert request is not None
        assert request.paths == [path]
        request.answer = b'{"indexed":1,"errors":[]}'
        request.done.set()
        requests.drop_first()
    for caller in callers:
        caller.join(10)
    assert sorted(answers) == [(path, {"indexed": 1, "errors": []}) for path in ("a.py", "b.py")]
    assert requests.first is None


def test_a_call_that_waits_when_the_engine_ends_is_told_so(first_done: threading.Event) -> None:
    first_done.set()

    def end() -> None:
        requests.close()

    requests = FileRequests(first_done, end)
    with pytest.raises(EngineUnavailable, match="shutting down"):
        requests.run(["a.py"], b"", 0)
