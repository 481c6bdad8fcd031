"""The results of import rules, and the text of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from tree_sitter import Node


class Imported(msgspec.Struct, frozen=True, gc=False):
    """One imported name. `at` is the byte offset of the name, `module_at` that of the module."""

    module: str
    name: str
    local: str
    at: int
    module_at: int
    exported: bool = False
    type_only: bool = False
    bound: bool = False  # exported, and a name here as well
    is_value: bool = False  # the module is a value that no name gets: `load(() => import("./shelf"))`


class Exported(msgspec.Struct, frozen=True, gc=False):
    """One name that a statement exports: `exported` is its name for other files, '' for the module itself, and `local`
    its name in this file.
    """

    exported: str
    local: str


Statement = Iterator[Imported]
Rule = Callable[[Node], Statement]
ExportRule = Callable[[Node], Iterator[Exported]]


def text_of(node: Node | None) -> str:
    """Return the text of `node`; '' for None."""
    text = node.text if node is not None else None  # a copy from the source on each access
    return text.decode(errors="replace") if text else ""
