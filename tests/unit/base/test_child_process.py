"""Child processes: messages over pipes, deadlines, and their end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codeagentd.base.child_process import ChildProcess, module_command, python_command

ECHO = """
import sys
from codeagent_protocol.pipes import receive, send
while content := receive(sys.stdin.buffer):
    send(1, content[::-1])
"""
SLEEP = "import time; time.sleep(600)"


def test_each_message_is_answered_until_the_input_ends() -> None:
    process = ChildProcess(python_command("-c", ECHO))
    large = b"ab" * 200_000
    process.send(b"lend")
    process.send(large)
    assert process.receive() == b"dnel"
    assert process.receive() == large[::-1]
    process.close_input()
    assert process.receive() == b""
    process.wait(20)
    assert process.returncode == 0
    assert not process.is_running
    process.end()


def test_all_output_is_read_at_the_end() -> None:
    process = ChildProcess(module_command("platform"), has_input=False)
    assert process.read_output(20)
    process.end()


def test_what_takes_too_long_is_killed_and_its_pipes_end() -> None:
    process = ChildProcess(python_command("-c", SLEEP))
    with process.killed_after(0.1):
        assert process.receive() == b""
    process.wait(20)
    assert process.returncode != 0
    process.end()


def test_a_wait_that_takes_too_long_is_an_error_and_ends_nothing() -> None:
    process = ChildProcess(python_command("-c", SLEEP), has_output=False)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.05)
    assert process.is_running
    process.end()
    assert not process.is_running


def test_a_process_has_a_session_and_an_environment_of_its_own() -> None:
    code = "import os; print(os.getsid(0) == os.getpid() if hasattr(os, 'getsid') else True, os.environ['SHELF'])"
    process = ChildProcess(python_command("-c", code), environment={"SHELF": "full"}, has_input=False)
    assert process.read_output(20).split() == [b"True", b"full"]
    process.end()


def test_what_is_sent_to_a_process_that_has_ended_is_an_error() -> None:
    process = ChildProcess(python_command("-c", ""))
    process.wait(20)
    with pytest.raises(OSError):
        process.send(b"lend")
    process.end()
    with pytest.raises(ValueError):
        process.send(b"lend")
    assert sys.executable in python_command()
