"""Notebooks: code cells, as one source.

Source: nbformat 4, "The Notebook file format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.languages.language import languages

from .part import Part

_ESCAPES: Final = {b"\\n": b"\n", b"\\t": b"\t", b"\\r": b"\r", b'\\"': b'"', b"\\\\": b"\\", b"\\/": b"/", b"\\b": b" ", b"\\f": b" "}
_ESCAPE: Final = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_MAGIC: Final = re.compile(rb"\s*(?:[%!?]|[\w.]+\?\??\s*(?:\\n)?$)")  # what the notebook's shell reads itself
_OTHER: Final = re.compile(rb"\s*%%(?!time|capture|prun|debug)")  # a cell for somebody else
Range = tuple[int, int]


def notebook(root: Node, source: bytes) -> Iterator[Part]:
    """The lines of all code cells; lines that are commands of the notebook's shell are left out. A line's escapes are read where they stand."""
    top = root.named_children[0] if root.named_children else None
    language = _language(top)
    cells = _value(top, "cells")
    if not language or cells is None:
        return
    text = bytearray(source)
    ranges: list[Range] = []
    for cell in cells.named_children:
        if _string(_value(cell, "cell_type")) == "code" and (written := _value(cell, "source")) is not None:
            ranges += _lines(text, source, written)
    if ranges:
        yield Part(language, ranges, source=bytes(text), is_shared=True)


def _lines(text: bytearray, source: bytes, written: Node) -> Iterator[Range]:
    """The ranges of one cell's lines, which end with a newline each; `text` gets what escapes stand for."""
    strings = written.named_children if written.type == "array" else [written]
    first = True
    for string in strings:
        start, end = string.start_byte + 1, string.end_byte - 1
        if first and _OTHER.match(source, start, end):
            return
        first = False
        for begin, stop in _cut(source, start, end):
            if not _MAGIC.match(source, begin, stop):
                yield from _unescaped(text, source, begin, stop)
    last = written.end_byte - 1  # the quote or bracket that ends the source stands for the end of its last line
    text[last] = ord("\n")
    yield last, last + 1


def _cut(source: bytes, start: int, end: int) -> Iterator[Range]:
    """The lines inside of one string."""
    at = start
    for match in _ESCAPE.finditer(source, start, end):
        if match[0] == b"\\n":
            yield at, match.end()
            at = match.end()
    if at < end:
        yield at, end


def _unescaped(text: bytearray, source: bytes, start: int, end: int) -> Iterator[Range]:
    """Ranges of a line without the first signs of its escapes."""
    at = start
    for match in _ESCAPE.finditer(source, start, end):
        if match.start() > at:
            yield at, match.start()
        meant = _ESCAPES.get(match[0], b"?")
        text[match.start() + 1 : match.start() + 2] = meant
        yield match.start() + 1, match.start() + 2
        at = match.end()
    if at < end:
        yield at, end


def _language(top: Node | None) -> str:
    """The kernel's language, where it is one of ours; Python where the notebook does not say."""
    metadata = _value(top, "metadata")
    said = _string(_value(_value(metadata, "language_info"), "name")) or _string(_value(_value(metadata, "kernelspec"), "language")) or "python"
    return said if said in languages() else ""


def _value(node: Node | None, key: str) -> Node | None:
    """The value of a key of an object."""
    for pair in node.named_children if node is not None and node.type == "object" else ():
        if pair.type == "pair" and _string(pair.child_by_field_name("key")) == key:
            return pair.child_by_field_name("value")
    return None


def _string(node: Node | None) -> str:
    return (node.text or b"").decode(errors="replace").strip('"') if node is not None and node.type == "string" else ""
