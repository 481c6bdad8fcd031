"""Edits of JSON documents by range: everything that is not edited stays the same to the byte, including comments,
indentation and line ends.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from .jsonc import Broken, Child, Node, read

Key = str | int
APPENDED: Final = -1  # the key of a value that is appended to an array

_BLANK: Final = " \t\r\n"
_SAME_LINE: Final = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*.*?\*/))*", re.DOTALL)
_INDENTED: Final = re.compile(r'\n([ \t]+)["{\[]')
_LINE_END: Final = re.compile(r"[ \t]*(?:\r?\n|//|$)")


def put(text: str, keys: Sequence[Key], value: Any, *, lenient: bool) -> str:
    """Return the document `text` with `value` under `keys`; missing objects and arrays on the way are created.

    Errors: Broken.
    """
    root = read(text, lenient=lenient)
    if root is None:
        end = newline(text)
        begin = "" if not text or text.endswith("\n") else end
        return put(f"{text}{begin}{{{end}}}{end}", keys, value, lenient=lenient)
    node, rest = _descend(root, keys)
    edited = _insert(text, node, rest[0], _nested(rest[1:], value)) if rest else _replace(text, node, value)
    return _checked(edited, _with(root.value, list(keys), value), lenient)


def drop(text: str, keys: Sequence[Key], *, lenient: bool) -> str:
    """Return the document `text` without the member or item under `keys`; unchanged when it does not exist.

    Errors: Broken.
    """
    root = read(text, lenient=lenient)
    if root is None:
        return text
    parent, rest = _descend(root, keys[:-1])
    child = None if rest else parent.child(keys[-1])
    return text if child is None else _checked(_without(text, parent, child), _less(root.value, keys), lenient)


def newline(text: str) -> str:
    """Return the line end that `text` uses."""
    return "\r\n" if "\r\n" in text else "\n"


def _descend(root: Node, keys: Sequence[Key]) -> tuple[Node, list[Key]]:
    """The deepest existing value on the way, and the remaining keys."""
    node, rest = root, list(keys)
    while rest:
        container = list if isinstance(rest[0], int) else dict
        if not isinstance(node.value, container):
            raise Broken(f"this should be {'an array' if container is list else 'an object'}", node.start)
        child = node.child(rest[0]) if rest[0] != APPENDED else None
        if child is None:
            break
        node = child.node
        rest.pop(0)
    return node, rest


def _nested(keys: Sequence[Key], value: Any) -> Any:
    for key in reversed(keys):
        value = [value] if isinstance(key, int) else {key: value}
    return value


def _replace(text: str, node: Node, value: Any) -> str:
    return text[: node.start] + _rendered(value, text, _indent(text, node.start)) + text[node.end :]


def _insert(text: str, node: Node, key: Key, value: Any) -> str:
    if node.children:
        return _append(text, node, key, value)
    inner = text[node.start + 1 : node.end - 1]
    if "\n" not in text.strip(_BLANK):
        return text[: node.start + 1] + inner.rstrip(_BLANK) + _member(key, value, None, "") + text[node.end - 1 :]
    base = _indent(text, node.start)
    indent = base + _unit(text)
    added = newline(text) + indent + _member(key, value, text, indent)
    return text[: node.start + 1] + inner.rstrip(_BLANK) + added + newline(text) + base + text[node.end - 1 :]


def _append(text: str, node: Node, key: Key, value: Any) -> str:
    """Insert after the last child: on a line of its own if the closing bracket is on one."""
    last, closing = node.children[-1], node.end - 1
    tail = max(last.comma, last.node.end)
    trailing = "," if last.comma >= 0 else ""
    if "\n" in text[tail:closing]:
        indent = _own_indent(text, last.start)
        indent = _indent(text, closing) + _unit(text) if indent is None else indent
        anchor = _SAME_LINE.match(text, tail).end()  # type: ignore[union-attr]  # the pattern matches nothing, too
        added = newline(text) + indent + _member(key, value, text, indent) + trailing
    else:
        anchor, added = tail, " " + _member(key, value, None, "") + trailing
    comma = "" if trailing else ","
    return text[: last.node.end] + comma + text[last.node.end : anchor] + added + text[anchor:]


def _without(text: str, parent: Node, child: Child) -> str:
    end = max(child.comma, child.node.end)
    start = _space_before(text, parent.start + 1, child.start)
    if not _LINE_END.match(text, end) and ("\n" in text[start : child.start] or start == child.start):
        start = child.start  # another value follows on this line
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    at = parent.children.index(child)
    if child.comma >= 0 or not at:
        return text[:start] + text[end:]
    before = parent.children[at - 1]
    return text[: before.comma - 1] + text[before.comma : start] + text[end:]


def _space_before(text: str, least: int, at: int) -> int:
    """The offset where the white space before `at` begins: at the end of the line before, or at `least` if that is
    later.
    """
    head = text[least:at].rstrip(" \t")
    return least + len(head.removesuffix("\n").removesuffix("\r") if head.endswith("\n") else head)


def _member(key: Key, value: Any, text: str | None, indent: str) -> str:
    """The text `"key": value`, or the value alone for an item; on one line if the document shows no indentation."""
    name = "" if isinstance(key, int) else json.dumps(key, ensure_ascii=False) + ": "
    return name + (json.dumps(value, ensure_ascii=False) if text is None else _rendered(value, text, indent))


def _rendered(value: Any, text: str, indent: str) -> str:
    if "\n" not in text.strip(_BLANK):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", newline(text) + indent)


def _unit(text: str) -> str:
    """The text of one level of indentation, as the document uses it."""
    match = _INDENTED.search(text)
    return "  " if not match else "\t" if match[1].startswith("\t") else match[1][:8]


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line that contains an offset."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _own_indent(text: str, at: int) -> str | None:
    """The white space before an offset, if the line contains nothing else before it; else None."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return None if line.strip(" \t") else line


def _with(value: Any, keys: Sequence[Key], new: Any) -> Any:
    """The value that the document should have after `put`."""
    if not keys:
        return new
    edited = copy.copy(value)
    key = keys[0]
    if isinstance(key, int):
        edited = [*value, None] if key == APPENDED else edited
        edited[key] = _with(edited[key] if edited[key] is not None else _empty(keys[1:]), keys[1:], new)
    else:
        edited[key] = _with(value.get(key, _empty(keys[1:])), keys[1:], new)
    return edited


def _empty(keys: Sequence[Key]) -> Any:
    return [] if keys and isinstance(keys[0], int) else {}


def _less(value: Any, keys: Sequence[Key]) -> Any:
    """The value that the document should have after `drop`."""
    edited = copy.copy(value)
    key: Any = keys[0]
    if len(keys) == 1:
        del edited[key]
    else:
        edited[key] = _less(value[key], keys[1:])
    return edited


def _checked(text: str, expected: Any, lenient: bool) -> str:
    """Return the edited document after checking that its value is the expected one. Errors: Broken."""
    root = read(text, lenient=lenient)
    if root is None or root.value != expected:
        raise Broken("the way this is written cannot be edited safely", 0)
    return text
