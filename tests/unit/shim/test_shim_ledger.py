"""What a new daemon has to be told, and what a client is still owed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol.frames import REPLAY, RESENT
from codeagent_shim.limits import STATE_LINES
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


def test_state_has_a_bound():
    replay_log = ReplayLog()
    for _ in range(STATE_LINES + 10):
        replay_log.settle(replay_log.enter(b"x", 0.0, sent=True), keep=True)
    assert len(replay_log.lines_to_send()) == STATE_LINES


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
