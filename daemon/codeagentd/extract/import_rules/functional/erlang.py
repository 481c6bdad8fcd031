"""The import rule of Erlang: included files, and functions that are imported from a module."""

from __future__ import annotations

from tree_sitter import Node

from codeagentd.extract.import_rules.imported import Imported, Statement, text_of


def erlang(statement: Node) -> Statement:
    """Return the imports of `statement`: -include("a.hrl"). -include_lib("b/c.hrl"). -import(lists, [map/2])."""
    named = statement.child_by_field_name("module" if statement.type == "import_attribute" else "file")
    if named is None:
        return
    path = text_of(named).strip("\"'")
    if path:
        yield Imported(path, "*", "", named.start_byte, named.start_byte)
