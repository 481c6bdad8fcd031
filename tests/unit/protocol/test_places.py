"""The paths of a daemon's files, and their protection from other users."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

import platformdirs.macos
import platformdirs.unix
import pytest

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import MAX_SOCKET_PATH, Endpoint, endpoint_of
from codeagent_protocol.errors import EngineUnavailable

OVERRIDES = ("CODEAGENT_CACHE_DIR", "CODEAGENT_DATA_DIR", "CODEAGENT_RUNTIME_DIR", "CODEAGENT_CONFIG_DIR")
XDG = ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No variable set but HOME."""
    for name in (*OVERRIDES, *XDG):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return monkeypatch


@pytest.mark.parametrize(
    ("platform", "rules"), [("linux", platformdirs.unix.Unix), ("darwin", platformdirs.macos.MacOS)]
)
@pytest.mark.parametrize("xdg", [None, "/somewhere/else", "relative"])
def test_the_defaults_are_the_platforms_own(plain: pytest.MonkeyPatch, platform: str, rules: type, xdg: str | None):
    plain.setattr(dirs.sys, "platform", platform)
    for name in XDG[:4] if xdg else ():
        plain.setenv(name, str(xdg))
    theirs = rules("codeagentd", appauthor=False)
    assert [str(path) for path in (dirs.cache_dir(), dirs.data_dir(), dirs.config_dir(), dirs.state_dir())] == [
        theirs.user_cache_dir,
        theirs.user_data_dir,
        theirs.user_config_dir,
        theirs.user_state_dir,
    ]


def test_the_overrides_are_used_as_they_are(plain: pytest.MonkeyPatch):
    for name in OVERRIDES:
        plain.setenv(name, f"/x/{name.lower()}")
    assert str(dirs.cache_dir()) == "/x/codeagent_cache_dir"
    assert str(dirs.data_dir()) == "/x/codeagent_data_dir"
    assert str(dirs.config_dir()) == "/x/codeagent_config_dir"
    assert str(dirs.runtime_dir()) == "/x/codeagent_runtime_dir"
    assert str(dirs.state_dir()) == "/x/codeagent_cache_dir/log"


def test_sockets_are_never_in_a_guessable_temporary_directory(plain: pytest.MonkeyPatch, tmp_path: Path):
    assert dirs.runtime_dir() == dirs.cache_dir() / "run"
    plain.setenv("XDG_RUNTIME_DIR", "relative")
    assert dirs.runtime_dir() == dirs.cache_dir() / "run"
    plain.setenv("XDG_RUNTIME_DIR", str(tmp_path / "user"))
    assert dirs.runtime_dir() == tmp_path / "user" / "codeagentd"


def test_without_a_usable_home_the_systems_user_list_is_asked(plain: pytest.MonkeyPatch):
    for value in ("", "relative", "/"):
        plain.setenv("HOME", value)
        assert os.path.isabs(dirs.home())
        assert dirs.home() != value


def test_a_private_directory_and_its_missing_parents_are_private_under_any_umask(tmp_path: Path):
    before = os.umask(0)
    try:
        made = dirs.private(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (made, made.parent)] == [0o700, 0o700]


def test_a_directory_that_others_could_enter_is_closed_to_them(tmp_path: Path):
    (tmp_path / "open").mkdir(mode=0o755)
    assert dirs.private(tmp_path / "open").stat().st_mode & 0o777 == 0o700


def test_a_directory_or_link_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000)
    for name in ("theirs", "link"):
        with pytest.raises(EngineUnavailable, match="belongs to another user") as caught:
            dirs.private(tmp_path / name)
        assert caught.value.remedy == "make it a directory of your own"


@pytest.mark.parametrize("kind", ["CACHE", "DATA", "CONFIG", "RUNTIME"])
def test_a_file_in_the_way_is_refused_with_the_variable_that_names_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(f"CODEAGENT_{kind}_DIR", str(tmp_path / "file"))
    with pytest.raises(EngineUnavailable, match="cannot be used") as caught:
        dirs.private(tmp_path / "file" / "below")
    assert caught.value.remedy == f"set CODEAGENT_{kind}_DIR to a directory of your own"


def test_the_variable_that_moves_a_directory_is_known_where_one_is_below_another(
    plain: pytest.MonkeyPatch, tmp_path: Path
):
    assert (
        dirs.variable_of(f"{dirs.runtime_path()}/x.sock") == "CODEAGENT_RUNTIME_DIR"
    )  # below the cache, when the system has no place for it
    assert dirs.variable_of(dirs.state_path()) == "CODEAGENT_CACHE_DIR"
    assert dirs.variable_of(f"{dirs.cache_path()}-of-another-program") == ""


def test_every_spelling_of_a_repository_has_one_endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    repo = tmp_path / "repo"
    (repo / "src").mkdir(parents=True)
    (tmp_path / "link").symlink_to(repo)
    monkeypatch.chdir(repo)
    endpoints = {endpoint_of(spelling) for spelling in (repo, str(repo), str(tmp_path / "link"), ".", "src/..")}
    assert len(endpoints) == 1
    assert endpoints.pop().root == str(repo.resolve())
    assert endpoint_of(repo) != endpoint_of(repo / "src")


def test_the_name_is_the_documented_hash(tmp_path: Path):
    digest = hashlib.blake2b(os.fsencode(tmp_path.resolve()), digest_size=10).digest()
    endpoint = endpoint_of(tmp_path)
    assert endpoint.name == base64.b32encode(digest).decode().lower()
    assert len(endpoint.name) == 16


def test_an_endpoint_names_its_files(plain: pytest.MonkeyPatch):
    plain.setenv("CODEAGENT_CACHE_DIR", "/c")
    endpoint = Endpoint("/repo", "name", "/run")
    assert (endpoint.socket, endpoint.control) == ("/run/name.sock", "/run/name.ctl")
    assert (endpoint.life_lock, endpoint.launch_lock) == ("/run/name.life", "/run/name.launch")
    assert (endpoint.index, endpoint.log, endpoint.start_log) == (
        Path("/c/worktrees/name"),
        Path("/c/log/name.log"),
        "/c/log/name.start.log",
    )
    assert "repo" in repr(endpoint)
    assert endpoint != "something else"


def test_a_runtime_directory_too_long_for_a_socket_is_refused_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    long = tmp_path / ("x" * MAX_SOCKET_PATH)
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", str(long))
    with pytest.raises(EngineUnavailable, match="longer than 100 bytes") as caught:
        endpoint_of(tmp_path)
    assert "CODEAGENT_RUNTIME_DIR" in caught.value.remedy
    assert not long.exists()
