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
from . import config_editor, edit_log
from .catalogue import Client, System
from .config_editor import Outcome, Target
from .config_entries import Block, EntrySpec, Hook, Server, Skill
from .safe_files import original

BROKEN: Final = "broken"
NAMES: Final = (
    ("configuration", "try the other of --project and --global"),
    ("file of instructions that is known", "leave --instructions out, or try the other of --project and --global"),
    ("hooks that are known", "leave --hooks out"),
    ("folder of skills that is known", "leave --skill out, or try the other of --project and --global"),
)


class Scope(msgspec.Struct, frozen=True):
    """The scope of an installation: the system, and the project's root, "" for all projects."""

    system: System
    root: str = ""

    @property
    def name(self) -> str:
        """The name of the scope: `project` or `global`."""
        return "project" if self.root else "global"


class InstallState(msgspec.Struct, frozen=True):
    """The state of one client's configuration: ABSENT, OURS, OTHER or BROKEN (with `reason`), and the program that our
    entry starts; likewise the state of our skill, "" where the client is not known to read skills.
    """

    client: str
    scope: str
    path: str
    state: str
    command: str = ""
    reason: str = ""
    skill: str = ""
    skill_path: str = ""


def arguments(of: Client, scope: Scope, repo: str) -> tuple[str, ...]:
    """Return the arguments of a new entry for the client `of`: the repository, if `repo` names it or it cannot be found
    out, and the form of the tools' names.
    """
    named = repo or ("" if of.finds else scope.root)
    return (*(("--repo", named) if named else ()), *(("--tool-names", of.tool_names) if of.tool_names else ()))


def install(
    of: Client, scope: Scope, entry: EntrySpec, *, instructions: bool, hooks: bool, skill: bool, dry_run: bool
) -> list[Outcome]:
    """Install the parts into the files of the client `of`, one file after the other, and return the outcomes.

    Errors: Refused; invalid_parameter for parts that the client does not support.
    """
    chosen = zip(_each(of, scope, entry), (True, instructions, hooks, skill), NAMES, strict=True)
    targets = [_there(of, scope, target, *names) for target, is_chosen, names in chosen if is_chosen]
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
    if not targets:
        raise InvalidParameter(f"{of.name} has no files in this scope", remedy="leave --project or --global out")
    # a folder of skills may be a link out of the project, which matters only where something is to be removed
    files = _by_file([target for target in targets if not target.is_whole or os.path.lexists(target.path)])
    planned = [config_editor.uninstall(target, of.id, dry_run=True) for target in files]
    if dry_run:
        return planned
    with edit_log.locked():
        return [config_editor.uninstall(target, of.id) for target in files]


def install_state(of: Client, scope: Scope) -> InstallState | None:
    """Return the state of the configuration of the client `of`; None when it has none in this scope. Never raises."""
    path = places.configuration(of, scope.system, scope.root)
    if not path:
        return None
    server = Server(of, EntrySpec(""))
    skill_path = places.skill(of, scope.system, scope.root)
    skill = _skill_state(skill_path) if skill_path else ""
    try:
        file = original(path)
        state, command, reason = server.state(file, file.text), server.command(file, file.text), ""
    except CodedError as error:
        state, command, reason = BROKEN, "", error.message
    return InstallState(of.id, scope.name, path, state, command, reason, skill, skill_path)


def _skill_state(path: str) -> str:
    try:
        file = original(path)
        return Skill().state(file, file.text)
    except CodedError:
        return BROKEN


def _each(of: Client, scope: Scope, entry: EntrySpec) -> tuple[Target, ...]:
    """The targets for configuration, instructions, hooks and skill, in the order of NAMES; the path is empty where the
    client has no such file.
    """
    configuration = places.configuration(of, scope.system, scope.root)
    hooked = places.hooks(of, scope.system, scope.root)
    form = of.format if hooked == configuration else "json"
    return (
        Target(configuration, of.format, (Server(of, entry),), scope.root),
        Target(places.instructions(of, scope.system, scope.root), "json", (Block(),), scope.root),
        Target(hooked, form, (Hook(of, form, entry.command),), scope.root),
        Target(places.skill(of, scope.system, scope.root), "json", (Skill(entry.force),), scope.root, is_whole=True),
    )


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
