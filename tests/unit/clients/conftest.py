"""A home of its own for every test, with a program to install."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagentd.cli.main import main, parsed, parser_of, refuse_unknown
from codeagentd.clients.catalogue import clients

Run = Callable[..., tuple[int, str, str]]

OF_MCP = [of.id for of in clients().values() if of.takes_mcp]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """HOME, and a data directory; no client's variable is set."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("CODEAGENT_LASTING_COMMAND", raising=False)
    for name in (
        "XDG_CONFIG_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "CLINE_MCP_SETTINGS_PATH",
        "CRUSH_GLOBAL_CONFIG",
    ):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def program(tmp_path: Path) -> str:
    """An installed codeagent-mcp, with codeagent-lsp beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("codeagent-mcp", "codeagent-lsp"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder / "codeagent-mcp")


@pytest.fixture
def run(home: Path, program: str, capsys: pytest.CaptureFixture[str]) -> Run:
    """`codeagentd install | uninstall …`: exit code, output, errors."""

    def command(*words: str) -> tuple[int, str, str]:
        named = (
            ("--command", program)
            if words[0] == "install" and "--list" not in words and "--command" not in words
            else ()
        )
        code = main([*words, *named])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def run_as_is(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """`codeagentd …`, with the command that it finds."""

    def command(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is the current directory."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(root)
    return root


def entry_of(path: Path, *keys: str) -> Any:
    """What a strict JSON file says under some keys."""
    value = json.loads(path.read_text())
    for key in keys:
        value = value[key]
    return value


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def understood_commands(text: str) -> set[str]:
    """The names of the commands in a text for agents, in which every `codeagentd …` has to be a call that is
    understood.
    """
    calls = [call.split() for call in re.findall(r"`codeagentd ([^`]+)`", text)]
    for name, *words in calls:
        refuse_unknown(name)
        parsed(parser_of(name), words)
    return {name for name, *_ in calls}
