"""Kotlin: imports."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def kotlin(statement: Node) -> Statement:
    """import a.b.C; import a.b.C as D; import a.b.*; words may stand in back quotes."""
    path = next((child for child in statement.named_children if child.type == "identifier"), None)
    if path is None or not path.named_children:
        return
    names = [text_of(child).strip("`") for child in path.named_children if child.type == "simple_identifier"]
    if any(child.type == "wildcard_import" for child in statement.named_children):
        yield Imported(".".join(names), "*", "", path.start_byte, path.start_byte)
        return
    alias = next((child for child in statement.named_children if child.type == "import_alias"), None)
    local = text_of(alias.named_children[0]).strip("`") if alias and alias.named_children else names[-1]
    yield Imported(".".join(names[:-1]), names[-1], local, path.named_children[-1].start_byte, path.start_byte)
