"""Runs of programs of others, such as installers and service managers, with a deadline and without input."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence


def finished(command: Sequence[str], deadline_s: float) -> subprocess.CompletedProcess[str]:
    """Run `command`, and return how it ended, with what it printed. Errors: OSError; subprocess.TimeoutExpired."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=deadline_s,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def output_of(command: Sequence[str], deadline_s: float) -> str | None:
    """Return what `command` printed; None where it cannot be run, fails or takes longer."""
    try:
        done = finished(command, deadline_s)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
