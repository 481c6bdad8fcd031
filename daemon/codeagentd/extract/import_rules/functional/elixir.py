"""The import rule of Elixir: the directives alias, import, require and use."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeagentd.extract.import_rules.imported import Imported, Statement, text_of
from codeagentd.extract.syntax_nodes import children

_SELF = "__MODULE__"
_USING = "__using__"
_LONGEST = 40  # calls around a directive


def elixir(statement: Node) -> Statement:
    """Return the imports of the call `statement`: alias A.B; alias A.{B, C}; alias A.B, as: C; import A.B; require A.B;
    use A.B.

    `use` calls the macro `__using__` of the module, which may import more.
    """
    word = text_of(statement.child_by_field_name("target"))
    named = next((child for child in statement.named_children if child.type == "arguments"), None)
    arguments = children(named) if named is not None else []
    if not arguments:
        return
    alias = _option(arguments, "as:")
    for whole, node in _modules(arguments[0]):
        outer, _, last = whole.rpartition(".")
        at = max(node.start_byte, node.end_byte - len(last.encode()))
        if word == "import":
            yield Imported(whole, "*", "", at, at)
            continue
        local = alias or (last if word == "alias" else "")
        yield Imported(outer or last, last if outer else "", local, at, at)
        if word == "use":
            yield Imported(whole, _USING, "", at, at)


def _modules(node: Node) -> Iterator[tuple[str, Node]]:
    """List (whole name, its last node) of the modules that a directive names."""
    if node.type == "alias":
        yield "".join(text_of(node).split()), node
    elif node.type == "identifier" and text_of(node) == _SELF:
        yield _enclosing(node), node
    elif node.type == "dot":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        inner = children(right) if right is not None and right.type == "tuple" else [right]
        for outer, _ in _modules(left) if left is not None else ():
            for child in inner:
                if child is not None and child.type == "alias":
                    yield f"{outer}.{''.join(text_of(child).split())}", child


def _enclosing(node: Node) -> str:
    """Return the whole name of the module around a node."""
    names: list[str] = []
    outer = node.parent
    for _ in range(_LONGEST):
        if outer is None:
            break
        if outer.type == "call" and text_of(outer.child_by_field_name("target")) in ("defmodule", "defprotocol"):
            first = next((child for child in outer.named_children if child.type == "arguments"), None)
            names.insert(0, "".join(text_of(first).split()).removeprefix(f"{_SELF}."))
        outer = outer.parent
    return ".".join(names)


def _option(arguments: list[Node], key: str) -> str:
    """Return the name that a directive gives by the option `key`; '' without one."""
    for pair in arguments[-1].named_children if arguments[-1].type == "keywords" else ():
        if text_of(pair.child_by_field_name("key")).strip() == key:
            return text_of(pair.child_by_field_name("value"))
    return ""
