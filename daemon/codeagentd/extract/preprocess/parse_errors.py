"""Parse errors: their ranges and their weight."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node, Parser, Tree

Repaired = tuple[bytes, Tree]  # a source of the same length with the same lines, and its tree
Rule = Callable[[bytes, Tree, Parser], Repaired]


def errors_of(root: Node) -> list[tuple[int, int]]:
    """Return the ranges of the outermost errors below `root`, sorted."""
    errors, todo = [], [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            errors.append((node.start_byte, node.end_byte))
        elif node.has_error:
            todo += node.children
    errors.sort()
    return errors


def weight_of(errors: list[tuple[int, int]]) -> int:
    """Return the number of bytes that `errors` cover, plus one for each error."""
    return sum(end - start + 1 for start, end in errors)
