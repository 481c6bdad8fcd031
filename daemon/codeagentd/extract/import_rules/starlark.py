"""The import rule of Starlark: names that a file loads from another one."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def starlark(statement: Node) -> Statement:
    """Return the imports of the call `statement`: load("//lib:paths.bzl", "join", give = "lend") gives (lib/paths.bzl,
    join, join) and (lib/paths.bzl, lend, give).

    Source: Bazel documentation, "Loading an extension", "Labels".
    """
    arguments = statement.child_by_field_name("arguments")
    if arguments is None or not arguments.named_children:
        return
    first, *names = arguments.named_children
    label = text_of(first)[1:-1]
    path = label.removeprefix("//").removeprefix(":").replace(":", "/").lstrip("/") if label[:1] != "@" else label
    for node in names:
        value = node.child_by_field_name("value") or node
        local, name = text_of(node.child_by_field_name("name")), text_of(value)[1:-1]
        if value.type == "string" and name:
            yield Imported(path, name, local or name, value.start_byte + 1, first.start_byte + 1)
