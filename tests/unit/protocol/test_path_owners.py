"""Whether another user could exchange what a path leads to, with directories that belong to real other users."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_protocol import path_owners
from codeagent_protocol.path_owners import fault_of
from tests.harness.other_users import THEIRS, give, only_root

NOBODY = 65_534

pytestmark = only_root


def fault(path: Path, home: Path | str = "/nowhere") -> tuple[str, str]:
    """What is wrong with the way to a path, and where; ('', '') for nothing."""
    found = fault_of(str(path), str(home))
    return (found.step, found.reason.partition(" (")[0]) if found else ("", "")


def made(path: Path, uid: int = 0, mode: int = 0o755) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    give(path, uid)
    return path


def test_a_directory_of_another_user_is_found_above_one_of_root(tmp_path: Path) -> None:
    theirs = made(tmp_path / "theirs", THEIRS)
    made(theirs / "ours/cache", mode=0o700)
    assert fault(theirs / "ours/cache") == (str(theirs), "belongs to another user")
    assert fault(theirs / "ours/cache/not/made/yet") == (str(theirs), "belongs to another user")
    give(theirs, 0)
    assert fault(theirs / "ours/cache") == ("", "")


def test_a_chain_of_links_is_followed_through_another_users_directory(tmp_path: Path) -> None:
    theirs, ours = made(tmp_path / "theirs", THEIRS), made(tmp_path / "ours")
    (ours / "cache").symlink_to("../theirs/cache")
    (theirs / "cache").symlink_to(made(tmp_path / "safe/cache"))
    assert (ours / "cache").resolve() == tmp_path / "safe/cache"
    assert fault(ours / "cache/worktrees") == (str(theirs), "belongs to another user")


def test_a_link_that_leads_upwards_is_followed_where_it_leads(tmp_path: Path) -> None:
    made(tmp_path / "a/b")
    theirs = made(tmp_path / "theirs", THEIRS)
    made(theirs / "cache")
    (tmp_path / "link").symlink_to("a/b")
    assert fault(tmp_path / "link/../../theirs/cache") == (str(theirs), "belongs to another user")


def test_a_link_of_another_user_and_one_that_leads_to_itself_are_found(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(made(tmp_path / "ours"))
    give(tmp_path / "link")
    assert fault(tmp_path / "link/cache") == (str(tmp_path / "link"), "belongs to another user")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        fault_of(str(tmp_path / "loop/cache"), "/nowhere")


def test_nobody_is_another_user_unless_the_name_space_lacks_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made(tmp_path / "nobodys", NOBODY) / "cache"
    expected = (str(tmp_path / "nobodys"), "belongs to another user")
    if path_owners._maps_all_users():
        assert fault(place) == expected
    monkeypatch.setattr(path_owners, "_maps_all_users", lambda: True)
    assert fault(place) == expected
    monkeypatch.setattr(path_owners, "_maps_all_users", lambda: False)
    assert fault(place) == ("", "")


def test_a_file_may_be_written_by_nobody_else(tmp_path: Path) -> None:
    file = made(tmp_path / "config") / "config.json"
    file.write_text("{}")
    for mode, reason in ((0o600, ""), (0o644, ""), (0o666, "can be written by other users")):
        file.chmod(mode)
        assert fault(file) == ((str(file), reason) if reason else ("", ""))
    file.chmod(0o600)
    give(file)
    assert fault(file) == (str(file), "belongs to another user")


def test_an_open_directory_is_a_fault_unless_it_is_the_end_or_on_a_read_only_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made(tmp_path / "open", mode=0o777)
    assert fault(place) == ("", "")
    assert fault(place / "file") == (str(place), "can be written by other users")
    usual = os.statvfs(place)
    monkeypatch.setattr(
        os, "statvfs", lambda path: os.statvfs_result((*usual[:8], usual.f_flag | os.ST_RDONLY, usual[9]))
    )
    assert fault(place / "file") == ("", "")


def test_what_lies_above_the_home_directory_is_not_looked_at(tmp_path: Path) -> None:
    home = made(made(tmp_path / "homes", THEIRS) / "me", THEIRS)
    made(home / "cache")
    assert fault(home / "cache", home) == ("", "")
    made(home / "cache", THEIRS)
    assert fault(home / "cache", home) == (str(home / "cache"), "belongs to another user")
