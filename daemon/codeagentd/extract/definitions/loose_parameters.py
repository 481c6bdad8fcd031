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
    """The range of the parentheses, and each parameter's text without its default value."""

    start: int
    end: int
    texts: tuple[str, ...]

    @property
    def header(self) -> str:
        """The text that distinguishes overloads, without default values, which only one of two declarations may
        have.
        """
        return f"({', '.join(self.texts)})"


def parameters_of(node: Node) -> Parameters | None:
    """Return the parameters below a node of such a grammar; None for other nodes, which are parameter lists
    themselves.
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
