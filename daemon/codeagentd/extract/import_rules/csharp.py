"""The import rule of C#: using directives."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import last_of

from .imported import Imported, Statement, text_of


def csharp(statement: Node) -> Statement:
    """Return the import of the using directive `statement`: using A.B; using static A.B.C; using X = A.B.C; each also
    global.

    An alias of a type is (module A.B, name C, local X).
    """
    words = {child.type for child in statement.children}
    target = last_of(statement)
    path = _dotted(target)
    if target is None or not path:
        return
    exported = "global" in words
    alias = statement.child_by_field_name("name") if "=" in words else None
    if alias is None:
        yield Imported(path, "*", "", target.start_byte, target.start_byte, exported)
        return
    module, _, name = path.rpartition(".")
    yield Imported(
        module or name, name if module else "", text_of(alias), target.start_byte, target.start_byte, exported
    )


def _dotted(node: Node | None) -> str:
    """Return a name as written, without white space, type arguments and the words before `::`; '' when it is no
    name.
    """
    if node is None or node.type not in ("identifier", "qualified_name", "generic_name", "alias_qualified_name"):
        return ""
    return _ARGUMENTS.sub("", "".join(text_of(node).split())).rpartition("::")[2]


_ARGUMENTS: Final = re.compile("<.*>", re.DOTALL)
