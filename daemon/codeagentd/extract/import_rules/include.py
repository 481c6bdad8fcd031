"""The import rule of C and C++: #include, and in C++ using directives, using declarations and aliases of namespaces."""

from __future__ import annotations

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import last_of

from .imported import Imported, Statement, text_of

SCOPE = "::"  # begins the name of a namespace; other modules are files


def include(statement: Node) -> Statement:
    """Return the imports of the directive or declaration `statement`: `#include "lib/shelf.h"` gives (lib/shelf.h, *),
    `#include <shelf.h>` (<shelf.h>, *).

    `using namespace a::b` gives (::a::b, *), `using a::b::Shelf` (::a::b, Shelf, Shelf), `namespace ab = a::b` (::a, b,
    ab). C11 6.10.2, C++ [namespace.udir], [namespace.udecl], [namespace.alias].
    """
    if statement.type == "preproc_include":
        path = statement.child_by_field_name("path")
        text = text_of(path)
        if path is not None and len(text) > 2:
            quoted = text.startswith('"')
            yield Imported(text[1:-1] if quoted else text, "*", "", path.start_byte + 1, path.start_byte + 1)
        return
    target = last_of(statement)
    name = "".join(text_of(target).split()).removeprefix(SCOPE)
    if target is None or not name:
        return
    words = {child.type for child in statement.children}
    if statement.type == "using_declaration" and "namespace" in words:
        yield Imported(SCOPE + name, "*", "", target.start_byte, target.start_byte)
        return
    outer, _, last = name.rpartition(SCOPE)
    local = text_of(statement.child_by_field_name("name")) if statement.type == "namespace_alias_definition" else last
    if outer or statement.type == "namespace_alias_definition":
        at = target.end_byte - len(last.encode())
        yield Imported(SCOPE + outer, last, local, at, target.start_byte)
