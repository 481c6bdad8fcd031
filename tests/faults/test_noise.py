"""Anything at all arrives on both sockets of a daemon; it drops what it cannot use and answers on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_protocol import frames
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "12")) * 5
LINES = st.binary(max_size=200) | st.sampled_from(
    [
        b"{}",
        b"[]",
        b"null",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
        b"[" * 5_000,
    ]
)
HEADERS = st.binary(max_size=40) | st.builds(
    frames.pack, st.integers(0, 255), st.integers(0, 255), st.integers(0, 2**32)
)
MESSAGES = st.lists(
    st.tuples(HEADERS, LINES).map(list) | st.lists(st.binary(max_size=60), min_size=1, max_size=4),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StubDaemon]:
    with StubDaemon(Path(tmp_path_factory.mktemp("noise"))) as daemon:
        yield daemon.wait_up()


@pytest.mark.limit(180)
@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(messages=MESSAGES, greets=st.booleans())
def test_any_frames_leave_the_daemon_answering(daemon: StubDaemon, messages: list[list[bytes]], greets: bool) -> None:
    with RawWindow(daemon.endpoint) as noisy:
        if greets:
            noisy.initialize()
        for message in messages:
            noisy.tell_raw(message)
        with RawWindow(daemon.endpoint) as window:
            window.initialize()
            assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


@pytest.mark.limit(180)
@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(messages=MESSAGES)
def test_any_operators_message_leaves_the_daemon_answering(daemon: StubDaemon, messages: list[list[bytes]]) -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.DEALER)
    socket.connect(f"ipc://{daemon.endpoint.control}")
    for message in messages:
        socket.send_multipart(message)
    context.destroy(linger=200)
    assert daemon.ask("ping")["pid"] == daemon.process.pid
