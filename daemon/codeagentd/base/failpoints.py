"""Failpoints: named places in the code where a test can have the daemon die. In a daemon that no test has started they
do nothing.
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
    """Choose the point at which this process dies; for a process of a test alone."""
    _armed[0] = environment.get(VARIABLE, "") if UNDER_TEST in environment else ""


def point(name: str) -> None:
    """Die here as by kill -9, where a test has armed this point."""
    if name == _armed[0]:
        os.kill(os.getpid(), KILL)
