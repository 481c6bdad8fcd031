"""What was measured, with the version, commit, day and machine that it was measured with."""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Record:
    """One run. `figures`: rows as `Figure.as_json` gives them."""

    version: str
    commit: str
    date: str
    machine: str
    figures: list[dict[str, Any]]

    def as_line(self) -> str:
        """The run as one line of JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def read(cls, text: str) -> Record:
        """The run of a line or file. Errors: ValueError, KeyError, TypeError."""
        return cls(**json.loads(text))


def recorded(figures: list[dict[str, Any]]) -> Record:
    """The record of what was measured just now, here."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "protocol/codeagent_protocol/version.py").read_text())
    assert version
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return Record(version[1], commit(), today, machine(), figures)


def commit() -> str:
    """The commit that is checked out, with a `+` where files differ from it."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=8", "--match=-", "--dirty=+"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine() -> str:
    """The system, the processor, the number of cores that may be used, and Python."""
    model = re.search(r"^model name\s*: (.+)$", _text("/proc/cpuinfo"), re.MULTILINE)
    name = model[1] if model else platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{platform.system()}, {cores} cores of {' '.join(name.split())}, Python {platform.python_version()}"


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
