"""The table of clients (clients.toml), and the paths of a client's files on a system."""

from __future__ import annotations

import functools
import glob
import importlib.resources
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.suggestions import did_you_mean

from . import skill_file

Format = Literal["json", "jsonc", "toml"]
Paths = dict[str, list[str]]

_VARIABLE: Final = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
_PLATFORMS: Final = {"darwin": "macos", "win32": "windows"}


class WrittenFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is wholly ours, with the text of a template beside this module."""

    paths: Paths
    template: str


class LanguageServer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a client declares language servers (the fields are documented in clients.toml): an entry, files of ours, or
    neither, where its user has to do what `advice` says.
    """

    sources: tuple[str, ...]
    format: Format = "json"
    keys: tuple[str, ...] = ()
    entry: dict[str, Any] = {}
    paths: Paths = {}
    project: str = ""
    project_else: tuple[str, ...] = ()
    files: tuple[WrittenFile, ...] = ()
    advice: str = ""
    checked: bool = True

    @property
    def is_written(self) -> bool:
        """Whether there is anything to write: an entry, or files of ours."""
        return bool(self.entry or self.files)


class Client(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of clients.toml (its fields are documented there); `id` is its name in that file."""

    name: str
    format: Format = "json"
    keys: tuple[str, ...] = ()
    entry: dict[str, Any] = {}
    paths: Paths = {}
    finds: Literal["folder", "roots", ""] = ""
    sources: tuple[str, ...] = ()
    id: str = ""
    programs: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    project: str = ""
    project_else: tuple[str, ...] = ()
    tool_names: Literal["", "underscore"] = ""
    instructions_paths: Paths = {}
    instructions_project: str = ""
    skills_paths: Paths = {}
    skills_project: str = ""
    hooks_paths: Paths = {}
    hooks_project: str = ""
    hooks_keys: tuple[str, ...] = ()
    hooks_item: dict[str, Any] = {}
    language_server: LanguageServer | None = None
    checked: bool = True

    @property
    def takes_mcp(self) -> bool:
        """Whether it is a client of MCP; others are editors that take only a language server."""
        return bool(self.entry)


class System(msgspec.Struct, frozen=True):
    """The facts that paths depend on: the platform (linux, macos or windows), the home directory, the environment
    variables.
    """

    platform: str
    home: str
    variables: Mapping[str, str]

    def path(self, template: str) -> str:
        """Return the path that `template` of the table stands for on this system; "" when it needs a variable that is
        not set.

        A variable with a relative path as its value counts as not set.
        """
        unknown = False

        def value(match: re.Match[str]) -> str:
            nonlocal unknown
            variable = self.variables.get(match[1], "")
            if variable and (os.path.isabs(variable) or self.platform == "windows"):
                return variable
            unknown |= match[2] is None
            return match[2] or ""

        path = _VARIABLE.sub(value, template)
        path = self.home + path[1:] if path.startswith("~") else path
        return "" if unknown else path.replace("/", "\\") if self.platform == "windows" else path

    def first(self, paths: Paths) -> str:
        """Return the first of the `paths` for this system that exists; without one, the first that can be expanded; ""
        when none can.
        """
        known = [
            path
            for template in paths.get(self.platform, paths.get("all", []))
            if (path := self._existing_path(self.path(template)))
        ]
        return next((path for path in known if os.path.lexists(path)), known[0] if known else "")

    def has(self, client: Client) -> bool:
        """Whether `client` seems to be installed: a program, a folder or its configuration exists."""
        files = [path for paths in self._files(client) if (path := self.first(paths))]
        folders = [folder for path in files if (folder := os.path.dirname(path)) != self.home]
        signs = [self.path(sign) for sign in client.signs] + files + folders
        return any(map(os.path.exists, signs)) or any(
            shutil.which(name, path=self.variables.get("PATH")) for name in client.programs
        )

    def _files(self, client: Client) -> list[Paths]:
        """The configurations that show that a client is here: an editor's own, but none that several clients read."""
        editor = client.language_server if not client.takes_mcp else None
        return [client.paths, *([editor.paths] if editor else [])]

    def _existing_path(self, path: str) -> str:
        """The expanded path of a pattern whose folder has a `*`: below the newest such folder, "" without one."""
        if "*" not in path:
            return path
        folders = sorted(glob.glob(os.path.dirname(path)), key=os.path.getmtime)
        return os.path.join(folders[-1], os.path.basename(path)) if folders else ""


@functools.cache
def clients() -> dict[str, Client]:
    """Return every client by its id, in the order of the table."""
    text = importlib.resources.files(__package__).joinpath("clients.toml").read_bytes()
    return {
        name: msgspec.structs.replace(client, id=name)
        for name, client in msgspec.toml.decode(text, type=dict[str, Client]).items()
    }


def client(name: str) -> Client:
    """Return the client with the id `name`. Errors: invalid_parameter."""
    try:
        return clients()[name]
    except KeyError:
        remedy = " ".join(filter(None, [did_you_mean(name, clients()), f"use one of: {', '.join(clients())}"]))
        raise InvalidParameter(f"there is no client {name!r}", remedy=remedy, parameter="client") from None


def this_system(variables: Mapping[str, str], home: str) -> System:
    """Return the description of the running system, from its environment variables and home directory."""
    return System(_PLATFORMS.get(sys.platform, "linux"), home, variables)


def configuration(of: Client, system: System, root: str) -> str:
    """Return the path of the file in which the client `of` has its servers: that of the project at `root`, or with root
    "" that of the user; "" when there is none.
    """
    return _in_project(root, (of.project, *of.project_else)) if root else system.first(of.paths)


def language_server(of: Client, system: System, root: str) -> str:
    """Return the path of the file in which the client `of` has its language servers: that of the project at `root`, or
    with root "" that of the user; "" when there is none.
    """
    declared = of.language_server
    if not (declared and declared.entry):
        return ""
    return _in_project(root, (declared.project, *declared.project_else)) if root else system.first(declared.paths)


def instructions(of: Client, system: System, root: str) -> str:
    """Return the path of the file that the agent of the client `of` reads first: that of the project at `root`, or with
    root "" that of the user; "" when none is known.
    """
    return _in_project(root, (of.instructions_project,)) if root else system.first(of.instructions_paths)


def skill(of: Client, system: System, root: str) -> str:
    """Return the path of the file of our skill for the client `of`: in the project at `root`, or with root "" for all
    projects of the user; "" when it is not known to read skills.
    """
    folder = _in_project(root, (of.skills_project,)) if root else system.first(of.skills_paths)
    separator = "\\" if system.platform == "windows" else "/"
    return separator.join((folder, skill_file.NAME, skill_file.FILE)) if folder else ""


def hooks(of: Client, system: System, root: str) -> str:
    """Return the path of the file with the hooks of the client `of`, which may be its configuration: that of the
    project at `root`, or with root "" that of the user; "" when none is known.
    """
    if not of.hooks_keys:
        return ""
    own = _in_project(root, (of.hooks_project,)) if root else system.first(of.hooks_paths)
    return own or configuration(of, system, root)


def _in_project(root: str, names: Sequence[str]) -> str:
    paths = [os.path.join(root, name) for name in names if name]
    return next((path for path in paths if os.path.lexists(path)), paths[0] if paths else "")
