"""The clients of this machine, and which of them the user wants."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.rendering.client_edits import system
from codeagentd.cli.rendering.console import Paint, plain
from codeagentd.cli.rendering.tables import table
from codeagentd.clients.catalogue import Client, client, clients
from codeagentd.clients.config_states import ABSENT, BROKEN, OTHER, OURS
from codeagentd.clients.install import Scope, install_state

STATES: Final = {ABSENT: "", OURS: "has it", OTHER: "has another's entry", BROKEN: "cannot be read"}
QUESTION: Final = "Add codeagentd to all of them? [Y/n, or the names of some] "


def found_clients() -> list[Client]:
    """Return the clients and editors of this machine for which something can be written."""
    here = system()
    return [
        of
        for of in clients().values()
        if (of.takes_mcp or (of.language_server and of.language_server.is_written)) and here.has(of)
    ]


def choose(named: Sequence[str] | None, *, ask: bool, paint: Paint, quiet: bool) -> list[str]:
    """Return the ids of the clients to set up: those that are `named`, else those that the user chooses of all that are
    found, else, where nobody is to be asked, all of them. Unless `quiet`, the clients that are found are printed.

    Errors: invalid_parameter for an unknown name.
    """
    if named is not None:
        return [client(name).id for name in dict.fromkeys(named)]
    present = found_clients()
    if not quiet:
        print("\n".join(_listed(present, paint)))
    ids = [of.id for of in present]
    if not (ids and ask):
        if ids and not quiet:
            print(
                f"nobody is asked: {'it is' if len(ids) == 1 else f'all {len(ids)} are'} set up (--client NAME chooses)"
            )
        return ids
    return _answered(ids)


def _listed(present: Sequence[Client], paint: Paint) -> list[str]:
    if not present:
        return ["no client is found here (`codeagentd install --list` shows all that are known)"]
    rows = []
    for of in present:
        state = install_state(of, Scope(system()))
        entry = state.entries[0] if state and state.entries else None
        rows.append([paint(of.id, "bold"), plain(of.name), paint(STATES.get(entry.state, "") if entry else "", "dim")])
    return ["found on this machine:", *table(rows)]


def _answered(ids: Sequence[str]) -> list[str]:
    """The user's answer; another question after one that is not understood."""
    while True:
        try:
            words = input(QUESTION).replace(",", " ").split()
        except EOFError:
            print(file=sys.stderr)
            return []
        answer = " ".join(words).lower()
        if answer in ("", "y", "yes", "all"):
            return list(ids)
        if answer in ("n", "no", "none"):
            return []
        try:
            return [client(word).id for word in words]
        except InvalidParameter as error:
            print(f"{error.message} ({error.remedy})", file=sys.stderr)
