"""Answers reach a client that reads slowly, and are bounded for one that does not read."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from codeagent_protocol.pipe_writer import MOST_BYTES, Outbox


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield reading, writing
    for fd in (reading, writing):
        try:
            os.close(fd)
        except OSError:
            continue


def read_all(fd: int) -> bytes:
    found = b""
    try:
        while chunk := os.read(fd, 1 << 20):
            found += chunk
    except BlockingIOError:
        return found
    return found


def test_a_line_is_written_at_once_when_the_client_reads(pipe: tuple[int, int]):
    outbox = Outbox(pipe[1], end=b"\n")
    outbox.put(b"answer")
    assert read_all(pipe[0]) == b"answer\n"
    assert outbox.is_empty


def test_what_does_not_fit_is_kept_in_order_until_it_does(pipe: tuple[int, int]):
    outbox = Outbox(pipe[1], end=b"\n")
    lines = [b"%d" % number * 50_000 for number in range(8)]
    for line in lines:
        outbox.put(line)
    assert not outbox.is_empty
    found = b""
    while not outbox.is_empty:
        found += read_all(pipe[0])
        outbox.flush()
    assert (found + read_all(pipe[0])).split(b"\n") == [*lines, b""]


def test_a_client_that_does_not_read_fills_its_room(pipe: tuple[int, int]):
    outbox = Outbox(pipe[1], end=b"\n")
    assert outbox.has_room
    outbox.put(b"x" * (MOST_BYTES + 100_000))
    assert not outbox.has_room
    while not outbox.is_empty:
        read_all(pipe[0])
        outbox.flush()
    assert outbox.has_room


def test_a_reader_that_is_gone_is_noticed_and_nothing_is_kept_for_it(pipe: tuple[int, int]):
    outbox = Outbox(pipe[1], end=b"\n")
    os.close(pipe[0])
    outbox.put(b"x" * 200_000)
    assert outbox.is_closed
    assert outbox.is_empty
    assert outbox.has_room


def test_the_descriptor_is_left_as_it_was_found(pipe: tuple[int, int]):
    outbox = Outbox(pipe[1], end=b"\n")
    assert not os.get_blocking(pipe[1])
    outbox.restore()
    assert os.get_blocking(pipe[1])
