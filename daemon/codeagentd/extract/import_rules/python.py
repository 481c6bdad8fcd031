"""The import rule of Python: import and from … import."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def python(statement: Node) -> Statement:
    """Return the imports of `statement`: import a.b, import a.b as c, from .a import b as c, from a import *."""
    source = statement.child_by_field_name("module_name")
    module = "".join(text_of(source).split())
    at = source.start_byte if source else statement.start_byte
    if statement.type == "future_import_statement":
        return
    names = statement.children_by_field_name("name")
    if source is not None:
        if not names and any(child.type == "wildcard_import" for child in statement.children):
            yield Imported(module, "*", "", at, at)
        for child in names:
            name, alias = _aliased(child)
            yield Imported(module, text_of(name), text_of(alias or name), name.start_byte, at)
        return
    for child in names:
        name, alias = _aliased(child)
        whole = "".join(text_of(name).split())
        if alias is not None:
            yield Imported(whole, "", text_of(alias), name.start_byte, name.start_byte)
        else:
            yield Imported(whole, "", whole.partition(".")[0], name.start_byte, name.start_byte)


def _aliased(node: Node) -> tuple[Node, Node | None]:
    if node.type == "aliased_import":
        return node.child_by_field_name("name") or node, node.child_by_field_name("alias")
    return node, None
