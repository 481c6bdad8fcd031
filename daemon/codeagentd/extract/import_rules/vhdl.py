"""The import rule of VHDL: names of packages that a unit uses."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def vhdl(node: Node) -> Statement:
    """Return the import of the selected name `node`: `use work.shelves.all` gives (shelves, *), `use work.shelves.lend`
    (shelves, lend).

    Source: IEEE 1076-2008, 12.4.
    """
    _, *parts = "".join(text_of(node).split()).split(".")
    if len(parts) > 1:
        name = "*" if parts[-1].lower() == "all" else parts[-1]
        yield Imported(".".join(parts[:-1]), name, "" if name == "*" else name, node.start_byte, node.start_byte)
