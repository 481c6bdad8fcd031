"""Markdown: the code in fenced code blocks."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.base.limits import MAX_FENCES
from codeagentd.extract.positions import Places
from codeagentd.languages.language import languages

from .region import Part

_WORD: Final = re.compile(r"[\w+#-]+")
_LINE_END: Final = re.compile(rb"\n")


def fences(root: Node, source: bytes) -> Iterator[Part]:
    """List the fenced code blocks whose info strings name a programming language. Their definitions belong to their
    sections; their imports lead to no file.

    Source: CommonMark 0.31, "Fenced code blocks".
    """
    places = Places(source)
    for node in _blocks(root)[:MAX_FENCES]:
        info = next((child for child in node.children if child.type == "info_string"), None)
        content = next((child for child in node.children if child.type == "code_fence_content"), None)
        language = _language(info.text.decode(errors="replace")) if info is not None and info.text else ""
        if language and content is not None and (code := _Code(source, places, content)).lines:
            text, first = code.text, code.lines[0][0]
            yield Part(
                language,
                [(0, len(text))],
                first,
                source=text,
                origin=code.place,
                is_nested=True,
                has_imports=False,
                counts=False,
            )


class _Code:
    """The text of one fence, parsed by itself, so that a document with hundreds of fences is not parsed hundreds of
    times. `lines`: (line, column) in the file at which each line of the code begins, after the marks of quotes and
    lists.
    """

    def __init__(self, source: bytes, places: Places, content: Node) -> None:
        ranges = _ranges(content)
        starts = (
            at
            for start, end in ranges
            for at in (start, *(match.end() for match in _LINE_END.finditer(source, start, end - 1)))
        )
        self.lines = [(line := places.line(at), places.column(at, line)) for at in starts]
        self.text = b"".join(source[start:end] for start, end in ranges).removesuffix(b"\n") + b"\n"

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the position in the file of a position in the code."""
        original, before = self.lines[min(line, len(self.lines)) - 1]
        return original, before + column


def _blocks(root: Node) -> list[Node]:
    blocks, todo = [], [root]
    while todo:
        node = todo.pop()
        if node.type == "fenced_code_block":
            blocks.append(node)
        elif node.type in _CONTAINERS:
            todo += reversed(node.named_children)
    return blocks


_CONTAINERS: Final = frozenset({"document", "section", "list", "list_item", "block_quote", "ERROR"})


def _ranges(content: Node) -> list[tuple[int, int]]:
    """Return the ranges of the content without the marks of quotes and lists before its lines."""
    ranges, start = [], content.start_byte
    for child in content.children:
        if child.type != "block_continuation" or child.start_byte == child.end_byte:
            continue
        if child.start_byte > start:
            ranges.append((start, child.start_byte))
        start = child.end_byte
    return [*ranges, (start, content.end_byte)] if start < content.end_byte else ranges


def _language(info: str) -> str:
    """Return the language that an info string names; '' for an unknown one, and for formats without code."""
    match = _WORD.search(info)
    return _by_alias().get(match[0].lower(), "") if match else ""


@functools.cache
def _by_alias() -> dict[str, str]:
    known: dict[str, str] = {}
    for language in languages().values():
        if not language.modules.is_example and language.rules.parts == "none":
            for alias in (
                language.name,
                *language.aliases,
                *(suffix.removeprefix(".") for suffix in language.extensions),
                *language.interpreters,
            ):
                known.setdefault(alias, language.name)
    return known
