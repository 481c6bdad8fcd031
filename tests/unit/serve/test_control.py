"""The operators' socket of a real daemon process."""

from __future__ import annotations

import json
import random
import signal
import threading
from pathlib import Path

import msgspec
import pytest
import zmq

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.messages import ControlReply, ControlRequest
from codeagent_protocol.status import Status
from codeagent_protocol.version import __version__
from codeagentd.boot.control_client import ask, follow
from codeagentd.serve.control.server import ControlServer, Verb
from codeagentd.serve.tool_calls import META_INDEX
from tests.harness.waiting import eventually
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon


def test_ping_tells_who_answers(daemon):
    assert daemon.ask("ping") == {"pid": daemon.process.pid, "version": __version__}


def test_status_has_every_field_and_a_true_memory_figure(daemon):
    fields = daemon.wait_status(state="ready")
    status = msgspec.convert(fields, Status)
    assert set(fields) == set(Status.__struct_fields__)
    assert (status.state, status.pid, status.repo, status.generation) == (
        "ready",
        daemon.process.pid,
        daemon.endpoint.root,
        7,
    )
    with open(f"/proc/{daemon.process.pid}/status", encoding="utf-8") as file:
        resident = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))
    assert abs(status.rss_bytes - resident) < 0.15 * resident


def test_operators_and_usual_windows_need_no_sdk(tmp_path):
    with StubDaemon(tmp_path) as daemon:
        daemon.wait_up().ask("wait", {"timeout_s": 5})
        daemon.ask("call", {"tool": "echo"})
        with RawWindow(daemon.endpoint) as window:
            window.initialize()
            window.ask("tools/list")
            window.call("echo")
        with open(f"/proc/{daemon.process.pid}/maps", encoding="utf-8") as file:
            assert "pydantic_core" not in file.read()


def test_a_tool_can_be_called_without_mcp(daemon):
    answer = daemon.ask("call", {"tool": "echo", "arguments": {"text": "hi"}, "fresh": "wait"})
    assert (answer["structuredContent"], answer["isError"]) == ({"text": "hi"}, False)
    assert answer["_meta"][META_INDEX]["generation"] == 7


def test_a_tools_error_is_an_answer_too(daemon):
    answer = daemon.ask("call", {"tool": "nothing"})
    assert answer["isError"]
    assert answer["structuredContent"]["error"]["code"] == "not_found"


def test_a_graph_that_is_not_analysed_is_refused_and_not_sent_in_part(daemon):
    (reply,) = follow(daemon.endpoint, "graph", {}, 20)
    assert (reply.ok, json.loads(reply.payload)["code"]) == (False, "engine_unavailable")


def test_tools_are_listed_by_the_flags_of_a_window(daemon):
    assert {"echo", "write"} <= {tool["name"] for tool in daemon.ask("tools")["tools"]}
    assert "write" not in {tool["name"] for tool in daemon.ask("tools", {"read_only": True})["tools"]}


def test_waiting_tells_the_progress_and_ends_with_the_status(daemon):
    *on_the_way, last = follow(daemon.endpoint, "wait", {"timeout_s": 10}, 20)
    assert [json.loads(reply.payload) for reply in on_the_way] == [
        {"phase": "extracting", "done": 1, "total": 2, "rate": 0.0}
    ]
    assert all(reply.more for reply in on_the_way)
    assert json.loads(last.payload)["caught_up"]


def test_the_number_of_vectors_is_set_at_once_and_their_progress_is_told_to_who_waits(daemon):
    assert "embeddings" in daemon.ask("embed", {"symbols": 70})
    assert Path(daemon.endpoint.root, "limit").read_text() == "70"
    *on_the_way, last = follow(daemon.endpoint, "embed", {"symbols": None, "timeout_s": 30}, 40)
    told = [json.loads(reply.payload) for reply in on_the_way]
    assert [(reply["phase"], reply["total"]) for reply in told] == [("vectors", 3)] * len(told)
    assert "embeddings" in json.loads(last.payload)
    assert Path(daemon.endpoint.root, "limit").read_text() == "None"


def test_a_wait_in_vain_ends_with_a_status_that_says_so(tmp_path):
    with StubDaemon(tmp_path, STUB_STATE="indexing") as daemon:
        fields = daemon.wait_up().ask("wait", {"timeout_s": 0.3})
    assert (fields["state"], fields["caught_up"], fields["pending_files"]) == ("indexing", False, 3)


def test_a_waiting_operator_keeps_nobody_else_waiting(tmp_path):
    with StubDaemon(tmp_path, STUB_STATE="indexing") as daemon:
        daemon.wait_up()
        replies = follow(daemon.endpoint, "wait", {"timeout_s": 60}, 60)
        assert next(replies).more
        assert daemon.status()["state"] == "indexing"
        daemon.ask("index")  # the stub is ready after that
        assert json.loads(list(replies)[-1].payload)["state"] == "ready"


def test_a_waiting_operator_hears_that_the_daemon_leaves(tmp_path):
    with StubDaemon(tmp_path, STUB_STATE="indexing") as daemon:
        daemon.wait_up()
        last = []
        waiting = threading.Thread(target=lambda: last.extend(follow(daemon.endpoint, "wait", {"timeout_s": 60}, 60)))
        waiting.start()
        eventually(lambda: last)
        daemon.ask("stop")
        waiting.join(20)
        assert daemon.ended() == 0
    assert not waiting.is_alive()
    assert json.loads(last[-1].payload)["code"] == "engine_unavailable"


@pytest.mark.parametrize(
    ("verb", "arguments", "code"),
    [("dance", {}, "invalid_parameter"), ("wait", {"timeout_s": "long"}, "invalid_parameter"), ("tools", {"colour": 1}, "invalid_parameter"),
     ("tools", {"toolsets": "none"}, "invalid_parameter"), ("index", {"paths": "x"}, "invalid_parameter"), ("embed", {"symbols": -1}, "invalid_parameter"),
     ("embed", {"symbols": "many"}, "invalid_parameter"), ("index", {"paths": ["x"]}, "not_found")],
)  # fmt: skip
def test_a_wrong_question_is_refused(daemon, verb, arguments, code):
    reply = ask(daemon.endpoint, verb, arguments, 10)
    assert not reply.ok
    assert json.loads(reply.payload)["code"] == code


def test_an_older_command_line_may_leave_fields_out(daemon):
    context = zmq.Context()
    socket = context.socket(zmq.DEALER)
    socket.connect(f"ipc://{daemon.endpoint.control}")
    socket.send(msgspec.msgpack.encode({"verb": "ping", "field_of_the_future": 1}))
    assert socket.poll(10_000)
    assert msgspec.msgpack.decode(socket.recv())["ok"]
    context.destroy(linger=0)


def test_noise_is_dropped_and_the_daemon_answers_on(daemon):
    chance, context = random.Random(3), zmq.Context()
    for path in (daemon.endpoint.control, daemon.endpoint.socket):
        socket = context.socket(zmq.DEALER)
        socket.connect(f"ipc://{path}")
        for _ in range(1_000):
            socket.send_multipart([chance.randbytes(chance.randrange(300)) for _ in range(chance.randrange(1, 5))])
        socket.send(msgspec.msgpack.encode(ControlRequest("ping", b"[" * 100_000)))
        socket.close(linger=1_000)
    context.term()
    assert daemon.status()["clients"] == 0
    assert daemon.wait_status(state="ready")["dropped_frames"] > 100


def test_where_no_thread_can_be_started_long_questions_are_refused_and_short_ones_answered(monkeypatch):
    context = zmq.Context()
    router, operator = context.socket(zmq.ROUTER), context.socket(zmq.DEALER)
    router.bind("inproc://control")
    operator.connect("inproc://control")
    verbs = {"long": Verb(lambda _, __: 1, is_long=True), "short": Verb(lambda _, __: 2)}
    server = ControlServer(router, verbs, lambda: EngineUnavailable("the daemon is leaving"))
    server.start()

    def no_thread(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    replies = []
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        for verb in ("long", "short"):
            operator.send(msgspec.msgpack.encode(ControlRequest(verb)))
            assert operator.poll(10_000)
            replies.append(json.loads(msgspec.msgpack.decode(operator.recv(), type=ControlReply).payload))
    assert replies[0]["code"] == "engine_unavailable"
    assert replies[1] == 2
    assert server.conversations == 0
    assert server.close(10)
    context.destroy(linger=0)


def test_a_client_that_is_interrupted_while_it_connects_ends_at_once(
    daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = zmq.Context._add_socket

    def interrupted(context: zmq.Context[zmq.Socket[bytes]], socket: zmq.Socket[bytes]) -> None:
        # before it is noted: its context would wait for it. Any thread may be the one that gets the signal
        interrupting = threading.Thread(target=signal.raise_signal, args=(signal.SIGINT,))
        interrupting.start()
        interrupting.join()
        add(context, socket)

    monkeypatch.setattr(zmq.Context, "_add_socket", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask(daemon.endpoint, "ping")
