"""The process that knows issuers' keys comes when it is asked and goes when it is not; whatever happens to it, no doubtful text gets through."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.secrets import redaction as rules
from codeagentd.secrets.redaction import REMOVED, redacted, shown
from codeagentd.secrets.scanner import WORKER, Detectors
from tests.harness import processes
from tests.harness.waiting import comes, eventually

KEY = "fig" + "d_FMzekVIV5GPy15VfiwfqGP6gGTahvKXifwkWbqzW"  # nothing but an issuer's rule knows it
TEXT = f"x = '{KEY}'".encode()
PLACE = [(TEXT.index(KEY.encode()), TEXT.index(KEY.encode()) + len(KEY))]
PATIENCE_S = 30.0

LOADS = "from codeagent_protocol.pipes import receive, send; import os, sys, time; send(1, b'ready'); receive(sys.stdin.buffer); "
DIES = (sys.executable, "-c", LOADS + "os._exit(1)")
HANGS = (sys.executable, "-c", LOADS + "time.sleep(600)")
SPEAKS_HALF = (sys.executable, "-c", LOADS + "os.write(1, b'\\0\\0\\0\\9half')")
IS_NOT_THERE = (sys.executable, "-c", "raise SystemExit(1)")

DAEMON = f"""
import time
from codeagentd.secrets.scanner import detectors
detectors.detected({TEXT!r})
print(*detectors.pids, flush=True)
time.sleep(600)
"""


@pytest.fixture
def asked() -> Iterator[Detectors]:
    detectors = Detectors((*WORKER[:-1], "0.5"))
    yield detectors
    detectors.end()


def gone(detectors: Detectors) -> bool:
    return comes(lambda: not detectors.pids)


def test_the_process_is_there_while_somebody_asks(asked: Detectors) -> None:
    assert asked.pids == ()
    assert asked.detected(TEXT) == PLACE
    (first,) = asked.pids
    assert asked.detected(b"nothing in here") == []
    assert asked.pids == (first,)
    assert gone(asked), "it rests"
    assert asked.detected(TEXT) == PLACE
    assert asked.pids != (first,)
    asked.end()
    assert asked.pids == ()


def test_one_that_was_killed_or_hangs_is_replaced_and_the_answer_is_the_same(asked: Detectors) -> None:
    asked.detected(TEXT)
    os.kill(asked.pids[0], signal.SIGKILL)
    assert asked.detected(TEXT) == PLACE
    impatient = Detectors(WORKER, scan_s=1.0)
    impatient.detected(TEXT)
    os.kill(impatient.pids[0], signal.SIGSTOP)
    assert impatient.detected(TEXT) == PLACE
    impatient.end()


def test_its_end_is_the_daemons_end() -> None:
    with subprocess.Popen([sys.executable, "-c", DAEMON], stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        pid = int(daemon.stdout.readline())
        daemon.kill()
    assert processes.ended(pid)


@pytest.mark.parametrize(
    "command",
    [DIES, HANGS, SPEAKS_HALF, IS_NOT_THERE, ("/nowhere",)],
    ids=["dies", "hangs", "half", "missing", "no program"],
)
def test_a_text_that_cannot_be_searched_is_withheld_and_never_kept(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    detectors = Detectors(command, scan_s=0.3)
    monkeypatch.setattr(rules, "detectors", detectors)
    text = f"first\nx = '{KEY}'\nlast"
    with pytest.raises(EngineUnavailable):
        redacted(text)
    assert shown(text) == f"{REMOVED}\n\n"
    assert shown("nothing to doubt") == "nothing to doubt"
    assert detectors.pids == ()


def test_the_rules_are_loaded_beside_other_work(asked: Detectors) -> None:
    assert not asked.prepare()
    assert asked.is_loading
    assert comes(asked.prepare)
    (first,) = asked.pids
    assert asked.prepare()
    assert asked.detected(TEXT) == PLACE
    assert asked.pids == (first,)


def test_rules_that_have_gone_to_rest_are_loaded_again(asked: Detectors) -> None:
    asked.detected(TEXT)
    assert gone(asked)
    assert not asked.prepare()


def test_who_asks_while_others_end_them_gets_an_answer(asked: Detectors) -> None:
    found = []
    asking = threading.Thread(target=lambda: found.append(asked.detected(TEXT)))
    asking.start()
    eventually(lambda: asked.pids)
    asked.end()
    asking.join(PATIENCE_S)
    assert found == [PLACE]


def test_rules_that_cannot_be_loaded_are_not_waited_for() -> None:
    broken = Detectors(IS_NOT_THERE)
    assert comes(broken.prepare)
    with pytest.raises(EngineUnavailable):
        broken.detected(TEXT)


def test_who_ends_them_while_they_load_does_not_wait() -> None:
    slow = Detectors((sys.executable, "-c", "import time; time.sleep(600)"))
    assert not slow.prepare()
    eventually(lambda: slow.pids)
    started = time.monotonic()
    slow.end()
    assert time.monotonic() - started < PATIENCE_S / 2
    assert slow.pids == ()
