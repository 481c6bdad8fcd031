"""What a new daemon has to be told, and what a client is still owed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol.frames import MAX_LINE_BYTES, REPLAY, RESENT
from codeagent_shim import limits
from codeagent_shim.replay_log import ReplayLog


def test_an_answer_is_owed_once():
    replay_log = ReplayLog()
    seq = replay_log.enter(b"ask", 0.0, sent=True)
    assert replay_log.pending == 1
    assert replay_log.settle(seq, keep=False)
    assert not replay_log.settle(seq, keep=False)
    assert not replay_log.settle(99, keep=True)
    assert (replay_log.pending, replay_log.bytes, replay_log.has_state, replay_log.lines_to_send()) == (0, 0, False, [])


def test_state_and_unanswered_lines_are_retold_in_the_clients_order():
    replay_log = ReplayLog()
    for line in (b"initialize", b"slow", b"subscribe", b"new"):
        replay_log.enter(line, 0.0, sent=line != b"new")
    replay_log.settle(1, keep=True)
    replay_log.settle(3, keep=True)
    assert replay_log.lines_to_send() == [
        (1, REPLAY, b"initialize"),
        (2, RESENT, b"slow"),
        (3, REPLAY, b"subscribe"),
        (4, 0, b"new"),
    ]
    assert replay_log.lines_to_send()[-1] == (4, RESENT, b"new")  # now it was sent


def test_adopted_lines_are_state_from_the_start_and_take_numbers():
    replay_log = ReplayLog()
    replay_log.add_state(b"initialize")
    assert replay_log.enter(b"ask", 0.0, sent=False) == 2
    assert replay_log.has_state
    assert replay_log.pending == 1


def test_only_hopeless_lines_are_given_up():
    replay_log = ReplayLog()
    replay_log.enter(b"old", 0.0, sent=True)
    replay_log.lose()
    replay_log.enter(b"young", 0.0, sent=True)
    assert replay_log.give_up(lambda entry: entry.losses >= 1) == [b"old"]
    assert replay_log.lines_to_send() == [(2, RESENT, b"young")]


def retold(replay_log: ReplayLog) -> list[tuple[int, bytes]]:
    """The numbers and the lines for a new daemon."""
    return [(seq, line) for seq, _, line in replay_log.lines_to_send()]


def with_state(*lines: bytes) -> ReplayLog:
    """A log whose lines all made state."""
    replay_log = ReplayLog()
    for line in lines:
        replay_log.settle(replay_log.enter(line, 0.0, sent=True), keep=True)
    return replay_log


def test_state_has_a_bound_in_bytes_and_the_oldest_goes_first_but_never_the_handshake(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "STATE_BYTES", 6 * (1000 + limits.LINE_BYTES))
    monkeypatch.setattr(limits, "STATE_SPARE_BYTES", 0)
    replay_log = with_state(*(bytes((number,)) * 1000 for number in range(1, 11)))
    assert [seq for seq, _ in retold(replay_log)] == [1, 2, 7, 8, 9, 10]


def test_room_is_made_for_several_lines_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "STATE_BYTES", 8 * (1000 + limits.LINE_BYTES))
    monkeypatch.setattr(limits, "STATE_SPARE_BYTES", 3 * (1000 + limits.LINE_BYTES))
    assert [seq for seq, _ in retold(with_state(*[b"x" * 1000] * 9))] == [1, 2, 7, 8, 9]


def test_a_replacement_takes_the_place_of_the_last_line_that_it_replaces():
    replay_log = with_state(b"initialize", b"initialized", b"open a", b"change a", b"open b", b"change a again")
    replay_log.enter(b"hover", 0.0, sent=True)
    replay_log.replace((3, 4, 6), b"open a, changed")
    assert retold(replay_log) == [
        (1, b"initialize"),
        (2, b"initialized"),
        (5, b"open b"),
        (6, b"open a, changed"),
        (7, b"hover"),
    ]


def test_an_empty_replacement_drops_the_lines_of_a_closed_document():
    replay_log = with_state(b"initialize", b"open a", b"change a")
    replay_log.replace((2, 3), b"")
    replay_log.replace((), b"")
    replay_log.replace((99,), b"")
    assert retold(replay_log) == [(1, b"initialize")]


@pytest.mark.parametrize("numbers", [(), (0,), (9,), (2**64 - 1,)])
def test_a_replacement_never_takes_a_number_that_no_line_had(numbers: tuple[int, ...]):
    replay_log = with_state(b"initialize", b"open a")
    replay_log.replace(numbers, b"open x")
    assert retold(replay_log) == [(1, b"initialize"), (2, b"open a")]


def test_a_replacement_that_is_too_long_to_be_sent_again_is_not_stored():
    replay_log = with_state(b"initialize", b"open a")
    replay_log.replace((2,), b"x" * (MAX_LINE_BYTES + 1))
    assert retold(replay_log) == [(1, b"initialize")]


@given(st.lists(st.tuples(st.sets(st.integers(1, 12), max_size=4), st.binary(max_size=3)), max_size=12))
def test_replacements_leave_each_line_once_and_count_what_is_stored(replacements: list[tuple[set[int], bytes]]):
    replay_log = with_state(*(b"%d" % number for number in range(1, 13)))
    expected = {number: b"%d" % number for number in range(1, 13)}
    for numbers, line in replacements:
        replay_log.replace(sorted(numbers), line)
        for number in numbers:
            expected.pop(number, None)
        if line and numbers:
            expected[max(numbers)] = line
    assert retold(replay_log) == sorted(expected.items())
    assert replay_log._state_bytes == sum(len(line) + limits.LINE_BYTES for line in expected.values())


@given(
    st.lists(
        st.tuples(st.sampled_from(["enter", "settle", "keep", "lose", "give up"]), st.integers(1, 12)), max_size=60
    )
)
def test_every_line_leaves_exactly_once_whatever_happens(steps: list[tuple[str, int]]):
    replay_log, entered, left = ReplayLog(), 0, []
    for step, number in steps:
        if step == "enter":
            entered = replay_log.enter(b"%d" % (entered + 1), 0.0, sent=bool(number % 2))
        elif step in ("settle", "keep"):
            left += [b"%d" % number] if replay_log.settle(number, keep=step == "keep") else []
        elif step == "lose":
            replay_log.lose()
        else:
            left += replay_log.give_up(lambda entry, number=number: entry.losses >= number)
    left += replay_log.give_up(lambda entry: True)
    assert sorted(left) == sorted(b"%d" % seq for seq in range(1, entered + 1))
    assert replay_log.bytes == 0
