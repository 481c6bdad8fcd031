"""Messages between processes arrive whole, in order, however the pipe cuts them; half of one is none."""

from __future__ import annotations

import io
import os
import threading

import pytest

from codeagent_protocol.pipes import complete_messages, receive, send

MESSAGES = [b"a", b"", b"\0\0\0\1", b"x" * 300_000]


@pytest.fixture
def written() -> bytes:
    """The messages as a pipe carries them."""
    reader, writer = os.pipe()
    found: list[bytes] = []
    with os.fdopen(reader, "rb") as pipe:
        thread = threading.Thread(target=lambda: found.append(pipe.read()))
        thread.start()
        for message in MESSAGES:
            send(writer, message)
        os.close(writer)
        thread.join()
    return found[0]


def test_a_message_longer_than_the_pipe_arrives_whole() -> None:
    reader, writer = os.pipe()
    thread = threading.Thread(target=send, args=(writer, MESSAGES[-1]))
    thread.start()
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        assert receive(pipe) == MESSAGES[-1]
        thread.join()
        os.close(writer)
        assert receive(pipe) == b""


@pytest.mark.parametrize("step", [1_000_000, 7, 65_536])
def test_messages_are_taken_as_they_become_whole(written: bytes, step: int) -> None:
    buffer, found = bytearray(), []
    for at in range(0, len(written), step):
        buffer += written[at : at + step]
        found += complete_messages(buffer)
    assert found == MESSAGES
    assert not buffer


def test_a_pipe_that_ends_within_a_message_has_ended() -> None:
    assert receive(io.BytesIO(b"\0\0\0\5half")) == b""
    assert receive(io.BytesIO(b"\0\0")) == b""
