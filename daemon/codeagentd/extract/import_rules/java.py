"""The import rule of Java: import declarations."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def java(statement: Node) -> Statement:
    """Return the imports of the declaration `statement`: import a.b.C; import a.b.*; import static a.b.C.d; import
    static a.b.C.*. White space may separate the parts of a name.

    The types along the path are imported without a name. The first part that is a type is recognised by its case: JLS
    6.1.
    """
    path = next(
        (child for child in statement.named_children if child.type in ("identifier", "scoped_identifier")), None
    )
    if path is None:
        return
    whole = "".join(text_of(path).split())
    if any(child.type == "asterisk" for child in statement.named_children):
        yield Imported(whole, "*", "", path.start_byte, path.start_byte)
    else:
        module, _, name = whole.rpartition(".")
        last = path.child_by_field_name("name") or path
        yield Imported(module, name, name, last.start_byte, path.start_byte)
    outer = path.child_by_field_name("scope")
    while outer is not None:
        module, _, name = "".join(text_of(outer).split()).rpartition(".")
        if not name[:1].isupper():
            break
        yield Imported(module, name, "", (outer.child_by_field_name("name") or outer).start_byte, path.start_byte)
        outer = outer.child_by_field_name("scope")
