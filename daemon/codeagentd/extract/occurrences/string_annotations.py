"""String annotations: Python's forward references, which the grammar parses as strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures

_NAME: Final = re.compile(rb"[^\W\d]\w*")
_TYPE: Final = re.compile(rb"[\w\s.,|\[\]]+")
_ALONG: Final = frozenset({"binary_operator", "list", "string"})  # nodes whose parts are types where the node is a type
_VALUES: Final = (b"Literal", b"Annotated")  # types whose quoted arguments are texts


def quoted_names(captures: Captures, source: bytes) -> dict[int, int]:
    """Return a dictionary from the start to the end of each name in a type that is written as a string (Python Language
    Reference, "Annotations"; PEP 484, "Forward references").
    """
    results: dict[int, int] = {}
    among = (text for node in captures.get("quoted.among", ()) for text in _texts_in(node, source))
    for node in chain((node for node in captures.get("quoted", ()) if not _is_text(node)), among):
        if _TYPE.fullmatch(source, *node.byte_range):
            results.update(match.span() for match in _NAME.finditer(source, *node.byte_range))
    return results


def _texts_in(expression: Node, source: bytes) -> Iterator[Node]:
    """List the quoted types in a type that the grammar parses as an expression: `t.Union[str, "Shelf"] | None`."""
    if not any(source.find(quote, *expression.byte_range) >= 0 for quote in (b'"', b"'")):
        return
    todo = [expression]
    while todo:
        node = todo.pop()
        if node.type == "string_content":
            yield node
        elif node.type == "subscript":
            head, *arguments = node.named_children
            if head.text is not None and not head.text.endswith(_VALUES):
                todo += arguments
        elif node.type in _ALONG:
            todo += node.named_children


def _is_text(content: Node) -> bool:
    """Whether a string is an argument of a type whose arguments are texts, such as Literal."""
    enclosing = content.parent
    while enclosing is not None and enclosing.type in ("string", "type", "type_parameter"):
        enclosing = enclosing.parent
    head = enclosing.child(0) if enclosing is not None and enclosing.type in ("generic_type", "subscript") else None
    return head is not None and head.text is not None and head.text.endswith(_VALUES)
