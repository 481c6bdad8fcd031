"""The import rule of Go: import declarations."""

from __future__ import annotations

from tree_sitter import Node

from .imported import Imported, Statement, text_of


def go(statement: Node) -> Statement:
    """Return the imports of the declaration `statement`: import "a/b", import c "a/b", import . "a/b", import _ "a/b",
    alone or in parentheses.

    Without an alias the name comes from the files of the package, so `local` stays empty (The Go Programming Language
    Specification, "Import declarations").
    """
    specifications = [child for child in statement.named_children if child.type == "import_spec"]
    for group in statement.named_children:
        if group.type == "import_spec_list":
            specifications += [child for child in group.named_children if child.type == "import_spec"]
    for specification in specifications:
        path, name = specification.child_by_field_name("path"), specification.child_by_field_name("name")
        module = text_of(path)[1:-1]
        if path is None or not module:
            continue
        at = path.start_byte + 1
        alias = text_of(name) if name is not None and name.type == "package_identifier" else ""
        yield Imported(module, "*" if name is not None and name.type == "dot" else "", alias, at, at)
