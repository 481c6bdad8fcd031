"""Ends of pipes as a loop polls them, in both kinds: the pipe itself, and a socket with a thread behind it."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator

import pytest

from codeagent_protocol import streams
from codeagent_protocol.socket_pipes import Incoming, Outgoing
from codeagent_protocol.stream import Stream
from tests.harness.waiting import eventually

Pipe = tuple[int, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    ends = os.pipe()
    yield ends
    for fd in ends:
        try:
            os.close(fd)
        except OSError:
            continue


def is_readable(stream: Stream, patience_s: float = 5.0) -> bool:
    return bool(select.select([stream.fd], [], [], patience_s)[0])


@pytest.mark.parametrize("reading", [Stream, Incoming])
def test_what_is_written_can_be_polled_for_and_read_and_then_the_end(pipe: Pipe, reading: Callable[[int], Stream]):
    stream = reading(pipe[0])
    with pytest.raises(BlockingIOError):
        stream.read(10)
    assert not is_readable(stream, 0.0)
    os.write(pipe[1], b"first line\n")
    assert is_readable(stream)
    assert stream.read(5) == b"first"
    assert stream.read(100) == b" line\n"
    os.close(pipe[1])
    assert is_readable(stream)
    assert stream.read(100) == b""
    stream.end()


@pytest.mark.parametrize("writing", [Stream, Outgoing])
def test_a_reader_that_does_not_read_is_not_waited_for_and_gets_everything_later(
    pipe: Pipe, writing: Callable[[int], Stream]
):
    stream, written = writing(pipe[1]), 0
    data = os.urandom(1 << 16)
    with contextlib.suppress(BlockingIOError):
        while written < 1 << 24:
            written += stream.write(data[written % len(data) :])
    assert written < 1 << 24
    os.set_blocking(pipe[0], True)
    found = b""
    while len(found) < written:
        found += os.read(pipe[0], written - len(found))
    assert found == (data * (written // len(data) + 1))[:written]
    stream.end()


@pytest.mark.parametrize("writing", [Stream, Outgoing])
def test_whoever_writes_hears_that_nobody_reads(pipe: Pipe, writing: Callable[[int], Stream]):
    stream = writing(pipe[1])
    os.close(pipe[0])

    def is_told() -> bool:
        try:
            stream.write(b"x")
        except BrokenPipeError:
            return True
        return False

    assert eventually(is_told)
    stream.end()


def test_what_was_sent_last_reaches_a_reader_before_the_end(pipe: Pipe):
    stream = Outgoing(pipe[1])
    stream.write(b"the last answer\n")
    stream.end()
    assert os.read(pipe[0], 100) == b"the last answer\n"


def test_a_pipe_is_left_as_it_was_found(pipe: Pipe):
    for waits in (True, False):
        stream = Stream(pipe[0], waits=waits)
        assert os.get_blocking(pipe[0]) == waits
        stream.end()
        assert os.get_blocking(pipe[0])


def test_a_thread_stands_between_where_pipes_cannot_be_polled(pipe: Pipe, monkeypatch: pytest.MonkeyPatch):
    assert type(streams.reading(pipe[0])) is type(streams.writing(pipe[1])) is Stream
    monkeypatch.setattr(sys, "platform", "win32")
    ends = streams.reading(pipe[0]), streams.writing(pipe[1])
    assert (type(ends[0]), type(ends[1])) == (Incoming, Outgoing)
    ends[1].write(b"x")
    assert is_readable(ends[0])
    ends[1].end()
