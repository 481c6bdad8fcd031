"""Parameters in grammars without a node for the list: those of a Swift declaration, and those of Kotlin, which are
siblings of their default values.
"""

from __future__ import annotations

from typing import Final

import msgspec
from tree_sitter import Node

from codeagentd.extract.syntax_nodes import cut_out

_LOOSE: Final = frozenset(
    {"function_declaration", "protocol_function_declaration", "init_declaration", "subscript_declaration"}
)
_LIST: Final = "function_value_parameters"


class Parameters(msgspec.Struct, frozen=True):
    """The range of the parentheses, and the text of each parameter without its default value."""

    start: int
    end: int
    texts: tuple[str, ...]

    @property
    def header(self) -> str:
        """The parenthesised parameter list by which overloads are told apart, without default values (two declarations
        of one function may differ in them).
        """
        return f"({', '.join(self.texts)})"


def parameters_of(node: Node) -> Parameters | None:
    """Return the parameters below `node`, if its grammar has no node for the list. None for any other node, which is a
    parameter list itself.
    """
    if node.type == _LIST:
        return Parameters(node.start_byte, node.end_byte, _texts(node))
    if node.type not in _LOOSE:
        return None
    signs = [child for child in node.children if child.type in ("(", ")")]
    if len(signs) < 2:
        return Parameters(node.start_byte, node.start_byte, ())
    return Parameters(signs[0].start_byte, signs[1].end_byte, _texts(node))


def _texts(node: Node) -> tuple[str, ...]:
    return tuple(" ".join(cut_out(child).split()) for child in node.children if child.type == "parameter")
