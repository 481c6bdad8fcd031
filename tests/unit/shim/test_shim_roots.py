"""The repository that a window serves when no option names it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.frames import REPLAY
from codeagent_protocol.initialize import LATEST
from tests.harness.window import Json, Window
from tests.unit.shim.stage import Stage

HANDSHAKE = {
    "protocolVersion": "2025-03-26",
    "capabilities": {"roots": {"listChanged": True}},
    "clientInfo": {"name": "rooted", "version": "1"},
}


class RootedWindow(Window):
    """A client that names its roots when asked; None: it never answers."""

    roots: list[str] | None = None
    asked = 0

    def _sort(self, line: bytes) -> None:
        message = json.loads(line)
        if message.get("method") != "roots/list":
            super()._sort(line)
            return
        self.asked += 1
        if self.roots is not None:
            self.send(
                {"jsonrpc": "2.0", "id": message["id"], "result": {"roots": [{"uri": uri} for uri in self.roots]}}
            )

    def shake_hands(self, **changes: Any) -> Json:
        """initialize with roots, then initialized; the result."""
        result = self.request("initialize", HANDSHAKE | changes).result
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result


@pytest.fixture
def rooted(stage: Stage) -> Callable[..., RootedWindow]:
    """Opens windows of a client with roots, outside any repository unless told otherwise."""
    return opener(stage)


def opener(stage: Stage) -> Callable[..., RootedWindow]:
    def open_window(*roots: str, cwd: Path | None = None, answers: bool = True) -> RootedWindow:
        window = RootedWindow(stage.argv("--read-only"), stage.environment, cwd or stage.base, stage.errors)
        window.roots = list(roots) if answers else None
        stage.windows.append(window)
        return window

    return open_window


def test_the_first_root_that_may_be_a_repository_is_served_and_the_daemon_told_the_handshake(
    stage: Stage, rooted: Callable[..., RootedWindow]
):
    spaced = stage.base / "my ümlaut repo"
    spaced.mkdir()
    window = rooted(
        "https://example.invalid/x", "file:///", f"file://{stage.base}/my%20%C3%BCmlaut%20repo", f"file://{stage.repo}"
    )
    result = window.shake_hands()
    assert result["protocolVersion"] == "2025-03-26"
    assert result["serverInfo"]["name"] == "codeagentd"
    assert window.request("echo").result
    assert stage.journal("hello")[0]["hello"]["repo"] == str(spaced)
    assert stage.lines(stage.daemons()[0]) == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "notifications/initialized"),
        (3, 0, "echo"),
    ]
    assert window.asked == 1
    assert window.surplus == 0


def test_requests_made_before_the_roots_are_known_wait_for_them(stage: Stage, rooted: Callable[..., RootedWindow]):
    window = rooted(f"file://{stage.repo}")
    first = window.begin("initialize", HANDSHAKE)
    window.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    wanted = [first, window.begin("echo", {"at": 1}), window.begin("echo", {"at": 2})]
    assert [window.finish(number).result.get("params") for number in wanted] == [None, {"at": 1}, {"at": 2}]
    assert window.surplus == 0


@pytest.mark.parametrize("roots", [[], ["file:///"], ["file:///nonexistent"]])
def test_without_a_usable_root_the_current_directory_counts(
    stage: Stage, rooted: Callable[..., RootedWindow], roots: list[str]
):
    window = rooted(*roots, cwd=stage.repo)
    window.shake_hands()
    assert window.request("echo").result
    assert stage.journal("hello")[0]["hello"]["repo"] == str(stage.repo)


def test_a_client_that_never_names_its_roots_gets_the_current_directory(make_stage: Callable[..., Stage]):
    stage = make_stage(ROOTS_S=0.1)
    window = opener(stage)(cwd=stage.repo, answers=False)
    window.shake_hands()
    assert window.request("echo").result
    assert stage.journal("hello")[0]["hello"]["repo"] == str(stage.repo)


def test_a_client_that_closes_its_end_before_naming_roots_is_still_answered(stage: Stage):
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE},
        {"jsonrpc": "2.0", "id": 2, "method": "echo"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        stage.argv(),
        input=text,
        capture_output=True,
        text=True,
        env=stage.environment,
        cwd=stage.repo,
        timeout=20,
        check=True,
    )
    assert [json.loads(line).get("id") for line in done.stdout.splitlines()] == [1, "codeagent-roots", 2]


def test_a_client_without_roots_gets_the_repository_of_the_current_directory(stage: Stage):
    window = stage.window("--read-only", cwd=stage.repo)
    window.initialize()
    assert stage.lines(stage.daemons()[0])[0] == (1, 0, "initialize")


def test_without_any_repository_each_request_is_told_what_to_do(stage: Stage):
    window = stage.window("--read-only", cwd=stage.base)
    for method in ("server/discover", "initialize", "tools/list"):
        error = window.request(method).message["error"]
        assert error["code"] == -32602
        assert error["data"]["code"] == "invalid_parameter"
        assert "--repo PATH or CODEAGENT_REPO=PATH" in error["message"]
    assert not stage.daemons()
    assert window.close() == 0


def test_roots_may_still_come_after_a_first_request_was_refused(stage: Stage, rooted: Callable[..., RootedWindow]):
    window = rooted(f"file://{stage.repo}")
    assert "error" in window.request("server/discover").message
    window.shake_hands(protocolVersion="1999-01-01")
    assert window.request("echo").result
    assert window.surplus == 0


def test_an_unknown_protocol_version_is_answered_with_the_latest(rooted: Callable[..., RootedWindow]):
    assert rooted().shake_hands(protocolVersion="1999-01-01")["protocolVersion"] == LATEST


@pytest.mark.parametrize("named", [["--repo", "/"], ["--repo", "/nonexistent"], ["--repo", "~"]])
def test_a_refused_repository_is_explained_in_the_first_answer_and_on_stderr(stage: Stage, named: list[str]):
    (stage.base / "home").mkdir()
    window = stage.window(*named)
    error = window.request("initialize").message["error"]
    assert error["data"]["code"] == "invalid_parameter"
    assert "--repo" in error["data"]["message"]
    assert "CODEAGENT_REPO" in error["data"]["remedy"]
    assert len(stage.errors.read_text().splitlines()) == 1


def test_the_flag_beats_the_variable_and_the_variable_the_current_directory(stage: Stage):
    other = stage.base / "other"
    other.mkdir()
    stage.window("--repo", str(stage.repo), CODEAGENT_REPO=str(other)).initialize()
    stage.window("--read-only", cwd=stage.repo, CODEAGENT_REPO=str(other)).initialize()
    assert [note["hello"]["repo"] for note in stage.journal("hello")] == [str(stage.repo), str(other)]
