"""Edits of TOML documents by lines: our table is added at the end or removed again, and no other line is changed.

The result of every edit is parsed with tomllib, and refused if anything but our table has changed.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .json_edits import newline
from .jsonc import Broken

_HEADER: Final = re.compile(r"[ \t]*\[.*\][ \t]*(?:#.*)?")
_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)$")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_DELETE: Final = "\x7f"  # JSON does not escape it, TOML has to


def read(text: str) -> dict[str, Any]:
    """Return the document `text` as values. Errors: Broken, with the offset."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        message = _PLACE.sub("", str(error)).strip()
        raise Broken(message, _offset(text, int(place[1]), int(place[2])) if place else -1) from None
    except RecursionError:
        raise Broken("this is nested too deep", 0) from None


def put(text: str, keys: Sequence[str], entry: Mapping[str, Any]) -> str:
    """Return the document `text` with the table `entry` under `keys`: appended at the end, or in the place of the
    existing one.

    Errors: Broken.
    """
    expected = copy.deepcopy(read(text))
    at: Any = expected
    for key in keys[:-1]:
        at = at.setdefault(key, {})
        if not isinstance(at, dict):
            raise Broken(f"{key} is no table", 0)
    is_there = keys[-1] in at
    at[keys[-1]] = dict(entry)
    lines = _lines(text)
    begin, end = _span(lines, keys) if is_there else (len(lines), len(lines))
    head, tail = "".join(lines[:begin]), "".join(lines[end:])
    ends = newline(text)
    gap = "" if is_there or not head.strip() else ends if head.endswith("\n") else ends + ends
    return _checked(head + gap + _table(keys, entry, ends) + tail, expected)


def drop(text: str, keys: Sequence[str]) -> str:
    """Return the document `text` without the table under `keys`; unchanged when it does not exist.

    Errors: Broken.
    """
    expected = copy.deepcopy(read(text))
    at: Any = expected
    for key in keys[:-1]:
        at = at.get(key) if isinstance(at, dict) else None
    if not isinstance(at, dict) or keys[-1] not in at:
        return text
    del at[keys[-1]]
    lines = _lines(text)
    begin, end = _span(lines, keys)
    if begin and not lines[begin - 1].strip():
        begin -= 1  # the blank line that was added with the table
    edited = "".join(lines[:begin] + lines[end:])
    return (
        _checked(edited, expected) if _says(edited, expected) else _checked(edited, _without_empty(expected, keys[:-1]))
    )


def offset(text: str, keys: Sequence[str]) -> int:
    """Return the offset in `text` of the header of the table under `keys`; 0 when it has none."""
    lines = _lines(text)
    try:
        return sum(len(line) for line in lines[: _span(lines, keys)[0]])
    except Broken:
        return 0


def _span(lines: Sequence[str], keys: Sequence[str]) -> tuple[int, int]:
    """The range of the lines of a table and its sub-tables: from its header to its last line that is neither blank nor
    a comment.

    Errors: Broken when it has no header.
    """
    path, begin, end = tuple(keys), -1, -1
    for number, line in enumerate(lines):
        header = _header(line)
        is_ours = header[: len(path)] == path
        if header and is_ours != (begin >= 0) and _is_complete(lines[:number]):
            if not is_ours:
                break
            begin = number
        if begin >= 0 and line.split("#")[0].strip():
            end = number
    if begin < 0:
        raise Broken(f"{'.'.join(keys)} is written inside another table: it can only be edited by hand", 0)
    return begin, end + 1


def _is_complete(lines: Sequence[str]) -> bool:
    """Whether a document could end after these lines: a line that looks like a header may also be in a multi-line
    string.
    """
    try:
        tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _header(line: str) -> tuple[str, ...]:
    """The keys of a `[table]` line; () for any other."""
    if not _HEADER.fullmatch(line.rstrip("\r\n")):
        return ()
    try:
        at: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    keys = []
    while isinstance(at, dict | list) and at:
        if isinstance(at, list):
            at = at[0]
            continue
        key, at = next(iter(at.items()))
        keys.append(key)
    return tuple(keys)


def _table(keys: Sequence[str], entry: Mapping[str, Any], ends: str) -> str:
    lines = [f"[{'.'.join(_key(key) for key in keys)}]"]
    lines += [f"{_key(name)} = {_value(value)}" for name, value in entry.items()]
    return "".join(line + ends for line in lines)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False).replace(_DELETE, "\\u007f")
    return str(value.isoformat())  # a date or time in an addition of the owner


def _lines(text: str) -> list[str]:
    """The lines with their line ends; only line ends of TOML count."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _offset(text: str, line: int, column: int) -> int:
    return sum(len(part) for part in _lines(text)[: line - 1]) + column - 1


def _without_empty(data: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The document's values without the empty tables above the removed one that existed only because of its header."""
    at: Any = data
    for key in keys[:-1]:
        at = at[key]
    if keys and not at[keys[-1]]:
        del at[keys[-1]]
    return data


def _says(text: str, expected: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == expected
    except tomllib.TOMLDecodeError:
        return False


def _checked(text: str, expected: dict[str, Any]) -> str:
    if not _says(text, expected):
        raise Broken("the way this is written cannot be edited safely: it can only be edited by hand", 0)
    return text
