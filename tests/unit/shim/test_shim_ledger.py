"""What a new daemon has to be told, and what a client is still owed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol.frames import REPLAY, RESENT
from codeagent_shim.limits import STATE_LINES
from codeagent_shim.replay_log import Ledger


def test_an_answer_is_owed_once():
    ledger = Ledger()
    seq = ledger.enter(b"ask", 0.0, sent=True)
    assert ledger.pending == 1
    assert ledger.settle(seq, keep=False)
    assert not ledger.settle(seq, keep=False)
    assert not ledger.settle(99, keep=True)
    assert (ledger.pending, ledger.bytes, ledger.has_state, ledger.retold()) == (0, 0, False, [])


def test_state_and_unanswered_lines_are_retold_in_the_clients_order():
    ledger = Ledger()
    for line in (b"initialize", b"slow", b"subscribe", b"new"):
        ledger.enter(line, 0.0, sent=line != b"new")
    ledger.settle(1, keep=True)
    ledger.settle(3, keep=True)
    assert ledger.retold() == [
        (1, REPLAY, b"initialize"),
        (2, RESENT, b"slow"),
        (3, REPLAY, b"subscribe"),
        (4, 0, b"new"),
    ]
    assert ledger.retold()[-1] == (4, RESENT, b"new")  # now it was sent


def test_adopted_lines_are_state_from_the_start_and_take_numbers():
    ledger = Ledger()
    ledger.adopt(b"initialize")
    assert ledger.enter(b"ask", 0.0, sent=False) == 2
    assert ledger.has_state
    assert ledger.pending == 1


def test_only_hopeless_lines_are_given_up():
    ledger = Ledger()
    ledger.enter(b"old", 0.0, sent=True)
    ledger.lose()
    ledger.enter(b"young", 0.0, sent=True)
    assert ledger.give_up(lambda entry: entry.losses >= 1) == [b"old"]
    assert ledger.retold() == [(2, RESENT, b"young")]


def test_state_has_a_bound():
    ledger = Ledger()
    for _ in range(STATE_LINES + 10):
        ledger.settle(ledger.enter(b"x", 0.0, sent=True), keep=True)
    assert len(ledger.retold()) == STATE_LINES


@given(
    st.lists(
        st.tuples(st.sampled_from(["enter", "settle", "keep", "lose", "give up"]), st.integers(1, 12)), max_size=60
    )
)
def test_every_line_leaves_exactly_once_whatever_happens(steps: list[tuple[str, int]]):
    ledger, entered, left = Ledger(), 0, []
    for step, number in steps:
        if step == "enter":
            entered = ledger.enter(b"%d" % (entered + 1), 0.0, sent=bool(number % 2))
        elif step in ("settle", "keep"):
            left += [b"%d" % number] if ledger.settle(number, keep=step == "keep") else []
        elif step == "lose":
            ledger.lose()
        else:
            left += ledger.give_up(lambda entry, number=number: entry.losses >= number)
    left += ledger.give_up(lambda entry: True)
    assert sorted(left) == sorted(b"%d" % seq for seq in range(1, entered + 1))
    assert ledger.bytes == 0
