"""The life of an editor's session: which repository it is about, how it begins, and how it ends."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.frames import REPLAY, RESENT
from tests.harness.editor import Editor, folders, framed, run
from tests.harness.processes import ended
from tests.harness.waiting import let_pass
from tests.unit.shim.stage import Stage

NOT_INITIALIZED, INVALID_REQUEST, PARSE_ERROR, TOO_LARGE = -32002, -32600, -32700, -32600
PARENT = "import subprocess, sys; shim = subprocess.Popen(sys.argv[1:], stdin=0, stdout=1); print(shim.pid, file=sys.stderr, flush=True); shim.wait()"
EXIT = {"jsonrpc": "2.0", "method": "exit"}


def request(method: str, number: int = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def served(stage: Stage) -> list[str]:
    """The repositories of the greetings, in their order."""
    return [note["hello"]["repo"] for note in stage.journal("hello")]


def test_a_session_goes_to_the_daemon_in_its_order_and_says_that_it_is_of_an_editor(stage: Stage):
    editor = stage.editor()
    assert editor.begin_session(folders(stage.repo)).result["serverInfo"] == {"name": "stub"}
    editor.open(stage.repo / "a.py", "a\nb")
    assert editor.about("textDocument/hover", stage.repo / "a.py").result["pid"] == stage.daemons()[0]
    assert stage.journal("hello")[0]["hello"]["language_server"] is True
    assert stage.lines(stage.daemons()[0]) == [
        (1, 0, "initialize"),
        (2, 0, "initialized"),
        (3, 0, "textDocument/didOpen"),
        (4, 0, "textDocument/hover"),
    ]
    assert editor.surplus == 0


def test_a_client_of_mcp_is_no_language_server(stage: Stage):
    stage.connected()
    assert stage.journal("hello")[0]["hello"]["language_server"] is False


@pytest.mark.parametrize("size", [1, 3, 50, 10_000])
def test_messages_may_come_in_any_pieces(stage: Stage, size: int):
    editor = stage.editor()
    sent = framed(request("initialize", 1)) + framed(request("echo", 2, text="ü\n")) + framed(request("echo", 3))
    editor._sent = dict.fromkeys((1, 2, 3), 0.0)
    for at in range(0, len(sent), size):
        editor.write(sent[at : at + size])
    assert editor.finish(2).result["params"] == {"text": "ü\n"}
    assert editor.finish(3).result
    assert editor.surplus == 0


def test_what_is_no_message_is_refused_and_the_next_one_is_answered(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    editor.write(b'{"jsonrpc":"2.0","id":9,"method":"initialize"}\n')
    assert editor.request("echo").result
    (refusal,) = editor.unnumbered
    assert refusal["error"]["code"] == PARSE_ERROR
    assert "codeagent-mcp" in refusal["error"]["message"]


def test_a_request_that_is_too_large_is_refused_by_its_id(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    error = editor.request("echo", {"text": "x" * (17 << 20)}).message["error"]
    assert error["code"] == TOO_LARGE
    assert editor.request("echo").result
    assert editor.surplus == 0
    assert not editor.unnumbered


# the repository


@pytest.mark.parametrize(
    "shape",
    [
        lambda uri, path: {"workspaceFolders": [{"uri": uri, "name": "x"}], "rootUri": "file:///nonexistent"},
        lambda uri, path: {"workspaceFolders": None, "rootUri": uri},
        lambda uri, path: {"workspaceFolders": [], "rootUri": uri, "rootPath": "/"},
        lambda uri, path: {"workspaceFolders": [{"uri": "file:///"}, {"uri": 3}, "x"], "rootUri": uri},
        lambda uri, path: {"rootUri": None, "rootPath": path},
        lambda uri, path: {"rootUri": "untitled:x", "rootPath": path},
    ],
)
def test_the_repository_is_what_initialize_names(stage: Stage, shape: Callable[[str, str], dict[str, Any]]):
    other = stage.repository("my ümlaut repo")
    (other / "deep").mkdir()
    editor = stage.editor()
    editor.begin_session(shape((other / "deep").as_uri(), str(other / "deep")))
    assert served(stage) == [str(other)]


@pytest.mark.parametrize(
    "params", [{}, {"workspaceFolders": None, "rootUri": None, "rootPath": None}, {"rootPath": ""}]
)
def test_without_a_name_the_current_directory_counts(stage: Stage, params: dict[str, Any]):
    (stage.repo / "deep").mkdir()
    stage.editor(cwd=stage.repo / "deep").begin_session(params)
    assert served(stage) == [str(stage.repo)]


def test_the_flag_beats_the_variable_and_the_variable_what_the_editor_names(stage: Stage):
    first, second, third = (stage.repository(name) for name in ("first", "second", "third"))
    stage.editor("--stdio", "--repo", str(first), CODEAGENT_REPO=str(second)).begin_session(folders(third))
    stage.editor("--clientProcessId=1", CODEAGENT_REPO=str(second)).begin_session(folders(third))
    assert served(stage) == [str(first), str(second)]


def test_a_named_repository_is_greeted_before_the_editor_says_anything(stage: Stage):
    stage.editor("--repo", str(stage.repo))
    assert stage.noted(lambda notes: any(note["event"] == "hello" for note in notes))


def test_without_any_repository_each_request_is_told_what_to_do_and_the_editor_can_leave(stage: Stage):
    editor = stage.editor(cwd=stage.base)
    for method in ("initialize", "textDocument/hover", "initialize"):
        editor.notify("initialized")
        error = editor.request(method).message["error"]
        assert error["code"] == -32602
        assert "open a folder of a git repository" in error["message"]
    assert editor.request("shutdown").message["result"] is None
    assert editor.exit() == 0
    assert editor.surplus == 0
    assert not editor.unnumbered
    assert not stage.daemons()


def test_a_folder_may_still_be_named_after_a_first_initialize_was_refused(stage: Stage):
    editor = stage.editor(cwd=stage.base)
    assert "error" in editor.request("initialize").message
    assert editor.begin_session(folders(stage.repo)).result
    assert editor.request("echo").result
    assert editor.surplus == 0


def test_a_refused_flag_is_explained_in_the_answer_and_on_stderr(stage: Stage):
    editor = stage.editor("--repo", "/")
    assert "--repo" in editor.request("initialize", folders(stage.repo)).message["error"]["message"]
    assert stage.errors.read_text().startswith("codeagent-lsp: --repo is /")
    assert editor.exit() == 1


def test_a_session_begins_with_initialize(stage: Stage):
    editor = stage.editor()
    editor.open(stage.repo / "a.py")
    assert editor.request("textDocument/hover").message["error"]["code"] == NOT_INITIALIZED
    editor.begin_session()
    assert editor.request("echo").result
    assert [method for _, _, method in stage.lines(stage.daemons()[0])] == ["initialize", "initialized", "echo"]


# the end


def test_an_editor_that_shuts_down_and_exits_gets_the_exit_code_0(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    assert editor.request("shutdown").message["result"] is None
    assert editor.request("echo").message["error"]["code"] == INVALID_REQUEST
    assert editor.exit() == 0
    assert stage.noted(lambda notes: any(note["event"] == "bye" for note in notes))
    assert editor.surplus == 0


@pytest.mark.parametrize("is_open", [True, False])
def test_exit_without_shutdown_gives_the_exit_code_1(stage: Stage, is_open: bool):
    editor = stage.editor()
    if is_open:
        editor.begin_session()
    assert editor.exit() == 1


@pytest.mark.parametrize("stub", ["silent", "die-at-once"])
def test_an_editor_can_leave_while_no_daemon_answers(make_stage: Callable[..., Stage], stub: str):
    stage = make_stage(stub, PAUSES_S=[5, 5, 5, 5, 5])
    editor = stage.editor()
    editor.begin("initialize", folders(stage.repo))
    if stub == "silent":
        stage.noted(lambda notes: any(note["event"] == "born" for note in notes))
    assert editor.request("shutdown").message["result"] is None
    assert editor.exit() == 0


def test_an_editor_can_leave_a_daemon_that_hangs(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    editor.begin("hold")
    pid = stage.daemons()[0]
    os.kill(pid, signal.SIGSTOP)
    try:
        assert editor.request("shutdown").message["result"] is None
        assert editor.exit() == 0
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_text_that_mentions_exit_ends_nothing(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    editor.open(stage.repo / "a.py", 'method = "exit" or "shutdown"')
    assert editor.request("echo", {"method": "exit", "also": "shutdown"}).result["params"]["also"] == "shutdown"
    assert editor.request("exit").result  # a request is not the notification
    assert editor.exit() == 1


def test_it_answers_what_is_owed_when_the_editor_closes_its_end(stage: Stage):
    sent = framed(request("initialize", 1)) + framed(request("echo", 2))
    code, answers = run(stage.argv(language_server=True), sent, env=stage.environment, cwd=stage.repo)
    assert (code, [answer["id"] for answer in answers]) == (0, [1, 2])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_leaves_on_a_signal(stage: Stage, number: signal.Signals):
    editor = stage.editor()
    editor.begin_session()
    editor.begin("hold")
    editor.process.send_signal(number)
    assert editor.process.wait(5) == 0


def test_it_leaves_with_the_process_that_initialize_names(stage: Stage):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        editor = stage.editor()
        editor.begin_session({"processId": client.pid})
        assert editor.request("echo").result
        client.kill()
        assert editor.process.wait(5) == 0
    assert stage.noted(lambda notes: any(note["event"] == "bye" for note in notes))


@pytest.mark.parametrize("pid", [None, 0, 1, -1, 2**22 + 5, True, "7", 2**70])
def test_a_process_that_cannot_be_seen_is_not_watched(stage: Stage, pid: object):
    editor = stage.editor()
    editor.begin_session({"processId": pid})
    assert editor.request("echo").result


def test_it_leaves_when_its_parent_dies_although_its_pipes_stay_open(stage: Stage):
    stdin_reading, stdin_writing = os.pipe()
    stdout_reading, stdout_writing = os.pipe()
    command = [sys.executable, "-c", PARENT, *stage.argv(language_server=True)]
    parent = subprocess.Popen(
        command,
        stdin=stdin_reading,
        stdout=stdout_writing,
        stderr=subprocess.PIPE,
        env=stage.environment,
        cwd=stage.repo,
    )
    os.write(stdin_writing, framed(request("initialize", 1)))
    assert b'"id": 1' in os.read(stdout_reading, 4096)
    shim = int(parent.stderr.readline())
    parent.kill()
    parent.wait()
    assert ended(shim)
    parent.stderr.close()
    for fd in (stdin_reading, stdin_writing, stdout_reading, stdout_writing):
        os.close(fd)


# lost daemons


def test_a_killed_daemons_successor_is_told_the_session_and_nothing_is_answered_twice(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    editor.open(stage.repo / "a.py", "1")
    hanging = editor.begin("hang", {"word": "kept"})
    editor.change(stage.repo / "a.py", "2")
    stage.noted(lambda notes: any(note.get("method") == "textDocument/didChange" for note in notes))
    stage.kill_daemon()
    assert editor.finish(hanging).result == {"pid": stage.daemons()[1], "params": {"word": "kept"}}
    assert editor.request("echo").result
    assert stage.lines(stage.daemons()[1]) == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "initialized"),
        (3, REPLAY, "textDocument/didOpen"),
        (4, RESENT, "hang"),
        (5, REPLAY, "textDocument/didChange"),
        (6, 0, "echo"),
    ]
    editor.drain(0.1)
    assert editor.surplus == 0


def test_lines_that_the_daemon_replaced_are_not_sent_to_its_successor(stage: Stage):
    editor = stage.editor()
    editor.begin_session()
    for number in range(3):
        editor.open(stage.repo / f"{number}.py", "1")
        editor.change(stage.repo / f"{number}.py", "2")
    merged = '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"merged":true}}'
    editor.request("fold", {"numbers": [3, 4], "line": merged})
    editor.request("fold", {"numbers": [7, 8], "line": ""})
    stage.kill_daemon()
    stage.noted(lambda notes: sum(note["event"] == "line" and note["flags"] == REPLAY for note in notes) == 5)
    assert editor.request("echo").result
    told = [note for note in stage.journal("line") if note["pid"] == stage.daemons()[1]]
    assert [(note["seq"], note["flags"], note["method"]) for note in told] == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "initialized"),
        (4, REPLAY, "textDocument/didOpen"),
        (5, REPLAY, "textDocument/didOpen"),
        (6, REPLAY, "textDocument/didChange"),
        (11, 0, "echo"),
    ]
    assert told[2]["params"] == {"merged": True}


def test_the_text_of_a_document_outlives_daemons_that_are_killed_again_and_again(stage: Stage):
    """The last daemon has each change once and in order, and each request is answered once."""
    editor = stage.editor()
    editor.begin_session()
    editor.open(stage.repo / "a.py", "0")
    randomness = random.Random(7)
    version = 1
    for _ in range(5):
        wanted = []
        for _ in range(randomness.randrange(3, 30)):
            version += 1
            editor.change(stage.repo / "a.py", str(version), version)
            wanted.append(editor.begin("echo", {"at": version}))
        let_pass(randomness.uniform(0, 0.02), "some of them arrive")
        born = len(stage.daemons())
        stage.kill_daemon()
        stage.noted(lambda notes, born=born: sum(note["event"] == "born" for note in notes) > born)
        for number in wanted:
            assert editor.finish(number).result
    last = editor.request("echo").result["pid"]
    told = [
        note["params"]["textDocument"]["version"]
        for note in stage.journal("line")
        if note["pid"] == last and note["method"].startswith("textDocument/did")
    ]
    assert told == list(range(1, version + 1))
    editor.drain(0.1)
    assert editor.surplus == 0


def test_changes_are_not_given_up_with_the_requests_while_no_daemon_answers(make_stage: Callable[..., Stage]):
    stage = make_stage(PULSE_S=0.05, PULSES=3)
    editor = stage.editor()
    editor.begin_session()
    assert editor.request("echo").result
    pid = stage.daemons()[0]
    os.kill(pid, signal.SIGSTOP)
    editor.open(stage.repo / "a.py", "1")
    assert "does not answer" in editor.request("echo").message["error"]["message"]
    editor.change(stage.repo / "a.py", "2")
    stage.kill_daemon()
    assert editor.request("echo").result
    told = [(seq, method) for seq, _, method in stage.lines(stage.daemons()[1]) if "/did" in method]
    assert told == [(4, "textDocument/didOpen"), (6, "textDocument/didChange")]
    assert editor.surplus == 0


def test_a_change_that_kills_every_daemon_is_given_up(make_stage: Callable[..., Stage]):
    stage = make_stage(PAUSES_S=[0, 0, 0, 0, 0])
    editor = stage.editor()
    editor.begin_session()
    editor.notify("textDocument/crash")
    stage.noted(lambda notes: sum(note["event"] == "born" for note in notes) == 6)
    let_pass(0.3, "the last of them is lost")
    assert editor.request("echo").result["pid"] == stage.daemons()[6]


def test_a_document_whose_change_was_given_up_is_as_on_the_disk_for_the_next_daemon(make_stage: Callable[..., Stage]):
    stage = make_stage(PAUSES_S=[0, 0, 0, 0, 0])
    editor = stage.editor()
    editor.begin_session()
    editor.open(stage.repo / "a.py", "1")
    editor.open(stage.repo / "b.py", "1")
    editor.change(stage.repo / "a.py", "crash")
    stage.noted(lambda notes: sum(note["event"] == "born" for note in notes) == 6)
    let_pass(0.3, "the last of them is lost")
    assert editor.request("echo").result
    told = [note for note in stage.journal("line") if note["pid"] == stage.daemons()[6]]
    assert [(note["method"], note["params"].get("textDocument", {}).get("uri", "")) for note in told] == [
        ("initialize", ""),
        ("initialized", ""),
        ("textDocument/didOpen", (stage.repo / "b.py").as_uri()),
        ("echo", ""),
    ]


def test_an_editor_whose_daemon_cannot_start_is_told_why(make_stage: Callable[..., Stage]):
    stage = make_stage("die-at-once", PAUSES_S=[0, 0, 0, 0, 0])
    editor = stage.editor()
    for _ in range(2):
        error = editor.request("initialize").message["error"]
        assert error["code"] == -32000
        assert "the stub was told to die" in error["message"]
    editor.notify("initialized")
    assert editor.close() == 0


def test_a_refused_session_is_explained_in_each_answer(make_stage: Callable[..., Stage]):
    editor = make_stage("refuse").editor()
    assert "no toolset" in editor.begin_session().message["error"]["message"]
    assert "no toolset" in editor.request("textDocument/hover").message["error"]["message"]
    assert editor.request("shutdown").message["result"] is None
    assert editor.exit() == 0


# the command


def test_help_and_version_speak_to_people(stage: Stage):
    texts = [
        subprocess.run(
            stage.argv(flag, language_server=True),
            capture_output=True,
            text=True,
            env=stage.environment,
            timeout=20,
            check=True,
        ).stdout
        for flag in ("--help", "--version")
    ]
    assert "usage: codeagent-lsp" in texts[0]
    assert "CODEAGENT_REPO" in texts[0]
    assert "--toolsets" not in texts[0]
    assert texts[1].startswith("codeagent-lsp ")


@pytest.mark.parametrize("flag", ["--toolsets", "--nudge", "--node-ipc", "x"])
def test_an_unknown_argument_is_an_error_on_stderr_and_nothing_on_stdout(stage: Stage, flag: str, tmp_path: Path):
    done = subprocess.run(
        stage.argv(flag, language_server=True),
        capture_output=True,
        text=True,
        env=stage.environment,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"codeagent-lsp: unknown argument {flag} (see codeagent-lsp --help)\n"


def test_the_editor_is_never_sent_a_line_without_a_header(stage: Stage):
    editor: Editor = stage.editor()
    editor.begin_session()
    assert editor.request("notify").result
    assert [message["method"] for message in editor.notified] == ["notifications/message"]
    assert [message["method"] for message in editor.asked] == ["ping"]
    assert not editor.noise
