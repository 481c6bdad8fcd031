"""The captures of a file with their scopes."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .captures import Captures
from .scopes import Scope, ScopeTree


class CapturesByScope:
    """The captures of one file, in document order, each with its innermost scope."""

    def __init__(self, captures: Captures, tree: ScopeTree) -> None:
        self._captures = captures
        self._tree = tree

    def ranges(self, capture: str) -> Iterator[tuple[tuple[int, int], Scope]]:
        """List ((start, end), scope) of each node that is captured as `capture`."""
        places = sorted([node.byte_range for node in self._captures.get(capture, ())])
        return zip(places, self._tree.locate([start for start, _ in places]), strict=True)

    def nodes(self, capture: str) -> Iterator[tuple[Node, Scope]]:
        """List (node, scope) of each node that is captured as `capture`."""
        nodes = sorted(self._captures.get(capture, ()), key=lambda node: node.byte_range)
        return zip(nodes, self._tree.locate([node.start_byte for node in nodes]), strict=True)
