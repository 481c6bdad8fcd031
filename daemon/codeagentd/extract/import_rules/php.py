"""The import rule of PHP: use declarations, and included files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children

from .imported import Imported, Statement, text_of

_HERE: Final = re.compile(r"((?:\\?dirname\()*)(__DIR__|__FILE__)(?:,(\d))?\)*")


def php(statement: Node) -> Statement:
    """Return the imports of `statement`: use A\\B; use A\\{B, C as D}; use function A\\f; use const A\\C; include
    'x.php'; require __DIR__ . '/x.php'.

    An included file is the import of a module: `./x.php`, or `x.php` where its path is relative to another folder.
    """
    if statement.type == "namespace_use_declaration":
        yield from _used(statement)
        return
    for named in children(statement)[:1]:
        if path := _path(named):
            yield Imported(path, "*", "", statement.start_byte, named.start_byte)


def _used(statement: Node) -> Statement:
    group = statement.child_by_field_name("body")
    prefix = next((text_of(child) for child in statement.named_children if child.type == "namespace_name"), "")
    for clause in (group or statement).named_children:
        if clause.type != "namespace_use_clause":
            continue
        named = next((child for child in clause.named_children if child.type in ("name", "qualified_name")), None)
        if named is None:
            continue
        whole = text_of(named).strip("\\")
        module, _, name = (f"{prefix}\\{whole}" if prefix else whole).rpartition("\\")
        last = named.named_children[-1] if named.type == "qualified_name" else named
        alias = clause.child_by_field_name("alias")
        yield Imported(module, name, text_of(alias) or name, last.start_byte, last.start_byte)


def _path(node: Node) -> str:
    """Return the path of an include, `./…` where it begins at the file's own folder; '' when it is computed."""
    if node.type == "parenthesized_expression":
        return "".join(map(_path, children(node)[:1]))
    if node.type in ("string", "encapsed_string"):
        return _literal(node)
    parts = list(_joined(node))
    if len(parts) < 2 or any(part.type not in ("string", "encapsed_string") for part in parts[1:]):
        return ""
    head = _HERE.fullmatch("".join(text_of(parts[0]).split()))
    rest = "".join(map(_literal, parts[1:]))
    if head is None or not rest:
        return ""
    levels = head[1].count("(") - (head[2] == "__FILE__") + (int(head[3]) - 1 if head[3] else 0)
    return "./" + "../" * levels + rest.lstrip("/")


def _joined(node: Node) -> Iterator[Node]:
    """List the operands of a chain of dots, from the left."""
    while node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) == ".":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        yield from _joined(left)
        node = right
    yield node


def _literal(node: Node) -> str:
    inner = node.named_children
    return text_of(inner[0]) if len(inner) == 1 and inner[0].type == "string_content" else ""
