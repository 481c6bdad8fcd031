"""Failpoints: named points in the code where a test can end the daemon. They do nothing in a daemon that no test has
started.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from .host_load import KILL

VARIABLE: Final = "CODEAGENT_FAULT"
UNDER_TEST: Final = "PYTEST_CURRENT_TEST"

_armed = [""]


def arm(environment: Mapping[str, str]) -> None:
    """Set the failpoint at which this process ends to the one that `environment` names. Only for processes that a test
    starts.
    """
    _armed[0] = environment.get(VARIABLE, "") if UNDER_TEST in environment else ""


def point(name: str) -> None:
    """End this process as kill -9 would, if a test has armed the failpoint `name`."""
    if name == _armed[0]:
        os.kill(os.getpid(), KILL)
