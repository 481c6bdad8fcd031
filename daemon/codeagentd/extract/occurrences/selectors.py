"""Selectors: the names of Objective-C's methods, whose parts have the arguments between them, `lend:to:`."""

from __future__ import annotations

from tree_sitter import Node

from codeagentd.extract.captures import Captures


def selectors(captures: Captures) -> dict[int, bytes]:
    """Return the selector of each message and method that is captured as @selector, by the start of its first part.

    Source: Apple, "The Objective-C Programming Language", "Object Messaging".
    """
    return dict(filter(None, map(_selector, captures.get("selector", ()))))


def _selector(node: Node) -> tuple[int, bytes] | None:
    is_message = node.type == "message_expression"
    start, name = -1, b""
    for index, child in enumerate(node.children):
        if child.type == "identifier" and (not is_message or node.field_name_for_child(index) == "method"):
            start = child.start_byte if start < 0 else start
            name += child.text or b""
        elif child.type in ("method_parameter", ":"):
            name += b":"
    return (start, name) if start >= 0 else None
