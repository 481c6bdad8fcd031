"""Checks of clients: each configuration with this server has to start a program that exists."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from codeagentd.clients.catalogue import clients
from codeagentd.clients.config_states import BROKEN, OURS
from codeagentd.clients.install import EntryState, InstallState, Scope, install_state

from .finding import OK, WARN, Finding


def examine(scopes: Sequence[Scope]) -> Iterator[Finding]:
    """Yield a finding for every configuration in `scopes` that cannot be read or starts no existing program, and one
    finding for the others.
    """
    registrations = [state for of in clients().values() for scope in scopes if (state := install_state(of, scope))]
    ours: list[str] = []
    for state in registrations:
        # one file may have both servers
        for reason in dict.fromkeys(entry.reason for entry in state.entries if entry.state == BROKEN):
            yield Finding(WARN, "clients", reason, f"correct the file; {state.client} may not read it either")
        for entry in state.entries:
            if entry.state == OURS and _is_gone(entry):
                yield Finding(
                    WARN, "clients", f"{state.client} starts {entry.command}, which is not there", _again(state, entry)
                )
            elif entry.state == OURS:
                ours.append(state.client)
    yield Finding(OK, "clients", ", ".join(dict.fromkeys(ours)) or "none has this server (codeagentd install --list)")


def _is_gone(entry: EntryState) -> bool:
    return os.path.isabs(entry.command) and not os.access(entry.command, os.X_OK)


def _again(state: InstallState, entry: EntryState) -> str:
    lsp = " --lsp" if entry is state.language_server and state.server else ""
    return f"codeagentd install {state.client}{lsp}{' --project' if state.scope == 'project' else ''}"
