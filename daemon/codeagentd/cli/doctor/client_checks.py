"""Checks of MCP clients: each configuration with this server has to start a program that exists."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from codeagentd.clients.catalogue import clients
from codeagentd.clients.config_entries import OURS
from codeagentd.clients.install import BROKEN, InstallState, Scope, install_state

from .finding import OK, WARN, Finding


def examine(scopes: Sequence[Scope]) -> Iterator[Finding]:
    """Yield a finding for every configuration in `scopes` that cannot be read or starts no existing program, and one
    finding for the others.
    """
    registrations = [state for of in clients().values() for scope in scopes if (state := install_state(of, scope))]
    for state in registrations:
        if state.state == BROKEN:
            yield Finding(WARN, "clients", state.reason, f"correct the file; {state.client} may not read it either")
        elif state.state == OURS and _is_gone(state):
            yield Finding(WARN, "clients", f"{state.client} starts {state.command}, which is not there", _again(state))
    ours = [state.client for state in registrations if state.state == OURS and not _is_gone(state)]
    yield Finding(OK, "clients", ", ".join(dict.fromkeys(ours)) or "none has this server (codeagentd install --list)")


def _is_gone(state: InstallState) -> bool:
    return os.path.isabs(state.command) and not os.access(state.command, os.X_OK)


def _again(state: InstallState) -> str:
    return f"codeagentd install {state.client}{' --project' if state.scope == 'project' else ''}"
