"""The queue between the watcher, the indexer and those who wait."""

from __future__ import annotations

import threading

from codeagentd.pipeline.changes.pending_changes import PendingChanges


def test_somebody_who_waits_gets_the_batch_started_at_once() -> None:
    pending = PendingChanges()
    pending.note({"a.py"})
    batches = []

    def index() -> None:
        work = pending.take(5.0)
        assert work is not None
        batches.append(work.paths)
        pending.done(work)

    thread = threading.Thread(target=index)
    thread.start()
    assert pending.wait(5.0)
    thread.join()
    assert batches == [{"a.py"}]


def test_a_change_noted_during_a_batch_is_not_covered_by_it() -> None:
    pending = PendingChanges()
    pending.note({"a.py"})
    pending.wake()
    work = pending.take(1.0)
    assert work is not None
    pending.note({"b.py"})
    pending.done(work)
    assert not pending.caught_up
    assert pending.count == 1
    assert not pending.wait(0.0)


def test_work_that_is_given_back_is_due_again() -> None:
    pending = PendingChanges()
    pending.note({"a.py"}, rescan=True)
    pending.wake()
    work = pending.take(1.0)
    assert work is not None
    pending.requeue(work)
    again = pending.take(1.0)
    assert again is not None
    assert (again.paths, again.rescan) == ({"a.py"}, True)
    assert not pending.caught_up


def test_closing_wakes_everybody() -> None:
    pending = PendingChanges()
    pending.note({"a.py"})
    waiter = threading.Thread(target=pending.wait, args=(60.0,))
    waiter.start()
    pending.close()
    waiter.join(5.0)
    assert not waiter.is_alive()
    assert pending.take(60.0) is None
