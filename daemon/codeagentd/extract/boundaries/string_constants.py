"""The text of literals: strings, f-strings, templates and concatenations, with holes in place of inserted values."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.model.boundaries import HOLE, LONGEST

_STRINGS: Final = frozenset(
    {"string", "string_literal", "interpreted_string_literal", "raw_string_literal", "template_string",
     "interpolated_string_expression", "verbatim_string_literal", "raw_string", "concatenated_string",
     "line_string_literal", "encapsed_string"}
)  # fmt: skip
_TEXT: Final = frozenset(
    {
        "string_content",
        "string_fragment",
        "string_literal_content",
        "interpreted_string_literal_content",
        "raw_string_literal_content",
        "string_literal_fragment",
    }
)
_HOLES: Final = frozenset(
    {"interpolation", "template_substitution", "simple_expansion", "expansion", "command_substitution"}
)
_SUMS: Final = frozenset({"binary_operator", "binary_expression", "concatenation"})
_WRAPPED: Final = frozenset(
    {"parenthesized_expression", "reference_expression", "argument", "attribute_argument", "unary_expression"}
)
_FORMATS: Final = re.compile(rb"(?:[\w.]*\.)?(?:Sprintf|format|Format|formatted)!?")
_PLACES: Final = re.compile(r"%[-+#0-9.]*[a-zA-Z]|\{[^{}]*\}")
_NAMES: Final = frozenset({"identifier", "word"})
_TALLEST: Final = 12  # nested sums: deeper ones are data


_CONSTANT: Final = rb"(?m)%s(?:\s*:\s*[\w.&' ]+)?\s*:?=\s*([\"'`])([^\"'`\n$]{0,200})\1\s*[;,]?\s*(?:#.*|//.*)?$"
_INSIDE: Final = re.compile(rb"[\w.]")  # a longer name


class Constants:
    """The names of a file to which exactly one string is assigned. Each is read on demand."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._known: dict[bytes, str | None] = {}

    def get(self, name: bytes) -> str | None:
        """Return the only string that the file assigns to `name`; None if there is none, or several."""
        if name not in self._known:
            matches = re.finditer(_CONSTANT % re.escape(name), self._source) if name else iter(())
            values = {
                match[2] for match in matches if not match.start() or not _INSIDE.match(self._source, match.start() - 1)
            }
            self._known[name] = values.pop().decode(errors="replace") if len(values) == 1 else None
        return self._known[name]


def read_literal(node: Node | None, constants: Constants, height: int = 0) -> str | None:
    """Return the text of the expression `node`, with holes for the parts that are no literals; None if no part is a
    literal.

    `constants` are the strings that names stand for; `height` is the number of enclosing expressions.
    """
    if node is None or height > _TALLEST or node.end_byte - node.start_byte > 4 * LONGEST:
        return None
    if node.type in _STRINGS:
        return _string(node, constants, height)
    if node.type in _SUMS:
        return _sum(node, constants, height)
    if node.type in _NAMES:
        return constants.get(node.text or b"")
    if node.type in _WRAPPED and (inside := children(node)):
        return read_literal(inside[-1], constants, height + 1)
    return _formatted(node, constants, height)


def _string(node: Node, constants: Constants, height: int) -> str | None:
    parts: list[str] = []
    for child in node.named_children:
        if child.type in _HOLES:
            parts.append(_hole(child, constants))
        elif child.type in _STRINGS:
            parts.append(read_literal(child, constants, height + 1) or HOLE)
        elif child.type in _TEXT or child.type.endswith("escape_sequence") or child.type == "escape_sequence":
            parts.append((child.text or b"").decode(errors="replace"))
    # a grammar without nodes for the parts of a string
    if not parts and (text := node.text) and text[:1] in b"\"'`" and not node.named_child_count:
        parts.append(text.strip(b"\"'`").decode(errors="replace"))
    return "".join(parts)


def _hole(node: Node, constants: Constants) -> str:
    """Return the text of an inserted value that is a constant of this file, else a hole."""
    inside = [child for child in node.named_children if child.type in _NAMES]
    text = constants.get(inside[0].text or b"") if len(inside) == 1 and node.named_child_count == 1 else None
    return HOLE if text is None else text


def _sum(node: Node, constants: Constants, height: int) -> str | None:
    if node.type != "concatenation":
        sign = node.child_by_field_name("operator")
        if sign is not None and sign.type == "%":  # "/users/%d" % number
            text = read_literal(node.child_by_field_name("left"), constants, height + 1)
            return _PLACES.sub(HOLE, text) if text else None
        if sign is not None and sign.type != "+":
            return None
    parts = [read_literal(child, constants, height + 1) for child in children(node)]
    return (
        "".join(HOLE if part is None else part for part in parts) if any(part is not None for part in parts) else None
    )


def _formatted(node: Node, constants: Constants, height: int) -> str | None:
    """Return the text of a formatted string: `"/users/{}".format(…)`, `fmt.Sprintf("/users/%d", …)`,
    `format!("/users/{id}")`.
    """
    function = (
        node.child_by_field_name("function") or node.child_by_field_name("macro") or node.child_by_field_name("name")
    )
    if function is None or function.end_byte - function.start_byte > LONGEST or not (text := function.text):
        return None
    if function.type == "attribute" and text.endswith(b".format"):
        pattern = read_literal(function.child_by_field_name("object"), constants, height + 1)
    elif _FORMATS.fullmatch(text):
        inside = node.child_by_field_name("arguments") or next(
            (child for child in node.children if child.type == "token_tree"), None
        )
        arguments = children(inside) if inside is not None else []
        pattern = read_literal(arguments[0], constants, height + 1) if arguments else None
    else:
        return None
    return _PLACES.sub(HOLE, pattern) if pattern else None
