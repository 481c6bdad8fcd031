"""Manifests as values: read inside the jail, capped, and never trusted."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import CodedError
from codeagentd.base.limits import MAX_KEY_PARTS, MAX_MANIFEST_BYTES, MAX_PROJECT_NAME
from codeagentd.base.paths import Jail
from codeagentd.base.text import decode

# a string or comment without an end goes on to the end of the text: a search for its end from each of many beginnings
# would take hours
_STRING: Final = r'("(?:[^"\\]|\\.)*+(?:"|\\?\Z))'
_COMMENT: Final = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LONG_KEY: Final = re.compile(
    rf"""(?<![^\s\[{{,])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}"""
)
_TRAILING: Final = re.compile(rf"{_STRING}|,(?=\s*+[}}\]])", re.DOTALL)
_SECTION: Final = re.compile(r"\[([^\]\n]+)\]")
_OPTION: Final = re.compile(r"([^=:\n]+)[=:](.*)")


class Broken(Exception):
    """Raised for a manifest that cannot be used; the text gives the reason."""


class Manifests:
    """The repository's files, read as manifests; `problems` collects (path, reason) of those that cannot be used."""

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self.paths = sorted(files)
        self.problems: dict[str, str] = {}
        self._known = frozenset(self.paths)
        self._jail = Jail(root)

    def __contains__(self, path: str) -> bool:
        return path in self._known

    def text(self, path: str) -> str:
        """Return the text of the file at `path`.

        Errors: Broken.
        """
        try:
            return decode(self._jail.read_bytes(path, MAX_MANIFEST_BYTES))
        except CodedError as error:
            raise Broken(error.message) from None

    def toml(self, path: str) -> dict[str, Any]:
        """Return the tables of the TOML file at `path`. Errors: Broken."""
        return from_toml(self.text(path))

    def ini(self, path: str) -> dict[str, dict[str, str]]:
        """Return the sections of the INI file at `path`. Errors: Broken."""
        return from_ini(self.text(path))

    def json(self, path: str, comments: bool = False) -> dict[str, Any]:
        """Return the object of the JSON file at `path`; `comments` also allows comments and trailing commas. Errors:
        Broken.
        """
        text = self.text(path)
        if comments:
            text = _TRAILING.sub(_keep_string, _COMMENT.sub(_keep_string, text))
        return from_json(text)


def from_toml(text: str) -> dict[str, Any]:
    """Return the tables of the TOML text `text`.

    Errors: Broken.
    """
    if _LONG_KEY.search(text):
        raise Broken(f"not TOML anyone writes: a key has more than {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a ValueError of another kind
        raise Broken(f"not TOML: {error}") from None


def from_ini(text: str) -> dict[str, dict[str, str]]:
    """Return the sections of the INI text `text`, as configparser reads it: that takes time with the square of the
    lines that it does not understand, before it says so.

    Errors: Broken.
    """
    sections: dict[str, dict[str, list[str]]] = {}
    values: list[str] | None = None
    options: dict[str, list[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words[0] in "#;":
            continue
        if line[0].isspace() and values is not None:
            values.append(words)
        elif section := _SECTION.match(words):
            options, values = sections.setdefault(section[1], {}), None
        elif options is None or not (option := _OPTION.fullmatch(words)):
            raise Broken(f"not INI: line {number}")
        else:
            values = options[option[1].strip().lower()] = [option[2].strip()]
    return {name: {key: "\n".join(lines) for key, lines in each.items()} for name, each in sections.items()}


def from_json(text: str) -> dict[str, Any]:
    """Return the object of the JSON text `text`.

    Errors: Broken.
    """
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Broken(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise Broken("not a JSON object")
    return value


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or ""


def name_of(value: object) -> str:
    """Return the project name that `value` of a manifest is; '' when the manifest has none.

    Errors: Broken.
    """
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MAX_PROJECT_NAME or not value.isprintable():
        raise Broken("the name is no text, or too long")
    return value.strip()


def table(value: object, *keys: str) -> dict[str, Any]:
    """Return the table in `value` at the end of the path `keys`; {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def texts(value: object) -> list[str]:
    """Return the strings of the list `value`, or a single string as a list."""
    return (
        [value]
        if isinstance(value, str)
        else [item for item in value if isinstance(item, str)]
        if isinstance(value, list)
        else []
    )


def join(folder: str, path: str) -> str | None:
    """Return `path`, as a manifest in `folder` names it, relative to the repository's root ('' = the root itself); None
    for a path that leads out of the repository.
    """
    path = path.replace("\\", "/")
    if path.startswith("/") or re.match("[A-Za-z]:", path) or "\0" in path:
        return None
    whole = posixpath.normpath(posixpath.join(folder, path))
    if whole == ".." or whole.startswith("../"):
        return None
    return "" if whole == "." else whole
