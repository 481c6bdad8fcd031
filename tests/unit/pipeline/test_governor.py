"""When background work goes on, and when it leaves the machine to others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codeagentd.base.limits import BACKGROUND_DAEMONS, CARE_S, LOAD_HIGH, LOAD_LOW, TURN_S
from codeagentd.pipeline.background.governor import Governor
from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.waiting import eventually

HOLDER = """
import sys
from pathlib import Path
from codeagentd.pipeline.background.governor import Governor
governor = Governor(Path("none"), Path(sys.argv[1]), load=lambda: 0.0, battery=lambda: False)
print(governor.may_work(), flush=True)
sys.stdin.read()
"""


class Machine:
    """As a test wants it to be."""

    def __init__(self, place):
        self.place = place
        self.now = 100.0
        self.load = 0.0
        self.is_on_battery = False

    def governor(self, **choices):
        probes = {"load": lambda: self.load, "battery": lambda: self.is_on_battery, "ticks": lambda: self.now}
        return Governor(self.place / "index.db", self.place, **probes, **choices)

    def later(self, seconds=CARE_S):
        self.now += seconds


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_work_pauses_on_battery_and_goes_on_at_the_mains(machine):
    governor = machine.governor()
    assert governor.may_work()
    machine.is_on_battery = True
    assert governor.may_work()  # not looked at for each piece of work
    machine.later()
    assert not governor.may_work()
    assert governor.reason == "the machine runs on battery"
    machine.is_on_battery = False
    machine.later()
    assert governor.may_work()
    assert governor.reason == ""


def test_load_pauses_work_until_it_has_clearly_fallen(machine):
    governor = machine.governor()
    reasons = []
    for load in (LOAD_LOW, LOAD_HIGH, LOAD_HIGH + 0.1, LOAD_HIGH - 0.1, LOAD_LOW + 0.1, LOAD_LOW, LOAD_LOW + 0.1):
        machine.load = load
        machine.later()
        reasons.append(governor.may_work())
    assert reasons == [True, True, False, False, False, True, True]


def test_short_work_needs_no_slot_but_a_calm_machine(machine):
    others = [machine.governor() for _ in range(BACKGROUND_DAEMONS)]
    assert all(other.may_work() for other in others)
    governor = machine.governor()
    assert governor.has_spare_capacity()
    machine.load = LOAD_HIGH + 1
    machine.later()
    assert not governor.has_spare_capacity()


def test_only_so_many_daemons_work_at_once_and_who_rests_makes_room(machine):
    working = [machine.governor() for _ in range(BACKGROUND_DAEMONS)]
    late = machine.governor()
    assert all(governor.may_work() for governor in working)
    assert not late.may_work()
    assert "other daemons" in late.reason
    working[0].release_slot()
    machine.later()
    assert late.may_work()
    assert late.reason == ""


def test_a_long_turn_ends_for_who_waits(machine):
    working = [machine.governor() for _ in range(BACKGROUND_DAEMONS)]
    late = machine.governor()
    assert all(governor.may_work() for governor in working)
    assert not late.may_work()
    machine.later(TURN_S)
    assert not working[0].may_work()
    assert late.may_work()
    assert working[1].may_work() is False  # its turn is over too
    machine.later()
    assert working[1].may_work()  # no other process wanted it
    assert not working[0].may_work()


def test_a_slot_of_a_daemon_that_died_is_free_at_once(tmp_path, machine):
    holders = [
        subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(BACKGROUND_DAEMONS)
    ]
    try:
        assert [holder.stdout.readline() for holder in holders] == [b"True\n"] * BACKGROUND_DAEMONS
        governor = machine.governor()
        assert not governor.may_work()
        holders[0].kill()
        holders[0].wait()
        machine.later()
        assert governor.may_work()
    finally:
        for holder in holders:
            holder.kill()
            holder.communicate()


def test_a_runtime_directory_that_was_cleared_away_stops_nobody(tmp_path):
    machine = Machine(tmp_path / "gone")
    assert machine.governor().may_work()


def test_who_need_not_care_looks_at_nothing(tmp_path):
    governor = Governor(tmp_path / "index.db", load=lambda: 99.0, battery=lambda: True)
    assert governor.may_work()
    assert governor.has_spare_capacity()


def test_an_index_beyond_its_cap_is_full(machine):
    governor = machine.governor(max_index_bytes=10)
    assert not governor.is_full
    (machine.place / "index.db").write_bytes(b"x" * 11)
    assert governor.is_full


def paused(bench):
    """The engine again, on a machine that is busy."""
    bench.engine.close(10)
    engine = bench.start(considerate=bench.place)
    governor = engine._governor
    governor._load, governor._battery = (lambda: 0.0), (lambda: True)
    governor._next_look = 0.0  # it may have looked already
    return engine


def test_text_waits_for_the_machine_and_status_says_so_but_nobody_waits_for_text(make_bench):
    bench = make_bench({"a.py": "def first():\n    return 1\n"})
    engine = paused(bench)
    bench.write("b.py", "def second():\n    return 'needle'\n")
    bench.catch_up()
    eventually(lambda: engine.status().background == "the machine runs on battery")
    assert engine.watermark().caught_up  # the graph waits for nothing
    assert not engine._text.done.is_set()
    assert engine.text_ready(20)
    assert engine.status().background == ""


def test_an_index_beyond_its_cap_keeps_its_graph_and_says_what_to_do(make_bench):
    bench = make_bench({"a.py": "def first():\n    return 1\n"})
    bench.engine.close(10)
    bench.engine = engine = IndexingEngine(bench.root, bench.place, bench.place, max_index_bytes=10)
    engine.start()
    bench.write("b.py", "def second():\n    return 'needle'\n")
    bench.catch_up()
    assert engine.text_ready(20)  # no waiting for text that will not come
    status = engine.status()
    assert (status.state, status.indexed_files) == ("degraded", 2)
    assert "max_index_bytes" in status.reason
    assert ".codeagentignore" in status.remedy
