"""Markdown: the code in fences."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.base.limits import MAX_FENCES
from codeagentd.languages.language import languages

from .part import Part

_WORD: Final = re.compile(r"[\w+#-]+")


def fences(root: Node, source: bytes) -> Iterator[Part]:
    """Each fence whose info string names a programming language; what it defines belongs to its section, its imports lead nowhere.

    Source: CommonMark 0.31, "Fenced code blocks".
    """
    for node in _blocks(root)[:MAX_FENCES]:
        info = next((child for child in node.children if child.type == "info_string"), None)
        content = next((child for child in node.children if child.type == "code_fence_content"), None)
        language = _language(info.text.decode(errors="replace")) if info is not None and info.text else ""
        if language and content is not None:
            yield Part(language, _ranges(content), source.count(b"\n", 0, content.start_byte) + 1, is_nested=True, has_imports=False, counts=False)


def _blocks(root: Node) -> list[Node]:
    found, todo = [], [root]
    while todo:
        node = todo.pop()
        if node.type == "fenced_code_block":
            found.append(node)
        elif node.type in _AROUND:
            todo += reversed(node.named_children)
    return found


_AROUND: Final = frozenset({"document", "section", "list", "list_item", "block_quote", "ERROR"})


def _ranges(content: Node) -> list[tuple[int, int]]:
    """The content without what quotes and lists put before its lines."""
    ranges, start = [], content.start_byte
    for child in content.children:
        if child.type != "block_continuation" or child.start_byte == child.end_byte:
            continue
        if child.start_byte > start:
            ranges.append((start, child.start_byte))
        start = child.end_byte
    return [*ranges, (start, content.end_byte)] if start < content.end_byte else ranges


def _language(info: str) -> str:
    """The language that an info string asks for; '' for none of ours, and for formats without code."""
    match = _WORD.search(info)
    return _by_alias().get(match[0].lower(), "") if match else ""


@functools.cache
def _by_alias() -> dict[str, str]:
    known: dict[str, str] = {}
    for language in languages().values():
        if not language.modules.is_example and language.rules.parts == "none":
            for alias in (language.name, *language.aliases, *(suffix.removeprefix(".") for suffix in language.extensions), *language.interpreters):
                known.setdefault(alias, language.name)
    return known
