"""`codeagentd memory`: the administration of agents' memories: copies, transfer, the audit feed.

Needs no daemon, and does not disturb a running one.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import InvalidParameter, NotFound, StoreFailed
from codeagentd.boot.settings import load
from codeagentd.cli.rendering.console import count, paint_for, plain, size
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import add_json
from codeagentd.memory.audit_log import changes, latest
from codeagentd.memory.import_export import exported, imported, lines_of
from codeagentd.memory.memory_rows import iso, memory_by_id, snippet
from codeagentd.memory.memory_store import MemoryStore, memory_store_for
from codeagentd.memory.read import related
from codeagentd.memory.write import KEPT_DAYS
from codeagentd.model.memory import TYPES
from codeagentd.store.backups import backup, backups_of, restore

from . import team_memory as team

EXAMPLES = f"""examples:
  codeagentd memory list --project shop
  codeagentd memory show memory:k3v9x2m4p7q1a
  codeagentd memory log --days 7
  codeagentd memory backup
  codeagentd memory restore                  the newest copy
  codeagentd memory export memories.jsonl    and on another machine
  codeagentd memory import memories.jsonl    twice does no harm
  codeagentd memory status                   a team's server: is it there, what waits for it
  codeagentd memory grant ann "shop*"        let a role of that server use projects

One memory.db in the user's data directory serves all repositories. A copy is made every day and before each \
migration; what a restore
replaces is kept beside it. Changes stay in the log for {KEPT_DAYS} days."""

Run = Callable[[MemoryStore, argparse.Namespace], int]
WIDTH: Final = 60  # characters of a title or snippet in a table


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verbs and their options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    command = verbs.add_parser("list", help="memories, the newest first")
    command.add_argument("--project", help="only of this project")
    command.add_argument("--type", choices=TYPES, help="only of this type")
    _add_limit(command, 20)
    verbs.add_parser("show", help="one memory with its links").add_argument("id", metavar="ID", help="the memory's id")
    command = verbs.add_parser("log", help="the audit feed: what was changed, the newest first")
    command.add_argument("id", nargs="?", metavar="ID", help="only of this memory or task")
    command.add_argument(
        "--days", type=float, default=KEPT_DAYS, help=f"of so many days (default {KEPT_DAYS}: all that is kept)"
    )
    _add_limit(command, 50)
    command = verbs.add_parser("backup", help="copy memory.db, while it is in use")
    command.add_argument("file", nargs="?", metavar="FILE", help="where to (default: among the kept copies)")
    command.add_argument("--list", action="store_true", help="show the kept copies instead")
    command = verbs.add_parser("restore", help="put a copy in the place of memory.db; what was there is kept")
    command.add_argument("file", nargs="?", metavar="FILE", help="the copy (default: the newest kept one)")
    command = verbs.add_parser("export", help="write memories, links and tasks as JSON Lines")
    command.add_argument("file", nargs="?", metavar="FILE", help="where to (default: standard output)")
    command = verbs.add_parser("import", help="take an export in; what is there already stays")
    command.add_argument("file", metavar="FILE", help="the export, - for standard input")
    verbs.add_parser("status", help="where memories are kept, and what waits for a team's server")
    verbs.add_parser("send", help="send what waits for a team's server, also what it has refused before")
    command = verbs.add_parser("grant", help="let a role of a team's server read and write a project")
    _add_grant(command)
    command.add_argument("--read", action="store_true", help="let it read only")
    _add_grant(verbs.add_parser("revoke", help="take that back"))
    verbs.add_parser("grants", help="what was granted")
    for verb in verbs.choices.values():
        add_json(verb)


def _add_grant(command: argparse.ArgumentParser) -> None:
    command.add_argument("role", metavar="ROLE", help="a role of the server")
    command.add_argument("project", metavar="PROJECT", help="a project, a beginning followed by *, or * for all")


def _add_limit(parser: argparse.ArgumentParser, default: int) -> None:
    parser.add_argument("--limit", type=int, default=default, metavar="N", help=f"at most so many (default {default})")


def run(arguments: argparse.Namespace) -> int:
    """Run one verb. Returns the exit code."""
    memories = memory_store_for(load("", os.environ).settings.memory.url)
    try:
        return (VERBS | team.VERBS)[arguments.verb](memories, arguments)
    except OSError as error:
        raise InvalidParameter(
            f"{error.filename or 'the file'}: {error.strerror}", remedy="name another file"
        ) from None
    finally:
        memories.store.close()
        if memories.offline:
            memories.offline.close()


def _list(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    rows = latest(memories, arguments.project, arguments.type, max(0, arguments.limit))
    if arguments.json:
        return _print_json([row.view() for row in rows])
    _print_table(
        arguments,
        [(row.id, row.type, row.project, iso(row.created_at), _short(row.title or row.content)) for row in rows],
        "no memories",
    )
    return 0


def _show(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    with memories.store.read() as db:
        row = memory_by_id(db, arguments.id)
        ends = related(db, row.number, 1)
    if arguments.json:
        return _print_json(row.view() | {"related_memories": msgspec.to_builtins(ends)})
    shown = {name: value for name, value in row.view().items() if value not in ("", [], {}) and name != "content"}
    print(
        "\n".join(
            table(
                [
                    [name, plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))]
                    for name, value in shown.items()
                ]
            )
        )
    )
    print("\n" + "\n".join(plain(line) for line in row.content.splitlines()))
    for end in ends:
        print(
            f"  {'<-' if end.direction == 'in' else '->'} {end.id}  {end.strength:.2f}  "
            f"{_short(end.title or end.snippet)}"
        )
    return 0


def _log(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    report = list(changes(memories, arguments.id, arguments.days, max(0, arguments.limit)))
    if arguments.json:
        return _print_json(msgspec.to_builtins(report))
    rows = [
        (change.at, change.action, change.subject, _short(_about(change.after or change.before))) for change in report
    ]
    _print_table(arguments, rows, "nothing was changed")
    return 0


def _about(value: Any) -> str:
    """A short text about the subject of a change."""
    named = (
        [str(value[name]) for name in ("title", "name", "content", "to_id", "summary") if value.get(name)]
        if isinstance(value, dict)
        else []
    )
    return named[0] if named else ""


def _backup(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    if arguments.list:
        backups = [
            (str(file), size(file.stat().st_size), iso(file.stat().st_mtime)) for file in backups_of(_local(memories))
        ]
        if arguments.json:
            return _print_json([{"file": file, "size": report, "at": at} for file, report, at in backups])
        _print_table(arguments, backups, "no copies are kept")
        return 0
    _must_exist(memories)
    with memories.store.read():  # opening it fails for a damaged database, so no damaged one is copied
        place = backup(_local(memories), target=Path(arguments.file).absolute() if arguments.file else None)
    return _print_result(arguments, f"copied to {place}", {"file": str(place)})


def _restore(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    backups = backups_of(_local(memories))
    source = Path(arguments.file).absolute() if arguments.file else backups[0] if backups else None
    if source is None:
        raise NotFound("no copy is kept", remedy="name a file that `codeagentd memory backup` wrote")
    aside = restore(_local(memories), source)
    report = f"restored from {source}" + (f"; what was there is kept as {aside}" if aside else "")
    return _print_result(arguments, report, {"file": str(source), "replaced": str(aside or "")})


def _export(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    _must_exist(memories)
    if not arguments.file:
        for line in exported(memories):
            sys.stdout.buffer.write(line + b"\n")
        return 0
    lines = 0
    with Path(arguments.file).open("xb") as file:  # mode x: never over another file
        for line in exported(memories):
            file.write(line + b"\n")
            lines += 1
    return _print_result(
        arguments, f"{count(lines - 1, 'line')} to {arguments.file}", {"file": arguments.file, "lines": lines - 1}
    )


def _import(memories: MemoryStore, arguments: argparse.Namespace) -> int:
    with contextlib.nullcontext(sys.stdin.buffer) if arguments.file == "-" else Path(arguments.file).open("rb") as file:
        new, known = imported(memories, lines_of(file))
    parts = [
        f"{count(new[kind], kind, 'memories' if kind == 'memory' else '')} ({known[kind]:,} already there)"
        for kind in ("memory", "link", "task")
    ]
    return _print_result(arguments, "imported " + ", ".join(parts), {"new": new, "known": known})


def _local(memories: MemoryStore) -> Path:
    """Return the file of local memories. Errors: invalid_parameter where a server has them."""
    if memories.store.file is None:
        raise InvalidParameter(
            "memory.url names a server: copies are made of the local memory.db alone",
            remedy="use pg_dump there, or `codeagentd memory export`",
        )
    return memories.store.file


def _must_exist(memories: MemoryStore) -> None:
    if memories.store.file and not memories.store.is_there:
        raise StoreFailed(f"there is no {memories.store.file}", remedy="nothing has been kept yet")


def _short(text: str) -> str:
    line = plain(snippet(text))
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"


def _print_table(arguments: argparse.Namespace, rows: list[Any], nothing: str) -> None:
    paint = paint_for(arguments, sys.stdout)
    print(
        "\n".join(table([[paint(plain(str(row[0])), "bold"), *map(str, row[1:])] for row in rows], indent=0))
        if rows
        else nothing
    )


def _print_json(value: Any) -> int:
    print(json.dumps(value, indent=2, ensure_ascii=False))
    return 0


def _print_result(arguments: argparse.Namespace, text: str, value: Any) -> int:
    if arguments.json:
        return _print_json(value)
    print(text)
    return 0


VERBS: Final[dict[str, Run]] = {
    "list": _list, "show": _show, "log": _log, "backup": _backup, "restore": _restore, "export": _export,
    "import": _import,
}  # fmt: skip
