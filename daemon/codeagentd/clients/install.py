"""The installation for a client in a scope (all projects, or one): the files concerned, the parts for each, and their
state.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import msgspec

from codeagent_protocol.errors import CodedError, InvalidParameter

from . import catalogue as places
from . import config_editor, edit_log, language_servers, skill_file
from .catalogue import Client, System
from .config_editor import Outcome, Target
from .config_entries import Block, EntrySpec, Hook, Part, Server
from .config_states import ABSENT, BROKEN, OTHER, OURS
from .own_file import HTML, OwnFile
from .safe_files import original

BY_HAND: Final = "by hand"  # nothing to write: the user has something to do
NAMES: Final = (
    ("configuration", "try the other of --project and --global"),
    ("file of instructions that is known", "leave --instructions out, or try the other of --project and --global"),
    ("hooks that are known", "leave --hooks out"),
    ("folder of skills that is known", "leave --skill out, or try the other of --project and --global"),
)
LANGUAGE_SERVER: Final = ("table of language servers", "try the other of --project and --global")


class Scope(msgspec.Struct, frozen=True):
    """The scope of an installation: the system, and the project's root, "" for all projects."""

    system: System
    root: str = ""

    @property
    def name(self) -> str:
        """The name of the scope: `project` or `global`."""
        return "project" if self.root else "global"


class EntryState(msgspec.Struct, frozen=True):
    """The state of one of our servers in a client: ABSENT, OURS, OTHER, BROKEN (with `reason`) or BY_HAND (nothing can
    be written), and the program that its entry starts.
    """

    path: str
    state: str
    command: str = ""
    reason: str = ""


class InstallState(msgspec.Struct, frozen=True):
    """The state of one client: of our server and our language server, None where it takes none, and of our skill, ""
    where the client is not known to read skills.
    """

    client: str
    scope: str
    server: EntryState | None = None
    language_server: EntryState | None = None
    skill: str = ""
    skill_path: str = ""

    @property
    def entries(self) -> list[EntryState]:
        """The states of both servers."""
        return [state for state in (self.server, self.language_server) if state]


def arguments(of: Client, scope: Scope, repo: str) -> tuple[str, ...]:
    """Return the arguments of a new entry for the client `of`: the repository, if `repo` names it or it cannot be found
    out, and the form of the tools' names.
    """
    named = repo or ("" if of.finds else scope.root)
    return (*(("--repo", named) if named else ()), *(("--tool-names", of.tool_names) if of.tool_names else ()))


def install(
    of: Client,
    scope: Scope,
    entry: EntrySpec,
    *,
    instructions: bool,
    hooks: bool,
    skill: bool,
    language_server: EntrySpec | None,
    dry_run: bool,
) -> list[Outcome]:
    """Install the parts into the files of the client `of`, one file after the other, and return the outcomes.
    `language_server` is the entry of the language server, None for none.

    Errors: Refused; invalid_parameter for parts that the client does not support.
    """
    chosen = zip(_each(of, scope, entry), (of.takes_mcp, instructions, hooks, skill), NAMES, strict=True)
    targets = [_there(of, scope, target, *names) for target, is_chosen, names in chosen if is_chosen]
    if language_server:
        targets += _language_server(of, scope, language_server)
    if not targets:
        return [Outcome("", BY_HAND)]
    files = _by_file(targets)
    # all or none: a dry run finds refusals before any file is edited
    planned = [config_editor.install(target, of.id, dry_run=True) for target in files]
    if dry_run:
        return planned
    with edit_log.locked():
        return [config_editor.install(target, of.id) for target in files]


def uninstall(of: Client, scope: Scope, *, dry_run: bool) -> list[Outcome]:
    """Remove every installed part from the files of the client `of`, and return the outcomes. Errors: Refused."""
    targets = [target for target in _each(of, scope, EntrySpec("")) if target.path]
    targets += language_servers.targets(of, scope.system, scope.root, EntrySpec(""))
    if not targets and of.language_server and not of.language_server.is_written:
        return [Outcome("", BY_HAND)]
    if not targets:
        raise InvalidParameter(f"{of.name} has no files in this scope", remedy="leave --project or --global out")
    # a folder of skills may be a link out of the project, which matters only where something is to be removed
    existing = [target for target in targets if not target.is_whole or os.path.lexists(target.path)]
    files = _by_file(existing or targets[:1])
    planned = [config_editor.uninstall(target, of.id, dry_run=True) for target in files]
    if dry_run:
        return planned
    with edit_log.locked():
        return [config_editor.uninstall(target, of.id) for target in files]


def install_state(of: Client, scope: Scope) -> InstallState | None:
    """Return the state of the client `of`; None when it has no configuration in this scope. Never raises."""
    path = places.configuration(of, scope.system, scope.root)
    server = _entry_state(Server(of, EntrySpec("")), path) if path else None
    language_server = _language_server_state(of, scope)
    if not (server or language_server):
        return None
    skill_path = places.skill(of, scope.system, scope.root) if server else ""
    skill = _file_state(OwnFile(skill_file.content(), HTML), skill_path).state if skill_path else ""
    return InstallState(of.id, scope.name, server, language_server, skill, skill_path)


def installations(system: System) -> list[tuple[Client, Scope]]:
    """Return every client and scope in which something is installed: by the log of edits, and where the log is lost by
    the files for all projects. Never raises.
    """
    recorded = [
        (of, Scope(system, root))
        for path, record in edit_log.load().items()
        for of in places.clients().values()
        if of.id in record.clients and (root := _root_of(of, system, path)) is not None
    ]
    states = [(of, install_state(of, Scope(system))) for of in places.clients().values()]
    unrecorded = [
        (of, Scope(system))
        for of, state in states
        if state and (any(entry.state == OURS for entry in state.entries) or state.skill == OURS)
    ]
    scopes = {(of.id, scope.root): (of, scope) for of, scope in (*recorded, *unrecorded)}
    return list(scopes.values())


def _root_of(of: Client, system: System, path: str) -> str | None:
    """The root of the project in which `path` is a file of the client `of`; "" when it is one for all projects, None
    when it is none.
    """
    folder = os.path.dirname(path)
    roots = [""]
    while folder != os.path.dirname(folder):
        roots.append(folder)
        folder = os.path.dirname(folder)
    for root in roots:
        targets = [
            *_each(of, Scope(system, root), EntrySpec("")),
            *language_servers.targets(of, system, root, EntrySpec("")),
        ]
        if any(target.path and os.path.realpath(target.path) == path for target in targets):
            return root
    return None


def _entry_state(server: Server, path: str) -> EntryState:
    try:
        file = original(path)
        return EntryState(path, server.state(file, file.text), server.command(file, file.text))
    except CodedError as error:
        return EntryState(path, BROKEN, reason=error.message)


def _language_server_state(of: Client, scope: Scope) -> EntryState | None:
    declared = of.language_server
    if not declared:
        return None
    if not declared.is_written:
        return None if scope.root else EntryState("", BY_HAND)
    if path := places.language_server(of, scope.system, scope.root):
        return _entry_state(language_servers.entry_of(declared, EntrySpec("")), path)
    targets = language_servers.targets(of, scope.system, scope.root, EntrySpec(""))
    states = [_file_state(part, target.path) for target in targets for part in target.parts]
    return min(states, key=lambda state: (BROKEN, OTHER, ABSENT, OURS).index(state.state), default=None)


def _file_state(part: Part, path: str) -> EntryState:
    try:
        file = original(path)
        return EntryState(path, part.state(file, file.text))
    except CodedError as error:
        return EntryState(path, BROKEN, reason=error.message)


def _each(of: Client, scope: Scope, entry: EntrySpec) -> tuple[Target, ...]:
    """The targets for configuration, instructions, hooks and skill, in the order of NAMES; the path is empty where the
    client has no such file.
    """
    configuration = places.configuration(of, scope.system, scope.root)
    hooked = places.hooks(of, scope.system, scope.root)
    form = of.format if hooked == configuration else "json"
    skill = OwnFile(skill_file.content(), HTML, entry.force)
    return (
        Target(configuration, of.format, (Server(of, entry),), scope.root),
        Target(places.instructions(of, scope.system, scope.root), "json", (Block(),), scope.root),
        Target(hooked, form, (Hook(of, form, entry.command),), scope.root),
        Target(places.skill(of, scope.system, scope.root), "json", (skill,), scope.root, is_whole=True),
    )


def _language_server(of: Client, scope: Scope, spec: EntrySpec) -> list[Target]:
    """The targets for the language server; none where its user has to add it by hand."""
    declared = of.language_server
    if not declared:
        raise InvalidParameter(f"{of.name} is not known to take language servers", remedy="leave --lsp out")
    if not declared.is_written:
        return []
    targets = language_servers.targets(of, scope.system, scope.root, spec)
    return targets or [_there(of, scope, Target("", "json", ()), *LANGUAGE_SERVER)]


def _there(of: Client, scope: Scope, target: Target, what: str, remedy: str) -> Target:
    if target.path:
        return target
    raise InvalidParameter(
        f"{of.name} has no {what} for {'one project' if scope.root else 'all projects'}", remedy=remedy
    )


def _by_file(targets: Sequence[Target]) -> list[Target]:
    """The targets with those of the same file joined, so that each file is written once."""
    merged: dict[str, Target] = {}
    for target in targets:
        known = merged.get(target.path)
        merged[target.path] = msgspec.structs.replace(known, parts=known.parts + target.parts) if known else target
    return list(merged.values())
