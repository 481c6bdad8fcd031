"""What the machine tells, and how processes give way."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from codeagentd.base.host_load import is_wsl, load_per_core, lower_priority, on_battery
from codeagentd.base.limits import NICENESS

LAPTOP = {"AC": {"type": "Mains", "online": "0"}, "BAT0": {"type": "Battery", "status": "Discharging"}}


@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ({}, False),
        (LAPTOP, True),
        ({"BAT0": {"type": "Battery", "status": "Charging"}}, False),
        (
            {
                "BAT0": {"type": "Battery", "status": "Not charging"},
                "BAT1": {"type": "Battery", "status": "Discharging"},
            },
            True,
        ),
        ({"hidpp_battery_0": {"type": "Battery", "scope": "Device", "status": "Discharging"}}, False),
        ({"AC": {"type": "Mains", "online": "1"}}, False),
        ({"odd": {}}, False),
    ],
)
def test_only_a_battery_of_the_machine_that_is_being_emptied_counts(tmp_path, supplies, expected):
    for name, words in supplies.items():
        (tmp_path / name).mkdir()
        for word, text in words.items():
            (tmp_path / name / word).write_text(f"{text}\n")
    assert on_battery(tmp_path) is expected


def test_a_system_that_tells_nothing_has_no_battery_and_no_load(tmp_path, monkeypatch):
    assert not on_battery(tmp_path / "none")
    monkeypatch.setattr(os, "getloadavg", lambda: (_ for _ in ()).throw(OSError))
    assert load_per_core() == 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="priorities of a process from outside")
def test_a_process_that_gives_way_is_nice_and_idle_at_the_disk():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        lower_priority(process.pid)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= NICENESS
        told = subprocess.run(["ionice", "-p", str(process.pid)], capture_output=True, text=True)
        process.communicate(b"\n")
    assert told.stdout.strip() == "idle"


def test_a_process_that_is_gone_is_no_trouble():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        lower_priority(process.pid)
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("release", "expected"),
    [("5.15.153.1-microsoft-standard-WSL2", True), ("4.4.0-19041-Microsoft", True), ("6.8.0-45-generic", False)],
)
def test_linux_below_windows_is_known_by_its_kernels_name(release, expected):
    assert is_wsl(release) is expected
