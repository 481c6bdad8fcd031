"""The import rule of Zig: files and packages that `@import` names, and the constants that get them."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, first_of

from .imported import Imported, Statement, text_of

_IMPORT: Final = "@import"
_CONSTANT: Final = "VarDecl"


def zig(statement: Node) -> Statement:
    """Return the import of `statement`: const m = @import("m.zig"), const f = @import("m.zig").f, usingnamespace
    @import("m.zig"), @import("m.zig").
    """
    declaration = statement
    if statement.type == "Decl":
        declaration = next((child for child in children(statement) if child.type == _CONSTANT), statement)
    value = declaration if declaration.type == "SuffixExpr" else _value(declaration)
    parts = children(value) if value is not None else []
    quoted = _quoted(parts[1]) if len(parts) > 1 and text_of(parts[0]) == _IMPORT else None
    if quoted is None:
        return
    module, at = text_of(quoted)[1:-1], quoted.start_byte + 1
    if declaration.type == _CONSTANT:
        name = declaration.child_by_field_name("variable_type_function")
        members = [text_of(first_of(part)) for part in parts[2:] if part.child_by_field_name("field_access")]
        if name is not None and len(members) == len(parts) - 2:
            yield Imported(module, ".".join(members), text_of(name), name.start_byte, at)
            return
    is_whole = statement.type == "Decl" and declaration.type != _CONSTANT
    yield Imported(module, "*" if is_whole else "", "", at, at, is_value=not is_whole)


def _value(declaration: Node) -> Node | None:
    """Return the expression that a constant gets, or whose declarations a container gets."""
    inside = children(declaration)
    return first_of(inside[-1]) if inside else None


def _quoted(arguments: Node) -> Node | None:
    """Return the only argument of `@import`, if that is a text."""
    argument = first_of(arguments)
    literal = first_of(first_of(argument)) if argument is not None else None
    return literal if literal is not None and literal.type == "STRINGLITERALSINGLE" else None
