"""Notebooks: the code cells as one source.

Source: nbformat 4, "The Notebook file format".
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.languages.language import languages

from .region import Part

_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_MAGIC: Final = re.compile(r"\s*(?:[%!?]|[\w.]+\?\??\s*$)")  # lines that the notebook's shell handles itself
_OTHER: Final = re.compile(r"\s*%%(?!time|capture|prun|debug)")  # a cell for another program


def notebook(root: Node, source: bytes) -> Iterator[Part]:
    """List one part with the lines of all code cells, without commands of the notebook's shell."""
    top = root.named_children[0] if root.named_children else None
    language = _language(top)
    cells = _value(top, "cells")
    if not language or cells is None:
        return
    code = _Code(source)
    for cell in cells.named_children:
        if _string(_value(cell, "cell_type")) == "code" and (written := _value(cell, "source")) is not None:
            code.add(written)
    if code.lines:
        text = "\n".join(code.lines).encode(errors="replace") + b"\n"
        yield Part(language, [(0, len(text))], source=text, origin=code.place, is_shared=True)


class _Code:
    """The code of the cells, and the position of each line in the file, where it is part of a string with escapes."""

    def __init__(self, source: bytes) -> None:
        self.lines: list[str] = []
        self._source = source
        # of each line: its line in the file; columns in the code, and those in the file
        self._places: list[tuple[int, list[int], list[int]]] = []

    def add(self, written: Node) -> None:
        """Add a cell: one string, or a list of them."""
        strings = written.named_children if written.type == "array" else [written]
        begun = len(self.lines)
        is_whole = True
        for string in strings:
            is_whole = self._read(string, is_whole)
        if begun < len(self.lines) and _OTHER.match(self.lines[begun]):
            del self.lines[begun:], self._places[begun:]
        for at in range(begun, len(self.lines)):
            if _MAGIC.match(self.lines[at]):
                self.lines[at] = ""

    def _read(self, string: Node, is_whole: bool) -> bool:
        """Read one string, and return whether it ends at the end of a line. `is_whole`: whether the string
        before did.
        """
        start = string.start_byte + 1
        first = self._source.rfind(b"\n", 0, start) + 1
        line, column = self._source.count(b"\n", 0, first) + 1, len(self._source[first:start].decode(errors="replace"))
        raw = self._source[start : string.end_byte - 1].decode(errors="replace")
        at = 0
        for end in [*(match.end() for match in _ESCAPE.finditer(raw) if match[0] == "\\n"), len(raw)]:
            if end > at:
                self._line(raw[at:end], line, column + at, is_whole)
                is_whole = raw.endswith("\\n", at, end)
            at = end
        return is_whole

    def _line(self, raw: str, line: int, column: int, is_new: bool) -> None:
        """Add the raw text of a line, or of the rest of one."""
        if is_new:
            self.lines.append("")
            self._places.append((line, [], []))
        text, here, there = self.lines[-1], *self._places[-1][1:]
        here.append(len(text))
        there.append(column)
        at = 0
        for match in _ESCAPE.finditer(raw):
            text += raw[at : match.start()]
            if match[0] != "\\n":
                text += _unescaped(match[0])
            at = match.end()
            here.append(len(text))
            there.append(column + at)
        self.lines[-1] = text + raw[at:]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the position in the file of a position in the code."""
        original, here, there = self._places[min(line, len(self._places)) - 1]
        at = bisect_right(here, column) - 1
        return original, there[at] + column - here[at]


def _unescaped(escape: str) -> str:
    """Return the text of an escape; a blank for a line break inside of a line."""
    try:
        result: str = json.loads(f'"{escape}"')
    except ValueError:
        return "?"
    return result if result not in "\n\r\f\v" else " "


def _language(top: Node | None) -> str:
    """Return the kernel's language, '' for an unknown one; Python where the notebook names none."""
    metadata = _value(top, "metadata")
    name = (
        _string(_value(_value(metadata, "language_info"), "name"))
        or _string(_value(_value(metadata, "kernelspec"), "language"))
        or "python"
    )
    return name if name in languages() else ""


def _value(node: Node | None, key: str) -> Node | None:
    """Return the value of a key of an object."""
    for pair in node.named_children if node is not None and node.type == "object" else ():
        if pair.type == "pair" and _string(pair.child_by_field_name("key")) == key:
            return pair.child_by_field_name("value")
    return None


def _string(node: Node | None) -> str:
    return (node.text or b"").decode(errors="replace").strip('"') if node is not None and node.type == "string" else ""
