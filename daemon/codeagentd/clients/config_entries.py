"""The parts that codeagentd installs into a client's files: an entry of a server, a hook, a block of text.

Adding or removing a part leaves other entries unchanged.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec

from . import config_documents, instruction_blocks
from .catalogue import Client, Format, LanguageServer
from .config_states import ABSENT, OTHER, OURS
from .json_edits import APPENDED
from .jsonc import Broken
from .safe_files import Original, broken

NAME: Final = "codeagent"  # the name of our server in every client
PROGRAM: Final = "codeagent-mcp"
LANGUAGE_SERVER_NAME: Final = "codeagentd"  # the name of our language server in every client
LANGUAGE_SERVER_PROGRAM: Final = "codeagent-lsp"
NUDGE_FLAG: Final = "--nudge"


class EntrySpec(msgspec.Struct, frozen=True):
    """The entry to install: the server's command; arguments and variables, if they are to be set; whether to replace
    another program's entry of the same name.

    `standard` are the arguments of a new entry, `args` those that the user set: they replace the arguments of an
    existing entry.
    """

    command: str
    standard: tuple[str, ...] = ()
    args: tuple[str, ...] | None = None
    env: Mapping[str, str] = {}
    force: bool = False


class Part(Protocol):
    """One part of the installation in one file. `put` and `drop` return the new text, and may raise Refused."""

    def state(self, original: Original, text: str) -> str:
        """Return the state of the part in `text`, the content of the file: ABSENT, OURS or OTHER."""
        ...

    def put(self, original: Original, text: str) -> str:
        """Return `text`, the content of the file, with the part."""
        ...

    def drop(self, original: Original, text: str) -> str:
        """Return `text`, the content of the file, without the part."""
        ...

    def containers_to_create(self, original: Original, text: str) -> list[tuple[str, ...]]:
        """Return the keys of the containers that `put` creates in `text` around the part, the outermost first."""
        ...


class Server(msgspec.Struct, frozen=True):
    """The entry of one of our servers in a client's configuration, as a part of the installation: under `name`, in the
    form of `declared`, with the `values` of further placeholders. It is ours if it starts `program`.
    """

    declared: Client | LanguageServer
    spec: EntrySpec
    name: str = NAME
    program: str = PROGRAM
    values: Mapping[str, Any] = {}

    def state(self, original: Original, text: str) -> str:
        """Return the state of the entry in `text`: OURS when it starts our program, OTHER when it starts another
        one.
        """
        entry = self._entry(original, text)
        return ABSENT if entry is None else OURS if self._is_ours(entry) else OTHER

    def put(self, original: Original, text: str) -> str:
        """Return `text` with the entry added, or the installed one updated; what its owner added to that stays."""
        entry = self._entry(original, text)
        with _Places(original, text):
            if entry is None or (self.spec.force and not self._is_ours(entry)):
                return config_documents.put(
                    text, self.declared.format, self._keys, self._filled(self.spec.args or self.spec.standard)
                )
            if not self._is_ours(entry):
                shown = self._argv(entry)[:1] or ["something else"]
                raise Broken(
                    f"{self.name} starts {shown[0]}: this entry is not ours (--force replaces it, and keeps a copy)",
                    config_documents.offset(text, self.declared.format, self._keys),
                )
            return config_documents.update(text, self.declared.format, self._keys, entry, self._renewed(entry))

    def drop(self, original: Original, text: str) -> str:
        """Return `text` without the entry; another program's entry stays."""
        with _Places(original, text):
            return (
                config_documents.drop(text, self.declared.format, self._keys)
                if self.state(original, text) == OURS
                else text
            )

    def containers_to_create(self, original: Original, text: str) -> list[tuple[str, ...]]:
        """Return the keys of the table of servers, if `text` has none."""
        with _Places(original, text):
            return config_documents.missing(text, self.declared.format, self.declared.keys)

    def command(self, original: Original, text: str) -> str:
        """Return the program that the entry in `text` starts; "" without an entry."""
        entry = self._entry(original, text)
        return self._argv(entry)[0] if entry is not None and self._is_ours(entry) else ""

    @property
    def _keys(self) -> tuple[str, ...]:
        return (*self.declared.keys, self.name)

    def _entry(self, original: Original, text: str) -> Any:
        with _Places(original, text):
            return config_documents.value_at(text, self.declared.format, self._keys)

    def _is_ours(self, entry: Any) -> bool:
        argv = self._argv(entry)
        return bool(argv) and is_program(argv[0], self.program)

    def _argv(self, entry: Any) -> list[str]:
        """The command and arguments of an entry of the client's form; [] for any other."""
        if not isinstance(entry, dict):
            return []
        original: list[Any] = []
        for name, what in self.declared.entry.items():
            value = entry.get(name)
            if what == "$command":
                original = [value, *original]
            elif what in ("$args", "$argv"):
                original += value if isinstance(value, list) else []
        return original if all(isinstance(word, str) for word in original) else []

    def _filled(self, args: tuple[str, ...]) -> dict[str, Any]:
        values = {
            **self.values,
            "$command": self.spec.command,
            "$args": list(args),
            "$argv": [self.spec.command, *args],
            "$env": dict(self.spec.env),
        }
        filled = {
            name: values.get(what, what) if isinstance(what, str) else what
            for name, what in self.declared.entry.items()
        }
        return {name: value for name, value in filled.items() if value != {}}

    def _renewed(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Our entry with the current command and the requested arguments; everything else is kept."""
        args = self.spec.args if self.spec.args is not None else tuple(self._argv(entry)[1:])
        fresh = self._filled(args)
        chosen = {name for name, what in self.declared.entry.items() if what in ("$command", "$args", "$argv")}
        env = next((name for name, what in self.declared.entry.items() if what == "$env"), "")
        renewed = fresh | entry | {name: fresh[name] for name in chosen}
        return renewed | ({env: {**entry.get(env, {}), **self.spec.env}} if self.spec.env else {})


class Hook(msgspec.Struct, frozen=True):
    """A command that a client runs when a session starts, as a part of the installation. It reports that there is an
    index, and never blocks the session.
    """

    client: Client
    form: Format
    command: str

    def state(self, original: Original, text: str) -> str:
        """Return OURS if `text` has the hook, else ABSENT: hooks of other programs may exist beside it."""
        return ABSENT if self._index(original, text) < 0 else OURS

    def put(self, original: Original, text: str) -> str:
        """Return `text` with the hook added after the others, or the installed one updated."""
        at = self._index(original, text)
        item = _spelled(self.client.hooks_item, f"{_quoted(self.command)} {NUDGE_FLAG}")
        with _Places(original, text):
            there = config_documents.value_at(text, self.form, self.client.hooks_keys)
            if at >= 0 and there[at] == item:
                return text
            return config_documents.put(text, self.form, [*self.client.hooks_keys, at if at >= 0 else APPENDED], item)

    def drop(self, original: Original, text: str) -> str:
        """Return `text` without the installed hook."""
        at = self._index(original, text)
        with _Places(original, text):
            return text if at < 0 else config_documents.drop(text, self.form, [*self.client.hooks_keys, at])

    def containers_to_create(self, original: Original, text: str) -> list[tuple[str, ...]]:
        """Return the keys of the table of hooks and of the list for this event, as far as `text` lacks them."""
        with _Places(original, text):
            return config_documents.missing(text, self.form, self.client.hooks_keys)

    def _index(self, original: Original, text: str) -> int:
        with _Places(original, text):
            items = config_documents.value_at(text, self.form, self.client.hooks_keys)
        if not isinstance(items, list):
            return -1
        return next((at for at, item in enumerate(items) if any(_is_nudge(command) for command in _commands(item))), -1)


class Block(msgspec.Struct, frozen=True):
    """The block of instructions in the file that an agent reads first, as a part of the installation."""

    def state(self, original: Original, text: str) -> str:
        """Return OURS if `text` has the marks of the block, else ABSENT."""
        return OURS if self.drop(original, text) != text else ABSENT

    def put(self, original: Original, text: str) -> str:
        """Return `text` with the block added or renewed."""
        with _Places(original, text):
            return instruction_blocks.put(text)

    def drop(self, original: Original, text: str) -> str:
        """Return `text` without the block and its marks."""
        with _Places(original, text):
            return instruction_blocks.drop(text)

    def containers_to_create(self, original: Original, text: str) -> list[tuple[str, ...]]:
        """Return []: the block is at the top level of the file, in no container."""
        return []


class _Places:
    """Converts an error at an offset to a refusal with file, line and column."""

    def __init__(self, original: Original, text: str) -> None:
        self._original, self._text = original, text

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Broken):
            raise broken(self._original.path, self._text, error) from None


def is_program(command: str, program: str = PROGRAM) -> bool:
    """Whether `command` starts `program`, in whatever folder."""
    return os.path.basename(command.replace("\\", "/")).removesuffix(".exe") == program


def _is_nudge(command: str) -> bool:
    try:
        words = shlex.split(command.replace("\\", "/"))
    except ValueError:
        return False
    return len(words) == 2 and is_program(words[0]) and words[1] == NUDGE_FLAG


def _commands(item: Any) -> list[str]:
    """Every text under a key `command`, at any depth."""
    if isinstance(item, list):
        return [command for part in item for command in _commands(part)]
    if not isinstance(item, dict):
        return []
    own = [item["command"]] if isinstance(item.get("command"), str) else []
    return own + [command for part in item.values() for command in _commands(part)]


def _spelled(template: Any, command: str) -> Any:
    if isinstance(template, dict):
        return {name: _spelled(value, command) for name, value in template.items()}
    if isinstance(template, list):
        return [_spelled(value, command) for value in template]
    return command if template == "$nudge" else template


def _quoted(command: str) -> str:
    """A path quoted for the shell of its system: Windows supports only double quotes."""
    return shlex.quote(command) if "\\" not in command else f'"{command}"' if " " in command else command
