"""The parser of JSON documents, with or without comments: a tree of values with their offsets, for edits that leave the
rest unchanged.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

DEEPEST: Final = 200  # levels of nesting; a configuration has ten, and Python's stack a thousand

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_COMMENT: Final = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_PLAIN: Final = re.compile(r"(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])")
_CLOSING: Final = {"{": "}", "[": "]"}


class Broken(Exception):
    """Raised when a document cannot be read or edited; `offset` is the place of the fault, -1 for the end."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class Node(NamedTuple):
    """A value and its offsets; the children of an object or array are in the order of the text."""

    start: int
    end: int
    value: Any
    children: tuple[Child, ...] = ()

    def child(self, key: str | int) -> Child | None:
        """Return the child under `key` (or index); None when it does not exist.

        Errors: Broken when a key occurs twice, since readers disagree about which counts.
        """
        matches = [child for child in self.children if child.key == key]
        if len(matches) > 1:
            raise Broken(f"{json.dumps(key)} is there twice", matches[1].start)
        return matches[0] if matches else None


class Child(NamedTuple):
    """A member or item: its key or index, the offset where it begins, its value, and the offset of the end of the comma
    after it (-1 without one).
    """

    key: str | int
    start: int
    node: Node
    comma: int


def read(text: str, *, lenient: bool) -> Node | None:
    """Return the root of the document `text`; None when it contains only white space and comments. `lenient` allows
    comments, and commas before a closing bracket.

    Errors: Broken, with the offset.
    """
    reader = _Reader(text, lenient)
    start = reader.skip(0)
    if start == len(text):
        return None
    root = reader.value(start, 0)
    if (rest := reader.skip(root.end)) < len(text):
        raise Broken("there is something behind the end of the document", rest)
    return root


class _Reader:
    def __init__(self, text: str, lenient: bool) -> None:
        self.text, self.lenient = text, lenient

    def skip(self, at: int) -> int:
        """The offset of the next character that is neither white space nor in a comment."""
        while True:
            at = self._match(_SPACE, at)
            if not self.text.startswith(("//", "/*"), at):
                return at
            if not self.lenient:
                raise Broken("the client reads no comments here", at)
            comment = _COMMENT.match(self.text, at)
            if not comment:
                raise Broken("this comment has no end", at)
            at = comment.end()

    def value(self, at: int, depth: int) -> Node:
        if depth > DEEPEST:
            raise Broken(f"this is nested more than {DEEPEST} levels deep", at)
        if self.text[at : at + 1] in _CLOSING and at < len(self.text):
            return self._container(at, depth)
        matches = _STRING.match(self.text, at) or _PLAIN.match(self.text, at)
        if not matches:
            raise Broken("a value is expected here", at)
        return Node(at, matches.end(), _decoded(matches[0]))

    def _container(self, start: int, depth: int) -> Node:
        closing = _CLOSING[self.text[start]]
        children: list[Child] = []
        at = self.skip(start + 1)
        while not self.text.startswith(closing, at):
            child = self._child(at, len(children) if closing == "]" else None, depth)
            at = self.skip(max(child.comma, child.node.end))
            if child.comma < 0 and not self.text.startswith(closing, at):
                raise Broken(f"a comma or {closing} is expected here", at)
            if child.comma >= 0 and self.text.startswith(closing, at) and not self.lenient:
                raise Broken(f"the client reads no comma before {closing}", child.comma - 1)
            children.append(child)
        value = (
            [child.node.value for child in children]
            if closing == "]"
            else {child.key: child.node.value for child in children}
        )
        return Node(start, at + 1, value, tuple(children))

    def _child(self, start: int, index: int | None, depth: int) -> Child:
        """One member (`index` None) or item, with the comma after it."""
        key: str | int = index if index is not None else ""
        at = start
        if index is None:
            name = _STRING.match(self.text, start)
            if not name:
                raise Broken("a key in double quotes is expected here", start)
            key = json.loads(name[0])
            at = self.skip(name.end())
            if not self.text.startswith(":", at):
                raise Broken("a colon is expected here", at)
            at = self.skip(at + 1)
        node = self.value(at, depth + 1)
        after = self.skip(node.end)
        return Child(key, start, node, after + 1 if self.text.startswith(",", after) else -1)

    def _match(self, pattern: re.Pattern[str], at: int) -> int:
        matches = pattern.match(self.text, at)
        return matches.end() if matches else at


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:  # a number with thousands of digits: compared as text
        return text
