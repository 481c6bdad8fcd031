"""Configuration files of any supported format: reading values by their keys, and edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import json_edits, toml_edits
from .catalogue import Format
from .json_edits import Key
from .jsonc import Broken, Node
from .jsonc import read as read_json


def value_at(text: str, form: Format, keys: Sequence[Key]) -> Any:
    """Return the value under `keys` in the document `text`; None when it does not exist. Errors: Broken when the
    document cannot be read.
    """
    if form == "toml":
        at: Any = toml_edits.read(text)
        for key in keys:
            at = at.get(key) if isinstance(at, dict) else None
        return at
    node = _node(text, form, keys)
    return None if node is None else node.value


def offset(text: str, form: Format, keys: Sequence[Key]) -> int:
    """Return the offset in `text` of the value under `keys`; 0 when it does not exist."""
    if form == "toml":
        return toml_edits.offset(text, [str(key) for key in keys])
    node = _node(text, form, keys)
    return 0 if node is None else node.start


def put(text: str, form: Format, keys: Sequence[Key], value: Any) -> str:
    """Return the document `text` with `value` set under `keys`. Errors: Broken."""
    if form == "toml":
        return toml_edits.put(text, [str(key) for key in keys], value)
    return json_edits.put(text, keys, value, lenient=form == "jsonc")


def update(text: str, form: Format, keys: Sequence[Key], old: dict[str, Any], new: dict[str, Any]) -> str:
    """Return the document `text` with the existing object under `keys` updated from `old` to `new`; in JSON, only the
    members that differ are edited.

    Errors: Broken.
    """
    if form == "toml":
        return text if old == new else put(text, form, keys, new)
    for name, value in new.items():
        text = text if old.get(name) == value else put(text, form, [*keys, name], value)
    return text


def drop(text: str, form: Format, keys: Sequence[Key]) -> str:
    """Return the document `text` without the value under `keys`. Errors: Broken."""
    if form == "toml":
        return toml_edits.drop(text, [str(key) for key in keys])
    return json_edits.drop(text, keys, lenient=form == "jsonc")


def missing(text: str, form: Format, keys: Sequence[str]) -> list[tuple[str, ...]]:
    """Return those paths along `keys` under which `text` has no value, so that they have to be created, the outermost
    first.
    """
    ways = [tuple(keys[:length]) for length in range(1, len(keys) + 1)]
    return [way for way in ways if value_at(text, form, way) is None]


def _node(text: str, form: Format, keys: Sequence[Key]) -> Node | None:
    node = read_json(text, lenient=form == "jsonc")
    for key in keys:
        if node is None:
            return None
        if node.value is not None and not isinstance(node.value, dict | list):
            raise Broken("an object is expected here", node.start)
        child = node.child(key)
        node = child.node if child else None
    return node
