"""The file of users: who may see what, and for how long."""

from __future__ import annotations

import datetime
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagentd.serve.http.keys import User
from codeagentd.serve.repositories import users
from codeagentd.serve.repositories.users import Users, add, listed, remove
from tests.harness.other_users import THEIRS, give, only_root


def test_a_key_is_its_users(tmp_path: Path) -> None:
    path = tmp_path / "new" / "users.jsonl"
    ann, bob = add(path, "ann", ("team/*", "shop")), add(path, "bob", ("*",))
    everyone = Users(path)
    user = everyone.user_of(("", ann))
    assert user is not None
    assert user.name == "ann"
    assert [everyone.may_see(user, name) for name in ("team/a", "shop", "shop2", "other/team/a")] == [
        True,
        True,
        False,
        False,
    ]
    assert everyone.user_of((bob,)) != user
    for wrong in ("", ann[:-1], f"{ann}x", "cad_", user.key):
        assert everyone.user_of((wrong,)) is None


def test_changes_are_seen_at_once(tmp_path: Path) -> None:
    path = tmp_path / "users.jsonl"
    key, everyone = add(path, "ann", ("*",)), Users(path)
    user = everyone.user_of((key,))
    assert user
    remove(path, "ann")
    assert everyone.user_of((key,)) is None
    assert not everyone.may_see(user, "shop")
    with pytest.raises(NotFound):
        remove(path, "ann")


def test_a_key_ends_with_its_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "users.jsonl"
    key = add(path, "ann", ("*",), "2027-01-31")
    everyone = Users(path)
    for day, is_valid in ((30, True), (31, False)):
        monkeypatch.setattr(users, "_now", lambda day=day: datetime.datetime(2027, 1, day, 12, tzinfo=datetime.UTC))
        assert bool(everyone.user_of((key,))) is is_valid
        assert everyone.may_see(User("ann", listed(path)[0].sha256), "shop") is is_valid


def test_many_at_once_lose_nobody(tmp_path: Path) -> None:
    path = tmp_path / "users.jsonl"
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda number: add(path, f"user{number}", ("*",)), range(24)))
    assert len({*keys}) == len(listed(path)) == 24


@pytest.mark.parametrize(("name", "expires"), [("", ""), ("a b", ""), ("a/b", ""), ("x" * 101, ""), ("ann", "soon"), ("ann", "2027-02-30")])  # fmt: skip
def test_what_does_not_fit_is_refused(tmp_path: Path, name: str, expires: str) -> None:
    with pytest.raises(InvalidParameter):
        add(tmp_path / "users.jsonl", name, ("*",), expires)
    assert listed(tmp_path / "users.jsonl") == []


@only_root
def test_an_administrator_adds_to_the_file_of_the_servers_user_and_loses_nobody(tmp_path: Path) -> None:
    give(tmp_path)
    for name in ("ann", "bob"):
        add(tmp_path / "users.jsonl", name, ("*",))
    assert [entry.name for entry in listed(tmp_path / "users.jsonl")] == ["ann", "bob"]
    assert (tmp_path / "users.jsonl").stat().st_uid == THEIRS


@only_root
def test_a_server_relies_on_no_file_that_another_user_could_exchange(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/nowhere")
    path = tmp_path / "theirs" / "users.jsonl"
    key = add(path, "ann", ("*",))
    assert Users(path).user_of((key,))
    give(path.parent)
    assert Users(path).user_of((key,)) is None
    assert f"belongs to another user (uid {THEIRS})" in users.trouble_of(path)
