"""A shim ends with its client, however that goes, and never stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from codeagent_shim import limits
from codeagentd.serve.tool_calls import FIRST_INDEX_S
from tests.unit.shim.stage import Stage, ended

PARENT = "import subprocess, sys; shim = subprocess.Popen(sys.argv[1:], stdin=0, stdout=1); print(shim.pid, file=sys.stderr, flush=True); shim.wait()"
INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\n'


def test_it_leaves_at_the_end_of_stdin_and_says_goodbye(stage: Stage):
    window = stage.connected()
    assert window.close() == 0
    assert stage.noted(lambda notes: any(note["event"] == "bye" for note in notes))


def test_requests_written_before_the_end_of_stdin_are_still_answered(make_stage: Callable[..., Stage]):
    stage = make_stage("slow")
    request = INITIALIZE + b'{"jsonrpc":"2.0","id":2,"method":"echo"}'  # not even a newline at the end
    done = subprocess.run(
        stage.argv("--repo", str(stage.repo)),
        input=request,
        capture_output=True,
        env=stage.environment,
        timeout=20,
        check=False,
    )
    assert done.returncode == 0
    assert [b'"id": %d' % number in line for number, line in enumerate(done.stdout.splitlines(), 1)] == [True, True]


def test_an_answer_that_never_comes_keeps_it_only_for_a_moment(make_stage: Callable[..., Stage]):
    stage = make_stage(EOF_S=0.1)
    window = stage.connected()
    window.begin("hold")
    assert window.close() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_leaves_on_a_signal_even_with_requests_in_flight(stage: Stage, number: signal.Signals):
    window = stage.connected()
    window.begin("hold")
    window.process.send_signal(number)
    assert window.process.wait(5) == 0
    assert stage.noted(lambda notes: any(note["event"] == "bye" for note in notes))


def test_it_leaves_when_nobody_reads_its_stdout(stage: Stage):
    window = stage.connected()
    window.process.stdout.close()
    assert window.process.wait(5) == 0


def test_it_leaves_when_its_parent_dies_although_its_pipes_stay_open(stage: Stage):
    stdin_reading, stdin_writing = os.pipe()
    stdout_reading, stdout_writing = os.pipe()
    command = [sys.executable, "-c", PARENT, *stage.argv("--repo", str(stage.repo))]
    parent = subprocess.Popen(
        command, stdin=stdin_reading, stdout=stdout_writing, stderr=subprocess.PIPE, env=stage.environment
    )
    os.write(stdin_writing, INITIALIZE)
    assert b'"id": 1' in os.read(stdout_reading, 4096)
    shim = int(parent.stderr.readline())
    parent.kill()
    parent.wait()
    assert ended(shim)
    assert stage.noted(lambda notes: any(note["event"] == "bye" for note in notes))
    parent.stderr.close()
    for fd in (stdin_reading, stdin_writing, stdout_reading, stdout_writing):
        os.close(fd)


def test_it_leaves_although_the_daemon_hangs(stage: Stage):
    window = stage.connected()
    pid = stage.daemons()[0]
    os.kill(pid, signal.SIGSTOP)
    try:
        assert window.close() == 0
    finally:
        os.kill(pid, signal.SIGCONT)


def test_without_a_stdin_it_ends_at_once(stage: Stage):
    command = ["sh", "-c", 'exec "$0" "$@" <&-', *stage.argv("--repo", str(stage.repo))]
    done = subprocess.run(command, capture_output=True, env=stage.environment, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_help_and_version_speak_to_people_and_start_nothing(stage: Stage):
    texts = [
        subprocess.run(
            stage.argv(flag), capture_output=True, text=True, env=stage.environment, timeout=20, check=True
        ).stdout
        for flag in ("--help", "--version")
    ]
    assert "CODEAGENT_EXCLUDE_TOOLS" in texts[0]
    assert texts[1].startswith("codeagent-mcp ")
    assert not stage.journal()


def test_an_unknown_flag_is_an_error_on_stderr_and_nothing_on_stdout(stage: Stage):
    done = subprocess.run(
        stage.argv("--repos", "x"), capture_output=True, text=True, env=stage.environment, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == ["codeagent-mcp: unknown argument --repos (see codeagent-mcp --help)"]


def test_it_waits_for_its_last_answers_longer_than_the_daemon_does_for_a_first_index():
    assert limits.EOF_S > FIRST_INDEX_S
