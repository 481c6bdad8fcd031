"""How a copy was installed is known by its environment, and so is the command that changes its version."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from codeagentd.cli.setup import environment, origin
from codeagentd.clients import program_path


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that lasts, in which this program is taken to run; it came from an index."""
    home = tmp_path / "home"
    folder = home / "env"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("PATH", str(home / "bin"))
    monkeypatch.delenv("UV", raising=False)
    use(monkeypatch, folder)
    monkeypatch.setattr(origin, "_record", lambda name: "")
    return folder


def use(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr("sys.prefix", str(folder))
    monkeypatch.setattr("sys.executable", str(folder / "bin/python"))
    monkeypatch.setattr(origin, "running", lambda: str(folder / "bin/codeagent-mcp"))


def program(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return str(folder / name)


def test_an_environment_of_the_user_is_changed_by_pip(prefix: Path):
    found = origin.origin_of("codeagentd==9")
    assert found.kind == "pip"
    assert found.command[:4] == (str(prefix / "bin/python"), "-m", "pip", "install")
    assert found.command[-2:] == ("--upgrade", "codeagentd==9")


def test_uv_changes_environments_where_it_is_installed(prefix: Path, tmp_path: Path):
    uv = program(tmp_path / "home/bin", "uv")
    found = origin.origin_of("codeagentd")
    assert found.command[:5] == (uv, "pip", "install", "--python", str(prefix / "bin/python"))


def test_a_tool_of_uv_is_installed_without_the_version_that_it_was_given_first(prefix: Path, tmp_path: Path):
    (prefix / "uv-receipt.toml").write_text("")
    assert origin.origin_of("codeagentd").command == ()
    uv = program(tmp_path / "home/bin", "uv")
    found = origin.origin_of("codeagentd")
    assert (found.kind, found.command) == ("uv tool", (uv, "tool", "install", "--upgrade", "--force", "codeagentd"))


def test_an_application_of_pipx_is_installed_by_pipx(prefix: Path, tmp_path: Path):
    (prefix / "pipx_metadata.json").write_text("{}")
    pipx = program(tmp_path / "home/bin", "pipx")
    found = origin.origin_of("codeagentd==9")
    assert (found.kind, found.command) == ("pipx", (pipx, "install", "--force", "codeagentd==9"))


def test_an_environment_of_the_install_script_is_left_to_it(prefix: Path):
    (prefix / "install-script").write_text("")
    found = origin.origin_of("codeagentd")
    assert (found.kind, found.command) == ("install script", ())
    assert "install.sh" in found.advice


def test_the_installation_of_setup_is_known(prefix: Path, monkeypatch: pytest.MonkeyPatch):
    use(monkeypatch, program_path.own_environment())
    assert origin.origin_of("codeagentd").kind == "setup"


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("npm", "data/npm/0.1.0-77"),
        ("Homebrew", "Cellar/codeagentd/0.1.0/libexec"),
    ],
)
def test_what_others_look_after_is_told_and_not_changed(
    prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, place: str
):
    use(monkeypatch, tmp_path / "home" / place)
    found = origin.origin_of("codeagentd")
    assert (found.kind, found.command) == (kind, ())
    assert found.advice


def test_a_checkout_and_a_cache_are_told(prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    use(monkeypatch, tmp_path / "home/.cache/pipx/0123")
    assert origin.origin_of("codeagentd").kind == "cache"
    monkeypatch.setattr(origin, "_record", lambda name: json.dumps({"dir_info": {"editable": True}}))
    found = origin.origin_of("codeagentd")
    assert (found.kind, found.command) == ("checkout", ())


def test_a_place_that_may_not_be_changed_is_told(prefix: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert origin.origin_of("codeagentd").kind == "system"


def test_extras_are_installed_again(monkeypatch: pytest.MonkeyPatch):
    metadata = [
        "pytest>=1 ; extra == 'testing'",
        'nobody-has-this>=2; python_version > "3" and extra == "rare"',
        "msgspec",
    ]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: metadata)
    assert environment.requirement_of("9") == "codeagentd[testing]==9"
    monkeypatch.setattr("importlib.metadata.requires", lambda name: None)
    assert environment.requirement_of("") == "codeagentd"
