"""Checks of a repository's service: its files have to be of this version, its program has to exist, and the manager has
to run it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagentd.cli.services.launchd import Launchd
from codeagentd.cli.services.manager import manager_of
from codeagentd.cli.services.owned_files import ABSENT, CURRENT, EDITED, FOREIGN, OUTDATED, state
from codeagentd.cli.services.systemd import Systemd

from .finding import FAIL, OK, WARN, Finding

AGAIN: Final = "codeagentd service install"
MOVE: Final = "move it away, then `codeagentd service install`; or keep it, and look after it yourself"
WRONG: Final = {
    ABSENT: ("is missing", AGAIN),
    OUTDATED: ("is not as this version and its settings have it", AGAIN),
    EDITED: ("has been edited", MOVE),
    FOREIGN: ("is not of `codeagentd service install`", MOVE),
}


def examine(endpoint: Endpoint) -> Iterator[Finding]:
    """Yield the findings about the service of the repository; one line if none is installed."""
    try:
        manager = manager_of(endpoint)
        files = {planned.path: state(planned) for planned in manager.files()}
        own = {planned.path for planned in manager.to_remove()} if ABSENT in files.values() else set(files)
    except CodedError as error:
        yield Finding(WARN, "service", error.message, error.remedy)
        return
    if all(files[path] == ABSENT for path in own):
        yield Finding(OK, "service", "none: the first window starts the daemon")
        return
    wrong = [
        *_program(manager),
        *(
            Finding(WARN, "service", f"{path} {WRONG[file_state][0]}", WRONG[file_state][1])
            for path, file_state in files.items()
            if file_state != CURRENT
        ),
    ]
    wrong += _units(manager)
    yield from wrong or [Finding(OK, "service", f"kept by {manager.name}")]


def _program(manager: Systemd | Launchd) -> Iterator[Finding]:
    program = manager.program()
    if program and not os.access(program, os.X_OK):
        yield Finding(FAIL, "service", f"it starts {program}, which is not there", AGAIN)


def _units(manager: Systemd | Launchd) -> Iterator[Finding]:
    """The states of the units, if the manager answers."""
    for unit, unit_state in manager.states().items():
        words = unit_state.split(", ")
        if "failed" in words:
            yield Finding(
                FAIL,
                "service",
                f"{unit} has failed",
                f"`codeagentd logs` may say why; then `systemctl --user reset-failed` and `{AGAIN}`",
            )
        elif not {"not-found", "disabled"}.isdisjoint(words):
            yield Finding(WARN, "service", f"{unit} is {unit_state}", AGAIN)
