"""`codeagentd install`: adds this server to MCP clients, and the language server to clients and editors, by careful
edits of their configuration.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from typing import Final

import msgspec

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagentd.cli.exit_codes import WrongUsage
from codeagentd.cli.rendering.client_edits import Edit, add_scope, each, scope_of, system
from codeagentd.cli.rendering.console import paint_for, plain
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import root_from
from codeagentd.clients.catalogue import Client, client, clients
from codeagentd.clients.config_editor import Outcome
from codeagentd.clients.config_entries import LANGUAGE_SERVER_PROGRAM, EntrySpec
from codeagentd.clients.config_states import ABSENT, BROKEN, OTHER, OURS
from codeagentd.clients.install import BY_HAND, InstallState, Scope, install, install_state
from codeagentd.clients.install import arguments as standard
from codeagentd.clients.language_servers import advice
from codeagentd.clients.program_path import beside, caution, installed, named

EXAMPLES = """examples:
  codeagentd install --list                          which clients are here, and which have this server
  codeagentd install claude-code codex
  codeagentd install cursor --project --dry-run      what would change in .cursor/mcp.json
  codeagentd install zed --args "--toolsets all"
  codeagentd install claude-code --hooks --instructions
  codeagentd install codex --project --skill         a SKILL.md with the commands, for agents without MCP
  codeagentd install copilot --lsp                   the language server too, for navigation by position
  codeagentd install neovim                          an editor: the language server alone

A file is copied beside itself before it is changed, keeps its comments and form, and is left alone when anything \
about it is unclear; the
message then says where. Doing it twice changes nothing. `codeagentd uninstall` undoes it. exit codes: 0 fine, 1 a \
file was refused"""

SHOWN: Final = {ABSENT: "-", OURS: "installed", OTHER: "another's entry", BROKEN: "broken"}
LANGUAGE_SERVERS: Final = SHOWN | {ABSENT: "possible", BY_HAND: "by hand"}
SKILLS: Final = {"": "-", ABSENT: "possible", OURS: "installed", OTHER: "changed", BROKEN: "broken"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    parser.add_argument("clients", metavar="CLIENT", nargs="*", help=", ".join(clients()))
    parser.add_argument(
        "--list",
        action="store_true",
        help="show every client, whether it is found here, and whether it has this server and may have the language "
        "server and the skill",
    )
    parser.add_argument(
        "--repo",
        metavar="PATH",
        help="with --project, the project; else the one repository that the client is to work on",
    )
    parser.add_argument(
        "--args",
        metavar="ARGS",
        default="",
        help="options of codeagent-mcp, not of the language server, such as '--toolsets all'",
    )
    parser.add_argument(
        "--env", metavar="NAME=VALUE", action="append", default=[], help="a variable for the server; may be repeated"
    )
    parser.add_argument(
        "--command",
        metavar="PATH",
        help="the command to write (default: codeagent-mcp as it is installed); codeagent-lsp is taken from beside it",
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
        "--lsp",
        action="store_true",
        help="also add the language server, codeagent-lsp, or say how to; for editors without MCP, it is all there is",
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
    return each(arguments, edit_for(arguments, scope, command))


def edit_for(arguments: argparse.Namespace, scope: Scope, command: str) -> Edit:
    """Return the function that installs for one client what the options of this command say, with entries that start
    `command`. It returns the outcomes and the notes for the user.
    """
    env = dict(_variable(values) for values in arguments.env)

    def edit(of: Client) -> tuple[list[Outcome], list[str]]:
        entry = _entry_spec(arguments, of, scope, command, env)
        with_lsp = arguments.lsp or not of.takes_mcp
        language_server = _language_server_spec(arguments, scope, command, env) if with_lsp else None
        done = install(
            of,
            scope,
            entry,
            instructions=arguments.instructions,
            hooks=arguments.hooks,
            skill=arguments.skill,
            language_server=language_server,
            dry_run=arguments.dry_run,
        )
        return done, _notes(of, scope, entry, language_server, bool(arguments.repo))

    return edit


def _entry_spec(values: argparse.Namespace, of: Client, scope: Scope, command: str, env: dict[str, str]) -> EntrySpec:
    fresh = standard(of, scope, root_from(values) if values.repo and not scope.root else "")
    try:
        extra = tuple(shlex.split(values.args))
    except ValueError as error:
        raise InvalidParameter(f"--args: {error}", remedy="quote it as for a shell", parameter="args") from None
    requested_args = (*fresh, *extra) if values.args or (values.repo and not scope.root) else None
    return EntrySpec(command, fresh, requested_args, env, values.force)


def _language_server_spec(values: argparse.Namespace, scope: Scope, command: str, env: dict[str, str]) -> EntrySpec:
    """The entry of the language server; which repository it serves is up to the editor, unless --repo names one."""
    args = ("--repo", root_from(values)) if values.repo and not scope.root else None
    return EntrySpec(beside(command, LANGUAGE_SERVER_PROGRAM), (), args, env, values.force)


def _variable(values: str) -> tuple[str, str]:
    name, equals, value = values.partition("=")
    if not (name and equals):
        raise InvalidParameter(f"--env {values!r} has no NAME=VALUE", remedy="write --env NAME=VALUE", parameter="env")
    return name, value


def _notes(of: Client, scope: Scope, entry: EntrySpec, language_server: EntrySpec | None, is_named: bool) -> list[str]:
    declared = of.language_server if language_server else None
    notes = [caution(entry.command)]
    if of.takes_mcp and not of.finds and not scope.root and not is_named:
        notes.append(
            f"{of.name} is not known to tell which folder is open: name the repository with --repo"
            + (", or use --project" if of.project else "")
        )
    if scope.root:
        notes.append("the entry names a path of this machine: think before you commit it")
    if not of.checked or (declared and declared.is_written and not declared.checked):
        notes.append(
            f"where {of.name} keeps its configuration is from memory, not from its documentation: see that the entry "
            "is read"
        )
    if language_server:
        notes.append(advice(of, language_server.command))
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
    listed = [["client", "found", "state", "lsp", "skill", "configuration"]]
    for of, is_found, states in rows:
        for state in [state for state in states if state.scope == "global" or _is_used(state)]:
            shown = state.entries[0]
            listed.append(
                [
                    paint(of.id, "bold"),
                    "yes" if is_found else "-",
                    SHOWN[state.server.state] if state.server else "-",
                    LANGUAGE_SERVERS[state.language_server.state] if state.language_server else "-",
                    SKILLS[state.skill],
                    plain(next((entry.reason for entry in state.entries if entry.reason), shown.path)),
                ]
            )
    print("\n".join(table(listed, indent=0)))
    return 0


def _is_used(state: InstallState) -> bool:
    """Whether a client has something of ours, or something broken."""
    return any(entry.state != ABSENT for entry in state.entries) or state.skill not in ("", ABSENT)


def _scopes(arguments: argparse.Namespace) -> list[Scope]:
    """The scopes to list: all projects, and the current project, if there is one."""
    try:
        return [Scope(system()), Scope(system(), root_from(arguments))]
    except CodedError:
        return [Scope(system())]


def _as_json(of: Client, is_found: bool, states: list[InstallState]) -> dict[str, object]:
    report = [
        {
            "scope": state.scope,
            **(msgspec.to_builtins(state.server) if state.server else {}),
            "language_server": msgspec.to_builtins(state.language_server),
            "skill": state.skill,
            "skill_path": state.skill_path,
        }
        for state in states
    ]
    return {"client": of.id, "name": of.name, "found": is_found, "configurations": report}
