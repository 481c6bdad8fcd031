"""Call signatures of an interface or an object type as one type: `{ (a: A): B; <T extends C>(c: T): D }` is `& ((a: A)
=> B) & ((c: C) => D)`.

Source: The TypeScript Handbook, "Call Signatures", "Generic Constraints".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.model.facts import CALL_SIGNATURES

from .symbol_attributes import LITERAL_LIMIT

LONGEST: Final = 2_000  # characters of all signatures together
UNKNOWN: Final = "unknown"
_CHAIN: Final = 3  # type parameters that are constrained by others
_CONSTRAINT: Final = 200  # characters of a constraint that stands for its type parameter
_DEEPEST: Final = 40  # types inside of types that are looked into
_COMPOUND: Final = frozenset("|&?=")
_LITERALS: Final = frozenset({"string", "template_literal_type", "template_string"})
_ARGUMENTS: Final = "type_arguments"


def type_of_signatures(signatures: Sequence[Node], transparent: Sequence[str]) -> str:
    """Return the call signatures as an intersection of function types, with type parameters replaced by their
    constraints.

    If that is too long, names that are not `transparent` lose their type arguments. Signatures that are still too many
    are left out, and the text shows that they are.
    """
    for transparent_names in (None, frozenset(transparent)):
        texts = dict.fromkeys(_Signature(node, transparent_names).text() for node in signatures)
        if sum(map(len, texts)) <= LONGEST:
            return f"{CALL_SIGNATURES} {' & '.join(texts)}"
    accepted, room = list[str](), LONGEST
    for text in texts:
        room -= len(text)
        if room < 0:
            return f"{CALL_SIGNATURES} {' & '.join([*accepted, UNKNOWN])}"
        accepted.append(text)
    return ""


class _Signature:
    """The text of one call signature as a function type."""

    def __init__(self, node: Node, transparent_names: frozenset[str] | None) -> None:
        self._node = node
        self._transparent = transparent_names
        parameters = dict(_type_parameters(node))
        # the replacements of type parameters, which are unknown inside of constraints
        self._constraints = dict.fromkeys(parameters, UNKNOWN)
        self._constraints = {name: self._constraint(name, parameters) for name in parameters}

    def text(self) -> str:
        parameters, result = self._node.child_by_field_name("parameters"), self._node.child_by_field_name("return_type")
        parameter_list = ", ".join(map(self._written, _parts(parameters))) if parameters else ""
        return f"(({parameter_list}) => {self._written(result).lstrip(': ') if result else UNKNOWN})"

    def _written(self, node: Node, depth: int = 0) -> str:
        """Return a part of the signature on one line, without comments."""
        source = node.text or b""
        text = source.decode(errors="replace")
        if node.is_extra or (
            node.type == _ARGUMENTS and self._transparent is not None and not self._is_transparent(node)
        ):
            return ""
        if node.type in _LITERALS:
            return text if len(text) <= LITERAL_LIMIT + 2 else f"{text[0]}…{text[0]}"
        if node.type == "type_identifier" and text in self._constraints:
            return self._constraints[text]
        if not node.named_child_count or depth >= _DEEPEST:
            return " ".join(text.split())
        pieces, at = list[str](), node.start_byte
        for child in node.named_children:
            pieces += [
                source[at - node.start_byte : child.start_byte - node.start_byte].decode(errors="replace"),
                self._written(child, depth + 1),
            ]
            at = child.end_byte
        return " ".join("".join([*pieces, source[at - node.start_byte :].decode(errors="replace")]).split())

    def _constraint(self, name: str, parameters: Mapping[str, Node | None]) -> str:
        """Return the constraint of a type parameter, through other type parameters of the signature."""
        constraint = parameters[name]
        for _ in range(_CHAIN):
            if (
                constraint is not None
                and constraint.text
                and (other := constraint.text.decode(errors="replace")) in parameters
            ):
                constraint = parameters[other]
        text = self._written(constraint) if constraint is not None else UNKNOWN
        return UNKNOWN if len(text) > _CONSTRAINT else text if _COMPOUND.isdisjoint(text) else f"({text})"

    def _is_transparent(self, arguments: Node) -> bool:
        name = arguments.parent.child_by_field_name("name") if arguments.parent else None
        return (
            name is not None
            and name.text is not None
            and self._transparent is not None
            and name.text.decode(errors="replace") in self._transparent
        )


def _type_parameters(signature: Node) -> Iterator[tuple[str, Node | None]]:
    """List (name, constraint) of each type parameter."""
    child = signature.child_by_field_name("type_parameters")
    for named_child in child.named_children if child else ():
        name, constraint = named_child.child_by_field_name("name"), named_child.child_by_field_name("constraint")
        if name is not None and name.text:
            yield (
                name.text.decode(errors="replace"),
                constraint.named_children[-1] if constraint and constraint.named_children else None,
            )


def _parts(parameters: Node) -> list[Node]:
    return children(parameters)
