"""The language server in clients: what is written for it, and what is left to the user."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping, Sequence
from typing import Any, Final

from codeagentd.languages.language_ids import ids_by_extension, ids_by_file_name

from .catalogue import Client, LanguageServer, System, language_server
from .config_editor import Target
from .config_entries import LANGUAGE_SERVER_NAME, LANGUAGE_SERVER_PROGRAM, EntrySpec, Server
from .own_file import LUA, OwnFile, marked

_VALUES: Final = ("$ids_of_names", "$ids", "$argv", "$env")  # of templates: the longer of two that begin alike first


def targets(of: Client, system: System, root: str, spec: EntrySpec) -> list[Target]:
    """Return the targets of the language server for the client `of`, in the project at `root` or with root "" for all
    projects; none where nothing can be written. `spec` has the command of the language server.
    """
    declared = of.language_server
    if not declared:
        return []
    path = language_server(of, system, root)
    entry = [Target(path, declared.format, (entry_of(declared, spec),), root)] if path else []
    return entry + ([] if root else _files(declared, system, spec))


def entry_of(declared: LanguageServer, spec: EntrySpec) -> Server:
    """Return the entry of the language server, as a part of the installation."""
    ids = ids_by_extension()
    values = {
        "$ids": ids,
        "$extensions": list(ids),
        "$suffixes": [extension.removeprefix(".") for extension in ids],
    }
    return Server(declared, spec, LANGUAGE_SERVER_NAME, LANGUAGE_SERVER_PROGRAM, values)


def advice(of: Client, command: str) -> str:
    """Return what the user of the client `of` has to know or do by hand, with the `command` filled in; "" for
    nothing.
    """
    declared = of.language_server
    return declared.advice.replace("$command", command.replace("\\", "/")) if declared else ""


def _files(declared: LanguageServer, system: System, spec: EntrySpec) -> list[Target]:
    return [
        Target(
            system.first(file.paths),
            declared.format,
            (OwnFile(marked(_filled(file.template, spec), LUA), LUA, spec.force),),
            is_whole=True,
        )
        for file in declared.files
    ]


def _filled(template: str, spec: EntrySpec) -> str:
    text = importlib.resources.files(__package__).joinpath(template).read_text(encoding="utf-8")
    values: dict[str, Any] = {
        "$ids_of_names": ids_by_file_name(),
        "$ids": ids_by_extension(),
        "$argv": [spec.command, *(spec.args or spec.standard)],
        "$env": dict(spec.env),
    }
    for name in _VALUES:
        text = text.replace(name, _lua(values[name]))
    return text


def _lua(value: Any) -> str:
    """A value as a Lua expression."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"[{_lua(key)}] = {_lua(part)}" for key, part in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "{ " + ", ".join(map(_lua, value)) + " }"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{text}"'
