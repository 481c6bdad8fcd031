"""`codeagentd install`: adds this server to MCP clients by careful edits of their configuration."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from typing import Final

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagentd.cli.exit_codes import WrongUsage
from codeagentd.cli.rendering.client_edits import add_scope, each, scope_of, system
from codeagentd.cli.rendering.console import paint_for, plain
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import root_from
from codeagentd.clients.catalogue import Client, client, clients
from codeagentd.clients.config_editor import Outcome
from codeagentd.clients.config_entries import ABSENT, OTHER, OURS, EntrySpec
from codeagentd.clients.install import BROKEN, InstallState, Scope, install, install_state
from codeagentd.clients.install import arguments as standard
from codeagentd.clients.program_path import caution, installed, named

EXAMPLES = """examples:
  codeagentd install --list                          which clients are here, and which have this server
  codeagentd install claude-code codex
  codeagentd install cursor --project --dry-run      what would change in .cursor/mcp.json
  codeagentd install zed --args "--toolsets all"
  codeagentd install claude-code --hooks --instructions
  codeagentd install codex --project --skill         a SKILL.md with the commands, for agents without MCP

A file is copied beside itself before it is changed, keeps its comments and form, and is left alone when anything \
about it is unclear; the
message then says where. Doing it twice changes nothing. `codeagentd uninstall` undoes it. exit codes: 0 fine, 1 a \
file was refused"""

SHOWN: Final = {ABSENT: "-", OURS: "installed", OTHER: "another's entry", BROKEN: "broken"}
SKILLS: Final = {"": "-", ABSENT: "possible", OURS: "installed", OTHER: "changed", BROKEN: "broken"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    parser.add_argument("clients", metavar="CLIENT", nargs="*", help=", ".join(clients()))
    parser.add_argument(
        "--list",
        action="store_true",
        help="show every client, whether it is found here, and whether it has this server and may have the skill",
    )
    parser.add_argument(
        "--repo",
        metavar="PATH",
        help="with --project, the project; else the one repository that the client is to work on",
    )
    parser.add_argument("--args", metavar="ARGS", default="", help="options of codeagent-mcp, such as '--toolsets all'")
    parser.add_argument(
        "--env", metavar="NAME=VALUE", action="append", default=[], help="a variable for the server; may be repeated"
    )
    parser.add_argument(
        "--command", metavar="PATH", help="the command to write (default: codeagent-mcp as it is installed)"
    )
    parser.add_argument(
        "--instructions", action="store_true", help="also add a block to the file that the client's agent reads first"
    )
    parser.add_argument(
        "--hooks", action="store_true", help="also add a hook that tells an agent of the index when a session starts"
    )
    parser.add_argument(
        "--skill",
        action="store_true",
        help="also write a skill with the commands to the client's folder of skills, for agents without MCP",
    )
    parser.add_argument(
        "--force", action="store_true", help="replace an entry of this name, or a changed skill, that is not ours"
    )
    add_scope(parser)


def run(arguments: argparse.Namespace) -> int:
    """Install the server, or list the clients. Returns the exit code."""
    if arguments.list:
        return _list(arguments)
    if not arguments.clients:
        raise WrongUsage("name a client, or pass --list", remedy="see `codeagentd install --help`")
    try:
        scope, command = scope_of(arguments), named(arguments.command) if arguments.command else installed()
    except CodedError:
        for name in arguments.clients:
            client(name)  # report a misspelled client before a missing installation of this program
        raise
    env = dict(_variable(values) for values in arguments.env)

    def edit(of: Client) -> tuple[list[Outcome], list[str]]:
        entry = _entry_spec(arguments, of, scope, command, env)
        done = install(
            of,
            scope,
            entry,
            instructions=arguments.instructions,
            hooks=arguments.hooks,
            skill=arguments.skill,
            dry_run=arguments.dry_run,
        )
        return done, _notes(of, scope, entry, bool(arguments.repo))

    return each(arguments, edit)


def _entry_spec(values: argparse.Namespace, of: Client, scope: Scope, command: str, env: dict[str, str]) -> EntrySpec:
    fresh = standard(of, scope, root_from(values) if values.repo and not scope.root else "")
    try:
        extra = tuple(shlex.split(values.args))
    except ValueError as error:
        raise InvalidParameter(f"--args: {error}", remedy="quote it as for a shell", parameter="args") from None
    requested_args = (*fresh, *extra) if values.args or (values.repo and not scope.root) else None
    return EntrySpec(command, fresh, requested_args, env, values.force)


def _variable(values: str) -> tuple[str, str]:
    name, equals, value = values.partition("=")
    if not (name and equals):
        raise InvalidParameter(f"--env {values!r} has no NAME=VALUE", remedy="write --env NAME=VALUE", parameter="env")
    return name, value


def _notes(of: Client, scope: Scope, entry: EntrySpec, is_named: bool) -> list[str]:
    notes = [caution(entry.command)]
    if not of.finds and not scope.root and not is_named:
        notes.append(
            f"{of.name} is not known to tell which folder is open: name the repository with --repo"
            + (", or use --project" if of.project else "")
        )
    if scope.root:
        notes.append("the entry names a path of this machine: think before you commit it")
    if not of.checked:
        notes.append(
            f"where {of.name} keeps its configuration is from memory, not from its documentation: see that the entry "
            "is read"
        )
    return [note for note in notes if note]


def _list(arguments: argparse.Namespace) -> int:
    here = system()
    rows = [
        (of, here.has(of), [registration for scope in _scopes(arguments) if (registration := install_state(of, scope))])
        for of in clients().values()
    ]
    if arguments.json:
        print(
            json.dumps([_as_json(of, is_found, states) for of, is_found, states in rows], indent=2, ensure_ascii=False)
        )
        return 0
    paint = paint_for(arguments, sys.stdout)
    listed = [["client", "found", "state", "skill", "configuration"]]
    for of, is_found, states in rows:
        for state in [
            registration
            for registration in states
            if registration.scope == "global" or registration.state != ABSENT or registration.skill not in ("", ABSENT)
        ]:
            listed.append(
                [
                    paint(of.id, "bold"),
                    "yes" if is_found else "-",
                    SHOWN[state.state],
                    SKILLS[state.skill],
                    plain(state.reason or state.path),
                ]
            )
    print("\n".join(table(listed, indent=0)))
    return 0


def _scopes(arguments: argparse.Namespace) -> list[Scope]:
    """The scopes to list: all projects, and the current project, if there is one."""
    try:
        return [Scope(system()), Scope(system(), root_from(arguments))]
    except CodedError:
        return [Scope(system())]


def _as_json(of: Client, is_found: bool, states: list[InstallState]) -> dict[str, object]:
    report = [
        {
            "scope": registration.scope,
            "path": registration.path,
            "state": registration.state,
            "command": registration.command,
            "reason": registration.reason,
            "skill": registration.skill,
            "skill_path": registration.skill_path,
        }
        for registration in states
    ]
    return {"client": of.id, "name": of.name, "found": is_found, "configurations": report}
