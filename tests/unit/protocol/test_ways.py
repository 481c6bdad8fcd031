"""A directory that other users could exchange for one of theirs is refused, with the variable that names another."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_protocol import dirs
from codeagent_protocol.errors import EngineUnavailable

OURS, THEIRS = 4_000_000, 4_000_001

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are others there")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the cache: below a directory of this user that is not the home directory."""
    monkeypatch.setenv("HOME", "/nowhere")
    (tmp_path / "ours").mkdir(mode=0o755)
    monkeypatch.setenv("CODEAGENT_CACHE_DIR", str(tmp_path / "ours" / "cache"))
    return tmp_path / "ours" / "cache"


@pytest.fixture
def owned(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, int], None]:
    """Makes lstat report another owner for a path."""
    usual, owners = os.lstat, dict[str, int]()

    def lstat(path: str) -> os.stat_result:
        status = usual(path)
        owner = owners.get(os.fspath(path), os.getuid())
        return os.stat_result((*status[:4], owner, *status[5:]))

    def own(path: Path, uid: int) -> None:
        monkeypatch.setattr(os, "lstat", lstat)
        owners[str(path)] = uid

    monkeypatch.setattr(os, "getuid", lambda: OURS)
    monkeypatch.setattr(
        dirs, "_check_owner", lambda path, status: None
    )  # of the directory itself; tests/unit/protocol/test_places.py
    return own


def refused(path: Path) -> EngineUnavailable:
    with pytest.raises(EngineUnavailable) as caught:
        dirs.private(path)
    return caught.value


def test_a_directory_below_one_that_everybody_may_write_is_refused(
    cache: Path, owned: Callable[[Path, int], None]
) -> None:
    cache.parent.chmod(0o777)
    owned(cache, os.getuid())
    error = refused(cache / "worktrees")
    assert error.message == f"{cache}/worktrees is not safe: {cache.parent} can be written by other users (mode 0777)"
    assert error.remedy == f"`chmod go-w {cache.parent}`, or set CODEAGENT_CACHE_DIR to a directory of your own"
    assert not cache.exists()
    cache.parent.chmod(0o1777)
    assert dirs.private(cache).is_dir()


def test_a_directory_below_one_of_somebody_else_is_refused(cache: Path, owned: Callable[[Path, int], None]) -> None:
    owned(cache.parent, THEIRS)
    error = refused(cache)
    assert (error.code, error.message) == (
        "engine_unavailable",
        f"{cache} is not safe: {cache.parent} belongs to another user (uid {THEIRS})",
    )
    assert error.remedy == "set CODEAGENT_CACHE_DIR to a directory of your own"


def test_a_link_of_somebody_else_on_the_way_is_refused_and_one_of_ours_is_followed(
    cache: Path, tmp_path: Path, owned: Callable[[Path, int], None]
) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    cache.symlink_to(tmp_path / "real")
    owned(tmp_path, os.getuid())
    assert dirs.private(cache / "worktrees").is_dir()
    owned(cache, THEIRS)
    assert f"{cache} belongs to another user" in refused(cache / "worktrees").message
    owned(cache, os.getuid())
    owned(tmp_path / "real", THEIRS)
    assert f"{tmp_path}/real belongs to another user" in refused(cache / "worktrees").message


@pytest.mark.parametrize(("is_own", "others"), [(True, ()), (True, ("eve",)), (False, ())])
def test_a_group_may_write_where_the_user_is_its_only_member(
    cache: Path,
    owned: Callable[[Path, int], None],
    monkeypatch: pytest.MonkeyPatch,
    is_own: bool,
    others: tuple[str, ...],
) -> None:
    import grp
    import pwd

    cache.parent.chmod(0o775)
    owned(cache, os.getuid())
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: pwd.struct_passwd(("ann", "", uid, 5, "", "", "")))
    monkeypatch.setattr(
        grp, "getgrgid", lambda gid: grp.struct_group(("ann" if is_own else "staff", "", gid, [*others]))
    )
    if is_own and not others:
        assert dirs.private(cache).is_dir()
    else:
        assert "mode 0775" in refused(cache).message


def test_what_lies_in_the_home_directory_is_as_safe_as_that(
    cache: Path, owned: Callable[[Path, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(cache.parent))
    cache.parent.chmod(0o777)
    owned(cache.parent, THEIRS)
    assert dirs.private(cache / "worktrees").is_dir()
