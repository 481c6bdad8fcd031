"""The import rule of Lua: required modules, and the value that a file returns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children

from .imported import Exported, Imported, Statement, text_of


def lua(statement: Node) -> Statement:
    """Return the imports of `statement`: local m = require("a.b"), local f = require("a.b").f, local a, b = require
    "a", require "b", require "a", dofile("a.lua"), return require("a").
    """
    if statement.type == "function_call":
        yield from _loaded(statement, None)
        return
    if statement.type == "return_statement":
        returned = [value for listed in children(statement) for value in children(listed)]
        for value in returned[:1]:
            yield from _loaded(value, None, whole=True)
        return
    assignment = statement if statement.type == "assignment_statement" else _child(statement, "assignment_statement")
    targets, values = _child(assignment, "variable_list"), _child(assignment, "expression_list")
    if targets is None or values is None:
        return
    for target, value in zip_longest(targets.children_by_field_name("name"), values.children_by_field_name("value")):
        if value is not None:
            yield from _loaded(value, target)


def _child(node: Node | None, kind: str) -> Node | None:
    return next((child for child in node.named_children if child.type == kind), None) if node is not None else None


def _loaded(value: Node, target: Node | None, *, whole: bool = False) -> Statement:
    """Return the import of the variable that gets `require("…")` or a field of it."""
    name = ""
    if value.type == "dot_index_expression":
        name = text_of(value.child_by_field_name("field"))
        value = value.child_by_field_name("table") or value
    arguments = value.child_by_field_name("arguments") if value.type == "function_call" else None
    word = text_of(value.child_by_field_name("name"))
    values = children(arguments) if arguments is not None else []
    source = values[0] if len(values) == 1 else None
    content = source.child_by_field_name("content") if source is not None and source.type == "string" else None
    if content is None or word not in ("require", "dofile", "loadfile"):
        return
    module = text_of(content) if word == "require" else f"./{text_of(content)}"
    local = text_of(target) if target is not None and target.type == "identifier" else ""
    yield Imported(module, name, local, (target or content).start_byte, content.start_byte, exported=whole)


def returned_name(name: Node) -> Iterator[Exported]:
    """List the one export of `return M`, in which `name` is `M`: it is the module itself."""
    yield Exported("", text_of(name))


def returned_table(table: Node) -> Iterator[Exported]:
    """List the exports of the returned `table`: return { lend = lend, give = function() end }."""
    for field in table.named_children:
        name, value = field.child_by_field_name("name"), field.child_by_field_name("value")
        if name is not None and value is not None and name.type == "identifier" and name.start_byte == field.start_byte:
            yield Exported(text_of(name), text_of(value) if value.type == "identifier" else text_of(name))
