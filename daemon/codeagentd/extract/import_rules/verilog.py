"""The import rule of Verilog: included files, and names of packages."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def verilog(node: Node) -> Statement:
    """Return the import of `node`: `include "defs.vh"` gives (defs.vh, ""), `import shelf_pkg::*` (shelf_pkg, *).

    Source: IEEE 1800-2017, 22.4, 26.3.
    """
    text = text_of(node)
    if node.type == "package_import_item":
        module, _, name = text.partition("::")
        yield Imported(module, name, "" if name == "*" else name, node.start_byte, node.start_byte)
    else:
        yield Imported(text.strip('"'), "", "", node.start_byte + 1, node.start_byte + 1)
