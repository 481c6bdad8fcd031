"""The tool that shows a directory and its subdirectories as a tree."""

from __future__ import annotations

from collections import deque
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.model.parameters import RepoPath, TreeDepth
from codeagentd.model.results.symbol_results import TreeNode
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .entries import Entry, directory, visible

MAX_CHILDREN: Final = 1_000  # page 000 get_directory_tree
MAX_NODES: Final = 5_000  # nodes in all: a tree of 200 kB


@tool("files", needs_index=False)
def get_directory_tree(ctx: Context, path: RepoPath = "", depth: TreeDepth = 3) -> TreeNode:
    """Show the tree of folders and files below a directory: the project's structure.

    Returns: nested nodes by name, without ignored ones; links are not entered; `truncated` where entries are missing.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  000 get_directory_tree.
    """
    relative, place = directory(ctx, path)
    top = _Branch(place.name, relative, place, depth)
    waiting = deque([top])  # breadth first: when the limit of nodes is reached, the deepest are missing
    left = ctx.most(MAX_NODES)
    while waiting:
        branch = waiting.popleft()
        left -= branch.fill(ctx, min(MAX_CHILDREN, left))
        waiting.extend(child for child in branch.children if isinstance(child, _Branch))
    return top.as_node()


class _Branch(msgspec.Struct):
    """A directory whose entries are being added; `depth` further levels may be entered."""

    name: str
    relative: str
    place: Path
    depth: int
    children: list[_Branch | TreeNode] = []
    truncated: bool = False

    def fill(self, ctx: Context, limit: int) -> int:
        """Add at most `limit` entries. Returns the number of added entries."""
        collected = list(islice(visible(ctx, self.relative, self.place), limit + 1))
        self.truncated = len(collected) > limit
        self.children = [self._child(entry) for entry in collected[:limit]]
        return len(self.children)

    def _child(self, entry: Entry) -> _Branch | TreeNode:
        if entry.is_directory and not entry.is_link and self.depth > 1:
            return _Branch(entry.name, entry.path, self.place / entry.path.rpartition("/")[2], self.depth - 1)
        return TreeNode(entry.name, entry.type)

    def as_node(self) -> TreeNode:
        """The directory as a node of the answer."""
        children = [child.as_node() if isinstance(child, _Branch) else child for child in self.children]
        return TreeNode(self.name, "directory", children, self.truncated)
