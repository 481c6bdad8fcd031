"""The import rule of Ruby: loaded files."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children

from .imported import Imported, Statement, text_of

_HERE: Final = re.compile(
    r"""File\.(?:expand_path|join)\(?\s*"""
    r"""(?:__dir__,\s*["'](?P<below>[^"'#]+)["']|["'](?P<path>[^"'#]+)["'],\s*(?P<from>__dir__|__FILE__))\s*\)?"""
)


def ruby(statement: Node) -> Statement:
    """Return the imports of the call `statement`: require "a/b", require_relative "b", load "tasks/b.rb", autoload :B,
    "a/b", require File.expand_path("b", __dir__).

    A file of the load path is a module `a/b`, one relative to the file's own folder `./b`.
    """
    arguments = statement.child_by_field_name("arguments")
    word = text_of(statement.child_by_field_name("method"))
    values = children(arguments)[1 if word == "autoload" else 0 :] if arguments is not None else []
    if not values:
        return
    node = values[0]
    path = _path(node)
    if path:
        yield Imported(
            f"./{path}" if word == "require_relative" else path, "*", "", statement.start_byte, node.start_byte
        )


def _path(node: Node) -> str:
    if node.type == "string":
        inner = node.named_children
        return text_of(inner[0]) if len(inner) == 1 and inner[0].type == "string_content" else ""
    match = _HERE.fullmatch(text_of(node))
    if match is None:
        return ""
    path = match["below"] or match["path"]
    return f"./{path}" if match["from"] != "__FILE__" else f"./{path.removeprefix('../')}"
