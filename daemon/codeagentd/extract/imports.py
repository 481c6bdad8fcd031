"""Import and export statements: one named rule per shape of module system, chosen in language.toml."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from tree_sitter import Node


class Imported(msgspec.Struct, frozen=True, gc=False):
    """One name that a statement brings in. Offsets are bytes; `at` is the name's own, `module_at` the module's."""

    module: str
    name: str
    local: str
    at: int
    module_at: int
    exported: bool = False
    type_only: bool = False


class Exported(msgspec.Struct, frozen=True, gc=False):
    """One name that a statement offers under another name."""

    exported: str
    local: str


Statement = Iterator[Imported | Exported]
Rule = Callable[[Node], Statement]


def _text(node: Node | None) -> str:
    return node.text.decode(errors="replace") if node is not None and node.text else ""


def python(statement: Node) -> Statement:
    """import a.b, import a.b as c, from .a import b as c, from a import *"""
    source = statement.child_by_field_name("module_name")
    module = "".join(_text(source).split())
    at = source.start_byte if source else statement.start_byte
    if statement.type == "future_import_statement":
        return
    if source is not None:
        if any(child.type == "wildcard_import" for child in statement.children):
            yield Imported(module, "*", "", at, at)
        for child in statement.children_by_field_name("name"):
            name, alias = _aliased(child)
            yield Imported(module, _text(name), _text(alias or name), name.start_byte, at)
        return
    for child in statement.children_by_field_name("name"):
        name, alias = _aliased(child)
        whole = "".join(_text(name).split())
        if alias is not None:
            yield Imported(whole, "", _text(alias), name.start_byte, name.start_byte)
        else:
            yield Imported(whole, "", whole.partition(".")[0], name.start_byte, name.start_byte)


def _aliased(node: Node) -> tuple[Node, Node | None]:
    if node.type == "aliased_import":
        return node.child_by_field_name("name") or node, node.child_by_field_name("alias")
    return node, None


def csharp(statement: Node) -> Statement:
    """using A.B; using static A.B.C; using X = A.B.C; each also global. An alias of a type is (module A.B, name C, local X)."""
    words = {child.type for child in statement.children}
    target = statement.named_children[-1] if statement.named_children else None
    path = _dotted(target)
    if target is None or not path:
        return
    exported = "global" in words
    alias = statement.child_by_field_name("name") if "=" in words else None
    if alias is None:
        yield Imported(path, "*", "", target.start_byte, target.start_byte, exported)
        return
    module, _, name = path.rpartition(".")
    yield Imported(module or name, name if module else "", _text(alias), target.start_byte, target.start_byte, exported)


def _dotted(node: Node | None) -> str:
    """A name as written, without white space, type arguments and the words before `::`; '' when it is no name."""
    if node is None or node.type not in ("identifier", "qualified_name", "generic_name", "alias_qualified_name"):
        return ""
    return _ARGUMENTS.sub("", "".join(_text(node).split())).rpartition("::")[2]


_ARGUMENTS: Final = re.compile("<.*>", re.DOTALL)


def nothing(statement: Node) -> Statement:
    """For languages without import statements."""
    return iter(())


RULES: Final[dict[str, Rule]] = {"python": python, "csharp": csharp, "none": nothing}
