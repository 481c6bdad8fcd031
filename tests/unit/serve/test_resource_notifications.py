"""Who is told that resources have changed, and when."""

from __future__ import annotations

import asyncio

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.messages import Hello
from codeagentd.serve.mcp import resource_notifications as module
from codeagentd.serve.mcp.resource_notifications import GATHER_S, MOST, PAUSE_S, ResourceNotifier
from codeagentd.serve.sessions.session import Session
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolSelection
from tests.harness.waiting import eventually_beside, let_pass_beside


class Stage:
    """Pushes on the running loop, and sessions that keep what they are told."""

    def __init__(self):
        self.analyses = 0
        self.pushes = ResourceNotifier(ThreadPool(), self._analyse)

    def _analyse(self):
        self.analyses += 1

    def session(self):
        heard = []
        session = Session(
            b"S",
            Hello(),
            ToolSelection([]),
            0.0,
            lambda kind, flags, ack, payload: heard.append(payload),
            lambda session: None,
        )
        return session, heard


def staged(script):
    async def main():
        stage = Stage()
        await script(stage)
        stage.pushes.close()

    asyncio.run(main())


async def gathered():
    await let_pass_beside(GATHER_S + 0.1, "changes are gathered for so long")


def test_changes_that_come_together_are_told_once():
    async def script(stage):
        session, heard = stage.session()
        stage.pushes.subscribe(session, "codegraph://stats")
        for _ in range(50):
            stage.pushes.note(False)
        await gathered()
        assert [b"codegraph://stats" in line for line in heard] == [True]
        stage.pushes.note(False)
        await gathered()
        assert len(heard) == 1
        await let_pass_beside(PAUSE_S, "a subscriber is told no more often than that")
        assert len(heard) == 2

    staged(script)


def test_nothing_happens_for_nobody():
    async def script(stage):
        session, heard = stage.session()
        stage.pushes.note(False)
        stage.pushes.subscribe(session, "codegraph://stats")
        stage.pushes.unsubscribe(session, "codegraph://stats")
        stage.pushes.unsubscribe(session, "codegraph://audit")
        stage.pushes.note(False)
        await gathered()
        assert (heard, stage.analyses) == ([], 0)

    staged(script)


def test_a_session_that_is_over_is_told_nothing_and_forgotten():
    async def script(stage):
        session, heard = stage.session()
        stage.pushes.subscribe(session, "codegraph://stats")
        session.end()
        stage.pushes.note(False)
        await gathered()
        assert heard == []
        assert not stage.pushes._subscribed

    staged(script)


def test_an_analysis_is_asked_for_until_it_has_followed_the_index(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "ANALYSIS_LOOK_S", 0.05)

    async def script(stage):
        session, heard = stage.session()
        stage.pushes.subscribe(session, "codegraph://stats")
        stage.pushes.note(False)
        await eventually_beside(lambda: stage.analyses >= 3)
        stage.pushes.note(True)
        await let_pass_beside(0.1, "no further analysis may be asked for")
        asked = stage.analyses
        await let_pass_beside(PAUSE_S, "a subscriber is told no more often than that")
        assert (stage.analyses, len(heard)) == (asked, 2)

    staged(script)


def test_streams_that_listen_are_told_of_what_any_of_them_wants():
    async def script(stage):
        told = []
        stage.pushes.publish = told.append
        with stage.pushes.listening(["b", "a", "a"]), stage.pushes.listening(["b"]):
            stage.pushes.note(False)
            await gathered()
        stage.pushes.note(False)
        await let_pass_beside(PAUSE_S + 0.1, "nobody may be told any more")
        assert told == [["a", "b"]]

    staged(script)


def test_a_stream_that_listened_to_an_earlier_daemon_is_told_at_once():
    async def script(stage):
        told = []
        stage.pushes.publish = told.append
        with stage.pushes.listening(["a"], is_owed=True):
            await gathered()
        assert told == [["a"]]

    staged(script)


def test_subscriptions_of_one_session_have_an_end():
    async def script(stage):
        session, _ = stage.session()
        for number in range(MOST):
            stage.pushes.subscribe(session, f"codegraph://node/{number}")
        stage.pushes.subscribe(session, "codegraph://node/0")
        with pytest.raises(InvalidParameter):
            stage.pushes.subscribe(session, "codegraph://stats")

    staged(script)
