"""The import rule of Swift: imports of modules, and of single definitions of a module."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of

_KINDS = frozenset({"class", "struct", "enum", "protocol", "typealias", "func", "let", "var"})


def swift(statement: Node) -> Statement:
    """Return the import of the declaration `statement`: import Lib; import struct Lib.Shelf; @_exported import Lib. A
    submodule is named with its module.
    """
    path = next((child for child in statement.named_children if child.type == "identifier"), None)
    if path is None or not path.named_children:
        return
    whole = "".join(text_of(path).split())
    exported = "@_exported" in text_of(statement)
    if any(child.type in _KINDS for child in statement.children):
        module, _, name = whole.rpartition(".")
        if module:
            yield Imported(module, name, name, path.named_children[-1].start_byte, path.start_byte, exported)
        return
    yield Imported(whole, "*", "", path.start_byte, path.start_byte, exported)
