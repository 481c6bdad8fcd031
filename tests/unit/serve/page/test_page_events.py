"""The stream of events to open pages: what gathers, what it costs, how it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from codeagentd.serve.page import page_events
from codeagentd.serve.page.page_events import ANALYSIS, CALLS, INDEX, MEMORIES, PageEvents


async def opened(events: PageEvents) -> AsyncIterator[bytes]:
    """A stream that has said that it is there."""
    stream = events.stream()
    assert b"event: here" in await anext(stream)
    return stream


async def coming(stream: AsyncIterator[bytes]) -> bytes:
    """What a stream says next."""
    async with asyncio.timeout(5):
        return await anext(stream)


def test_changes_that_come_together_are_one_event_for_each_page():
    async def scenario() -> None:
        events = PageEvents()
        one, other = await opened(events), await opened(events)
        for what in (INDEX, ANALYSIS, INDEX, CALLS):
            events.note(what)
        expected = b'event: changed\ndata: ["analysis","calls","index"]\n\n'
        assert [await coming(one), await coming(other)] == [expected, expected]
        events.note(MEMORIES)
        assert await coming(one) == b'event: changed\ndata: ["memories"]\n\n'

    asyncio.run(scenario())


def test_a_page_that_reads_slowly_gets_each_kind_once():
    async def scenario() -> None:
        events = PageEvents()
        slow, quick = await opened(events), await opened(events)
        for what in (INDEX, MEMORIES):
            events.note(what)
            await coming(quick)
        assert await coming(slow) == b'event: changed\ndata: ["index","memories"]\n\n'

    asyncio.run(scenario())


def test_without_open_pages_nothing_is_put_on_the_loop():
    async def scenario() -> None:
        events = PageEvents()
        loop = asyncio.get_running_loop()
        put = []
        loop.call_soon_threadsafe = lambda *call: put.append(call)  # type: ignore[method-assign, assignment]
        events.note(INDEX)
        assert put == []
        stream = await opened(events)
        events.note(INDEX)
        assert len(put) == 1
        await stream.aclose()  # type: ignore[attr-defined]
        events.note(INDEX)
        assert (len(put), events.count) == (1, 0)

    asyncio.run(scenario())


def test_a_page_sees_what_came_between_its_making_and_its_stream():
    async def scenario() -> None:
        events = PageEvents()
        for what in (INDEX, CALLS, MEMORIES):
            events.note(what)
        assert events.changes == 2
        stream = events.stream()
        assert b"event: here\ndata: 2\n" in await anext(stream)

    asyncio.run(scenario())


def test_threads_may_note_changes():
    async def scenario() -> None:
        events = PageEvents()
        stream = await opened(events)
        thread = threading.Thread(target=events.note, args=(INDEX,))
        thread.start()
        assert await coming(stream) == b'event: changed\ndata: ["index"]\n\n'
        thread.join()

    asyncio.run(scenario())


def test_a_change_after_the_end_of_the_loop_is_nothing():
    kept = []

    async def scenario() -> None:
        events = PageEvents()
        kept.append((events, await opened(events)))

    asyncio.run(scenario())
    events, _ = kept[0]
    events.note(INDEX)
    assert events.changes == 1


def test_a_stream_gives_signs_of_life(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page_events, "BEAT_S", 0.01)

    async def scenario() -> None:
        stream = await opened(PageEvents())
        assert [await coming(stream) for _ in range(2)] == [b": beat\n\n", b": beat\n\n"]

    asyncio.run(scenario())


def test_closing_ends_every_stream_and_says_so():
    async def scenario() -> None:
        events = PageEvents()
        streams = [await opened(events) for _ in range(3)]
        assert events.count == 3
        events.close()
        for stream in streams:
            said = [chunk async for chunk in stream]
            assert said[-1] == b"event: leaving\ndata: []\n\n"
        assert events.count == 0

    asyncio.run(scenario())
