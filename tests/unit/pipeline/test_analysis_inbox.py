"""Analyses on their way from the scheduler's thread to the indexer's."""

from __future__ import annotations

import threading

import pytest

from codeagentd.model.analysis import Analysis
from codeagentd.pipeline.graph.analysis_inbox import AnalysisInbox


class Sender:
    """A scheduler's thread that hands an analysis over."""

    def __init__(self, analysis: object) -> None:
        self.has_arrived, self.is_written = threading.Event(), threading.Event()
        self.inbox = AnalysisInbox(self.has_arrived.set)
        self._analysis = analysis
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()
        assert self.has_arrived.wait(10)

    def _send(self) -> None:
        self.inbox.hand_over(self._analysis)  # type: ignore[arg-type]  # the inbox does not look into it
        self.is_written.set()


def test_the_indexer_is_woken_and_the_sender_waits_until_its_analysis_is_written() -> None:
    analysis, written = object(), []

    def write(received: Analysis) -> None:
        assert not sender.is_written.is_set()
        written.append(received)

    sender = Sender(analysis)
    assert len(sender.inbox) == 1
    sender.inbox.write_next(write)
    assert sender.is_written.wait(10)
    assert written == [analysis]
    assert not sender.inbox


def test_an_analysis_that_cannot_be_written_keeps_its_sender_no_longer() -> None:
    def fail(_analysis: Analysis) -> None:
        raise OSError("no space left")

    sender = Sender(object())
    with pytest.raises(OSError, match="no space"):
        sender.inbox.write_next(fail)
    assert sender.is_written.wait(10)
    assert not sender.inbox
