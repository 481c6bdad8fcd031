"""An editor window with several repositories: each line goes to the daemon that it is for, and answers come back once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.frames import REPLAY, RESENT
from codeagent_shim import folder_links
from codeagent_shim.folder_links import FolderLinks
from codeagent_shim.upstream import Sink, Upstream
from tests.harness.editor import Editor, folders
from tests.unit.shim.stage import Stage

OPEN, CHANGE, CLOSE, HOVER = (f"textDocument/{name}" for name in ("didOpen", "didChange", "didClose", "hover"))


class Two:
    """A window with two repositories."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.first, self.second = stage.repository("first"), stage.repository("second")
        self.editor: Editor = stage.editor(cwd=stage.base)
        assert self.editor.begin_session(folders(self.first, self.second)).result
        self.wait_for(self.second, "initialized")

    def told(self, repository: Path) -> list[str]:
        """The methods that the daemon of a repository was told, without those of the handshake."""
        return [method for _, _, method in self.stage.lines(self.stage.daemon_of(repository))][2:]

    def wait_for(self, repository: Path, method: str) -> None:
        """Wait until the daemon of a repository was told this."""

        def is_told(notes: list[dict[str, Any]]) -> bool:
            pids = [note["pid"] for note in notes if (note.get("hello") or {}).get("repo") == str(repository)]
            return any(note.get("method") == method and note["pid"] in pids for note in notes)

        self.stage.noted(is_told)

    def serving(self, path: Path) -> Path:
        """The repository whose daemon answers a question about a file."""
        pid = self.editor.about(HOVER, path).result["pid"]
        repositories = {self.stage.daemon_of(root): root for root in (self.first, self.second)}
        return repositories[pid]

    def change_folders(self, added: tuple[Path, ...] = (), removed: tuple[Path, ...] = ()) -> None:
        """Tell the shim that the window's folders changed."""
        event = {
            "added": folders(*added)["workspaceFolders"],
            "removed": folders(*removed)["workspaceFolders"],
        }
        self.editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})


@pytest.fixture
def two(stage: Stage) -> Two:
    """A window with two repositories."""
    return Two(stage)


def test_each_repository_has_a_daemon_and_initialize_is_answered_once(two: Two):
    assert {note["hello"]["repo"] for note in two.stage.journal("hello")} == {str(two.first), str(two.second)}
    assert two.stage.lines(two.stage.daemon_of(two.first)) == [(1, 0, "initialize"), (2, 0, "initialized")]
    assert two.stage.lines(two.stage.daemon_of(two.second)) == [(1, REPLAY, "initialize"), (2, 0, "initialized")]
    two.editor.drain(0.1)
    assert two.editor.surplus == 0


def test_a_request_goes_to_the_innermost_repository_of_its_document_else_to_the_main_one(two: Two):
    (two.first / "link").symlink_to(two.second)
    assert two.serving(two.first / "a.py") == two.first
    assert two.serving(two.second / "deep/ümlaut.py") == two.second
    assert two.serving(two.first / "link/a.py") == two.second
    assert two.serving(two.stage.base / "second.py") == two.first
    assert two.serving(Path("/nowhere.py")) == two.first
    assert two.editor.surplus == 0


@pytest.mark.parametrize(
    "params",
    [
        {"item": {"uri": "URI"}},
        {"uri": "URI"},
        {"location": {"uri": "URI"}},
        {"files": [{"oldUri": "URI", "newUri": "x"}]},
        {"command": "x", "arguments": ["URI"]},
        {"command": "x", "arguments": [{"uri": "URI"}]},
        {"label": "x", "data": {"uri": "URI"}},
    ],
)
def test_a_request_may_name_its_document_in_any_of_lsps_ways(two: Two, params: dict[str, Any]):
    params = json.loads(json.dumps(params).replace("URI", (two.second / "a.py").as_uri()))
    assert two.editor.request("echo", params).result["pid"] == two.stage.daemon_of(two.second)


@pytest.mark.parametrize("params", [{}, [], {"textDocument": {"uri": "untitled:1"}}, {"textDocument": 3}, {"uri": 3}])
def test_a_request_about_no_file_goes_to_the_main_repository(two: Two, params: Any):
    editor = two.editor
    editor._sent[99] = 0.0
    editor.send({"jsonrpc": "2.0", "id": 99, "method": "echo", "params": params})
    assert editor.finish(99).result["pid"] == two.stage.daemon_of(two.first)


def test_documents_are_opened_in_their_repository_alone_and_what_concerns_none_is_told_to_all(two: Two):
    two.editor.open(two.second / "a.py")
    two.editor.notify(OPEN, {"textDocument": {"uri": "untitled:1"}})
    two.editor.notify("workspace/didChangeConfiguration", {"settings": {}})
    two.editor.notify("$/cancelRequest", {"id": 1})
    for repository in (two.first, two.second):
        two.wait_for(repository, "$/cancelRequest")
        assert two.told(repository) == [OPEN, "workspace/didChangeConfiguration", "$/cancelRequest"]


# workspace/symbol


def symbols(two: Two, query: str) -> list[str]:
    return [symbol["name"] for symbol in two.editor.request("workspace/symbol", {"query": query}).message["result"]]


def test_symbols_of_all_repositories_come_in_the_order_of_the_folders(two: Two):
    assert symbols(two, "x") == ["first", "second"]
    assert symbols(two, "null") == []
    assert two.editor.surplus == 0


@pytest.mark.parametrize(("failing", "names"), [("first", ["second"]), ("second", ["first"])])
def test_a_repository_that_fails_spoils_no_symbols(two: Two, failing: str, names: list[str]):
    assert symbols(two, f"fail {failing}") == names


def test_when_all_fail_the_main_error_is_the_answer(two: Two):
    error = two.editor.request("workspace/symbol", {"query": "fail first second"}).message["error"]
    assert error["message"] == "no first"


@pytest.mark.parametrize(("late", "names"), [("first", ["second"]), ("second", ["first"])])
def test_a_late_repository_is_not_waited_for_and_its_answer_dropped(
    make_stage: Callable[..., Stage], late: str, names: list[str]
):
    two = Two(make_stage(JOIN_S=0.2))
    assert symbols(two, f"hold {late}") == names
    assert two.editor.about("release", two.stage.base / late / "a.py").result
    assert symbols(two, "x") == ["first", "second"]
    assert two.editor.surplus == 0


def test_there_is_a_bound_on_symbols(make_stage: Callable[..., Stage]):
    assert symbols(Two(make_stage(JOINED_ENTRIES=1)), "x") == ["first"]


def test_a_daemon_that_dies_during_the_question_is_asked_again(two: Two):
    wanted = two.editor.begin("workspace/symbol", {"query": "hold second"})
    two.wait_for(two.second, "workspace/symbol")
    two.stage.kill_daemon(two.stage.daemon_of(two.second))
    assert [symbol["name"] for symbol in two.editor.finish(wanted).message["result"]] == ["first"]
    two.editor.drain(0.1)
    assert two.editor.surplus == 0


# what daemons ask


def test_ids_and_tokens_of_the_daemons_are_told_apart_and_answers_go_back(two: Two):
    for repository in (two.first, two.second):
        two.editor.about("ask", repository / "a.py")
    asked = [message for message in two.editor.asked if message["method"] == "window/workDoneProgress/create"]
    assert len({message["id"] for message in asked}) == len({message["params"]["token"] for message in asked}) == 2
    assert [message["params"]["token"] for message in two.editor.notified] == [
        asked[0]["params"]["token"],
        "of the client",
        asked[1]["params"]["token"],
        "of the client",
    ]
    assert sum(message["method"] == "client/registerCapability" for message in two.editor.asked) == 1
    for repository in (two.first, two.second):
        two.wait_for(repository, "response")
        assert two.editor.about("echo", repository / "a.py").result
        pid = two.stage.daemon_of(repository)
        answers = [
            note["id"] for note in two.stage.journal("line") if note["pid"] == pid and note["method"] == "response"
        ]
        assert sorted(answers, key=str) in ([1, "1"], ["1", 1])


def test_progress_is_cancelled_in_the_daemon_that_reports_it(two: Two):
    two.editor.about("ask", two.second / "a.py")
    (create,) = two.editor.asked
    two.editor.notify("window/workDoneProgress/cancel", {"token": create["params"]["token"]})
    two.wait_for(two.second, "window/workDoneProgress/cancel")
    (note,) = [note for note in two.stage.journal("line") if note["method"].endswith("/cancel")]
    assert (note["pid"], note["params"]) == (two.stage.daemon_of(two.second), {"token": "t"})


def test_only_the_main_daemon_reports_the_progress_of_a_request_to_all(two: Two):
    two.editor.request("workspace/symbol", {"query": "x", "workDoneToken": "p", "partialResultToken": "q"})
    for repository, params in (
        (two.first, {"query": "x", "workDoneToken": "p", "partialResultToken": "q"}),
        (two.second, {"query": "x", "partialResultToken": "q"}),
    ):
        pid = two.stage.daemon_of(repository)
        notes = [note for note in two.stage.journal("line") if note["pid"] == pid]
        assert [note["params"] for note in notes if note["method"] == "workspace/symbol"] == [params]


# folders that come and go


def test_a_folder_that_is_added_gets_a_daemon_and_the_documents_that_are_open_in_it(stage: Stage):
    editor = stage.editor()
    editor.begin_session(folders(stage.repo))
    other = stage.repository("other")
    editor.open(other / "a.py", "1")
    editor.change(other / "a.py", "2")
    editor.open(stage.repo / "b.py")
    event = {"added": folders(other, other / ".git")["workspaceFolders"], "removed": []}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert editor.about(HOVER, other / "a.py").result["pid"] == stage.daemon_of(other) != stage.daemon_of(stage.repo)
    assert stage.lines(stage.daemon_of(other)) == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "initialized"),
        (3, 0, OPEN),
        (4, 0, CHANGE),
        (5, 0, HOVER),
    ]
    assert editor.about(HOVER, stage.repo / "b.py").result["pid"] == stage.daemon_of(stage.repo)
    told = [note for note in stage.journal("line") if note["pid"] == stage.daemon_of(stage.repo)][-2:]
    assert [note["method"] for note in told] == [CLOSE, HOVER]
    assert told[0]["params"] == {"textDocument": {"uri": (other / "a.py").as_uri()}}
    assert editor.surplus == 0


def test_a_folder_that_is_closed_leaves_its_daemon_and_its_documents_to_the_main_one(two: Two):
    two.editor.open(two.second / "a.py")
    two.editor.about(HOVER, two.second / "a.py")
    holding = two.editor.begin("hold", {"uri": (two.second / "a.py").as_uri()})
    two.change_folders(removed=(two.second,))
    assert "was closed" in two.editor.finish(holding).message["error"]["message"]
    assert two.serving(two.second / "a.py") == two.first
    assert two.told(two.first) == ["workspace/didChangeWorkspaceFolders", OPEN, HOVER]
    assert two.stage.noted(lambda notes: any(note["event"] == "bye" for note in notes))
    two.change_folders(added=(two.second,))
    assert two.serving(two.second / "a.py") == two.second
    assert symbols(two, "x") == ["first", "second"]
    assert two.editor.surplus == 0


def test_progress_that_a_daemon_reports_ends_when_its_folder_is_closed(two: Two):
    two.editor.about("ask", two.second / "a.py")
    token = two.editor.asked[0]["params"]["token"]
    two.change_folders(removed=(two.second,))
    assert two.serving(two.second / "a.py") == two.first
    assert two.editor.notified[-1]["params"] == {"token": token, "value": {"kind": "end"}}


def test_the_main_repository_stays_when_its_folder_is_closed(two: Two):
    two.change_folders(removed=(two.first,))
    assert two.serving(two.first / "a.py") == two.first
    assert two.serving(two.second / "a.py") == two.second


def test_there_is_a_bound_on_daemons(make_stage: Callable[..., Stage]):
    two = Two(make_stage(FOLDER_LINKS=2))
    third = two.stage.repository("third")
    two.change_folders(added=(third,))
    assert two.serving(third / "a.py") == two.first


def test_a_repository_named_by_an_option_is_the_only_one(stage: Stage):
    other = stage.repository("other")
    editor = stage.editor("--repo", str(stage.repo))
    editor.begin_session(folders(other, stage.repo))
    event = {"added": folders(other)["workspaceFolders"], "removed": []}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert editor.about(HOVER, other / "a.py").result["pid"] == stage.daemon_of(stage.repo)
    assert [note["hello"]["repo"] for note in stage.journal("hello")] == [str(stage.repo)]


# the end of daemons and of the window


def test_a_killed_daemon_is_replaced_alone_and_nothing_is_answered_twice(two: Two):
    for repository in (two.first, two.second):
        two.editor.open(repository / "a.py")
    wanted = [two.editor.begin("hang", {"uri": (root / "a.py").as_uri()}) for root in (two.first, two.second)]
    for repository in (two.first, two.second):
        two.wait_for(repository, "hang")
    first = two.stage.daemon_of(two.first)
    two.stage.kill_daemon(two.stage.daemon_of(two.second))
    assert two.editor.finish(wanted[1]).result
    assert two.stage.daemon_of(two.first) == first
    assert two.stage.lines(two.stage.daemon_of(two.second)) == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "initialized"),
        (3, REPLAY, OPEN),
        (4, RESENT, "hang"),
    ]
    two.editor.drain(0.1)
    assert wanted[0] not in two.editor.answers
    assert two.editor.surplus == 0


def test_shutdown_is_answered_once_and_all_daemons_are_left(two: Two):
    assert two.editor.request("shutdown").message["result"] is None
    assert two.editor.exit() == 0
    assert two.stage.noted(lambda notes: sum(note["event"] == "bye" for note in notes) == 2)
    assert two.editor.surplus == 0


class Recording(Upstream):
    """Keeps what it is offered."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def offer(self, line: bytes) -> Upstream:
        self.lines.append(line)
        return self


class Collecting:
    """Keeps what the client is sent."""

    has_room = True

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def put(self, message: bytes) -> None:
        self.messages.append(message)


def test_a_window_with_one_repository_has_no_message_parsed(monkeypatch: pytest.MonkeyPatch):
    upstream, client, sinks = Recording(), Collecting(), list[Sink]()

    def connect(root: str, sink: Sink) -> Upstream:
        sinks.append(sink)
        return upstream

    links = FolderLinks(connect, client, "/r", follows=True)
    monkeypatch.setattr(folder_links, "parsed", None)
    links.begin(b"initialize", {"params": {"workspaceFolders": None}})
    links.offer(b'{"id":1,"method":"workspace/symbol"}')
    sinks[0].put(b'{"method":"$/progress"}')
    assert upstream.lines == [b"initialize", b'{"id":1,"method":"workspace/symbol"}']
    assert client.messages == [b'{"method":"$/progress"}']
