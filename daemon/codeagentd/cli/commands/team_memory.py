"""The verbs of `codeagentd memory` about a team's server: its state, what waits for it, who may use what."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import CodedError
from codeagentd.cli.rendering.console import count, paint_for, plain
from codeagentd.cli.rendering.tables import table
from codeagentd.memory.memory_rows import iso
from codeagentd.memory.memory_store import Code, MemoryStore
from codeagentd.memory.team import grants
from codeagentd.memory.team.memory_operations import send
from codeagentd.memory.team.offline_files import Waiting


def _status(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    """Where memories are kept; exit code 1 while a team's server cannot be used."""
    fault = ""
    try:
        if memories.store.file is None or memories.store.is_there:
            with memories.store.read():
                pass
    except CodedError as error:
        fault = f"{error.message} ({error.remedy})"
    waiting = memories.offline.waiting() if memories.offline else Waiting()
    refused = memories.offline.refused() if memories.offline else []
    report: dict[str, Any] = {
        "place": memories.store.description(),
        "is_team": memories.store.file is None,
        "is_there": not fault,
        "fault": fault,
        "waiting": waiting.operations,
        "waiting_since": iso(waiting.since),
        "refused": [
            {"at": iso(at), "operation": msgspec.json.decode(operation), "reason": reason}
            for at, operation, reason in refused
        ],
    }
    if arguments.json:
        print(json.dumps(report, indent=2, ensure_ascii=False))
        return int(bool(fault))
    rows = [("memories", plain(report["place"])), ("state", plain(fault) if fault else "ready")]
    if memories.offline:
        since = f", since {report['waiting_since']}" if waiting.operations else ""
        rows.append(("waiting", f"{count(waiting.operations, 'write')} for the server{since}"))
    rows += [("refused", plain(f"{iso(at)} {_short(operation)}: {reason}")) for at, operation, reason in refused]
    print("\n".join(table([list(row) for row in rows], indent=0)))
    return int(bool(fault))


def _short(operation: bytes) -> str:
    value = msgspec.json.decode(operation)
    return f"{value['kind']} {value.get('id') or value.get('source', '')}"


def _send(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    if memories.offline:
        memories.offline.retry_refused()
    sent = send(memories, Code(_no_code, lambda _path: ()))
    left = memories.offline.waiting() if memories.offline else Waiting()
    if arguments.json:
        print(json.dumps({"sent": sent, "waiting": left.operations, "refused": left.refused}))
    else:
        print(f"sent {count(sent, 'write')}; {left.operations} wait, {left.refused} were refused")
    return int(bool(left.operations or left.refused))


@contextmanager
def _no_code() -> Iterator[Any]:
    raise AssertionError("no code is looked at without a repository")
    yield


def _grant(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    grants.grant(memories, grants.Grant(arguments.role, arguments.project, not arguments.read))
    may = "read" if arguments.read else "read and write"
    return _printed(arguments, f"{arguments.role} may {may} {arguments.project}")


def _revoke(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    grants.revoke(memories, arguments.role, arguments.project)
    return _printed(arguments, f"{arguments.role} has no such grant for {arguments.project} any more")


def _grants(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    granted = grants.grants(memories)
    if arguments.json:
        print(json.dumps([grant._asdict() for grant in granted], indent=2))
        return 0
    paint = paint_for(arguments, sys.stdout)
    rows = [
        [paint(plain(grant.role), "bold"), plain(grant.project), "write" if grant.may_write else "read"]
        for grant in granted
    ]
    print("\n".join(table(rows, indent=0)) if rows else "nothing was granted: only the owner sees memories")
    return 0


def _printed(arguments: argparse.Namespace, text: str) -> int:
    print(json.dumps({"done": text}) if arguments.json else plain(text))
    return 0


VERBS: Final[dict[str, Callable[[MemoryStore, argparse.Namespace], int]]] = {
    "status": _status, "send": _send, "grant": _grant, "revoke": _revoke, "grants": _grants,
}  # fmt: skip
