"""The import rule of Fortran: modules that a unit uses."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def fortran(statement: Node) -> Statement:
    """Return the imports of `statement`: `use shelves` gives (shelves, *), `use shelves, only: lend, give => take`
    (shelves, lend, lend) and (shelves, take, give).

    Source: Fortran 2018, 14.2.2, "The USE statement and use association".
    """
    module = next((node for node in statement.named_children if node.type == "module_name"), None)
    if module is None:
        return
    path, at = text_of(module), module.start_byte
    only = next((node for node in statement.named_children if node.type == "included_items"), None)
    if only is None:
        yield Imported(path, "*", "", at, at)
    for node in only.named_children if only is not None else ():
        last = node.named_children[-1] if node.type == "use_alias" else node
        yield Imported(
            path, text_of(last), text_of(node.named_children[0] if last is not node else node), last.start_byte, at
        )
