"""Signing in: tokens that work once and soon, cookies of a week, and what the disk knows of both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codeagentd.serve.page.sign_in import COOKIE_S, EDITOR, MOST, TOKEN_S, VIEWER, SignIns


class Clock:
    """Unix seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "page.json"


@pytest.fixture
def sign_ins(state: Path, clock: Clock) -> SignIns:
    return SignIns(state, clock)


def cookie(sign_ins: SignIns, *, may_write: bool = False) -> str:
    """The cookie of a new browser."""
    value = sign_ins.redeem(sign_ins.new_token(may_write=may_write))
    assert value
    return value


def test_a_token_works_once(sign_ins: SignIns):
    token = sign_ins.new_token()
    assert sign_ins.redeem(token)
    assert sign_ins.redeem(token) is None
    assert sign_ins.redeem("") is None
    assert sign_ins.redeem("wrong") is None


def test_a_token_is_pasted_with_blanks_around_it(sign_ins: SignIns):
    assert sign_ins.redeem(f"  {sign_ins.new_token()}\r\n")


def test_a_token_works_for_ten_minutes(sign_ins: SignIns, clock: Clock):
    assert TOKEN_S == 600
    early, late = sign_ins.new_token(), sign_ins.new_token()
    clock.now += TOKEN_S - 1
    assert sign_ins.redeem(early)
    clock.now += 1
    assert sign_ins.redeem(late) is None


def test_a_cookie_is_valid_for_a_week(sign_ins: SignIns, clock: Clock):
    assert COOKIE_S == 7 * 24 * 3600
    value = cookie(sign_ins)
    clock.now += COOKIE_S - 1
    assert sign_ins.user_of((value,)) == VIEWER
    clock.now += 1
    assert sign_ins.user_of((value,)) is None


def test_who_may_write_is_in_the_record_of_the_cookie(sign_ins: SignIns):
    viewer, editor = cookie(sign_ins), cookie(sign_ins, may_write=True)
    assert [sign_ins.user_of((value,)) for value in (viewer, editor)] == [VIEWER, EDITOR]
    assert sign_ins.user_of(()) is None
    assert sign_ins.user_of(("", "wrong")) is None


def test_the_disk_knows_digests_alone_and_only_the_user_reads_them(sign_ins: SignIns, state: Path):
    token = sign_ins.new_token()
    value = sign_ins.redeem(token)
    assert value
    text = state.read_text()
    assert token not in text
    assert value not in text
    assert state.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in state.parent.iterdir()] == ["page.json"]


def test_the_next_daemon_knows_the_browsers_and_the_port_but_no_tokens(sign_ins: SignIns, state: Path, clock: Clock):
    value, token = cookie(sign_ins), sign_ins.new_token()
    sign_ins.keep_port(47_123)
    following = SignIns(state, clock)
    assert (following.user_of((value,)), following.port) == (VIEWER, 47_123)
    assert following.redeem(token) is None


def test_without_a_browser_that_is_signed_in_no_port_is_taken(sign_ins: SignIns, state: Path, clock: Clock):
    sign_ins.keep_port(47_123)
    assert SignIns(state, clock).port == 0
    cookie(sign_ins)
    clock.now += COOKIE_S
    assert SignIns(state, clock).port == 0


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"port": "x"}', b'{"browsers": [{"digest": 1}]}', b"\xff\xfe", b" " * 200_000]
)
def test_a_damaged_file_counts_as_none(state: Path, clock: Clock, content: bytes):
    state.write_bytes(content)
    sign_ins = SignIns(state, clock)
    assert sign_ins.port == 0
    value = cookie(sign_ins)
    assert SignIns(state, clock).user_of((value,)) == VIEWER


def test_a_link_in_place_of_the_file_is_not_followed(state: Path, clock: Clock, tmp_path: Path):
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"port": 5, "browsers": [{"digest": "00", "until": 2e9, "may_write": True}]}))
    state.symlink_to(other)
    sign_ins = SignIns(state, clock)
    assert sign_ins.port == 0
    cookie(sign_ins)
    assert json.loads(other.read_text())["port"] == 5
    assert not state.is_symlink()


def test_the_33rd_browser_pushes_the_oldest_out(sign_ins: SignIns):
    values = [cookie(sign_ins) for _ in range(MOST + 1)]
    assert [value for value in values if sign_ins.user_of((value,)) is None] == values[:1]


def test_the_33rd_token_pushes_the_oldest_out(sign_ins: SignIns):
    tokens = [sign_ins.new_token() for _ in range(MOST + 1)]
    assert [token for token in tokens if sign_ins.redeem(token) is None] == tokens[:1]


def test_a_browser_that_signs_out_is_forgotten_on_the_disk_too(sign_ins: SignIns, state: Path, clock: Clock):
    one, other = cookie(sign_ins), cookie(sign_ins)
    sign_ins.sign_out((one,))
    following = SignIns(state, clock)
    assert [following.user_of((value,)) for value in (one, other)] == [None, VIEWER]


def test_where_nothing_can_be_written_one_signs_in_for_as_long_as_the_daemon_lives(tmp_path: Path, clock: Clock):
    sign_ins = SignIns(tmp_path / "missing" / "page.json", clock)
    assert sign_ins.user_of((cookie(sign_ins),)) == VIEWER
