"""The shape of a call, decorator or annotation in any grammar: its name, the receiver, and the arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.languages.boundary_table import Table

LONGEST: Final = 200  # bytes of a callee whose path is read
ABOVE: Final = 5  # enclosing nodes that may be needed to find the call of a name: a.b<T>() under a mark
# fields of the receiver of a name
_OBJECTS: Final = ("object", "operand", "value", "expression", "path", "argument", "scope", "qualifier")
_NAMES: Final = ("attribute", "property", "field", "name", "type")  # fields of the name itself
_LISTS: Final = frozenset(
    {"argument_list", "arguments", "attribute_argument_list", "annotation_argument_list", "token_tree"}
)
_KEYWORDS: Final = frozenset({"keyword_argument", "element_value_pair", "argument", "attribute_argument", "pair"})
_PLAIN: Final = frozenset(
    {
        "identifier",
        "type_identifier",
        "property_identifier",
        "field_identifier",
        "this",
        "self",
        "package_identifier",
        "namespace_identifier",
    }
)


def text_of(node: Node) -> str:
    """Return the text of `node`, which should be small."""
    return (node.text or b"").decode(errors="replace")


class Called(NamedTuple):
    """A call, decorator or annotation.

    `node` is the whole of it, `name` the last name of the callee, and `receiver` the expression before that name.
    `is_mark`: it is a decorator or annotation.
    """

    node: Node
    name: Node
    receiver: Node | None
    positional: list[Node]
    named: dict[str, Node]
    is_mark: bool

    def argument(self, number: int, names: Sequence[str] = ()) -> Node | None:
        """Return the argument with one of `names`, else the positional argument `number` (from 0; -2 is the last); None
        if there is neither.
        """
        result = next((self.named[name] for name in names if name in self.named), None)
        if result is None and number == -2 and self.positional:
            return self.positional[-1]
        return self.positional[number] if result is None and 0 <= number < len(self.positional) else result


def called_at(name: Node, enclosing: Sequence[Node], table: Table) -> Called | None:
    """Return the call whose callee ends with `name`; None if the name is not called.

    `enclosing`: the nodes around the name, the nearest first.
    """
    callee = name
    above = iter(enclosing)
    for node in above:
        if node.type in table.callees and _ends(node, callee):
            callee = node
            continue
        is_mark = node.type in table.marks
        if not (is_mark or node.type in table.calls) or _is_argument(node, callee):
            return None
        outer = next(above, None)
        if not is_mark and outer is not None and outer.type in table.marks:
            return _called(outer, node, name, callee, True)
        return _called(node, node, name, callee, is_mark)
    return None


def _called(whole: Node, call: Node, name: Node, callee: Node, is_mark: bool) -> Called:
    positional, named = _arguments(call)
    receiver = call.child_by_field_name("object") if callee is name or callee == name else None
    return Called(whole, name, receiver if receiver is not None else object_of(callee), positional, named, is_mark)


def _ends(above: Node, inner: Node) -> bool:
    """Whether a name is the last one of its path, and not part of a receiver."""
    return above.end_byte == inner.end_byte or above.type in (
        "generic_name",
        "generic_function",
        "instantiation_expression",
    )


def _is_argument(call: Node, callee: Node) -> bool:
    """Whether a name is among the arguments of a call, or part of a receiver."""
    function = (
        call.child_by_field_name("function")
        or call.child_by_field_name("name")
        or call.child_by_field_name("constructor")
    )
    function = function or call.child_by_field_name("type")
    return function is not None and function != callee


def object_of(node: Node) -> Node | None:
    """Return the receiver of the last name of the path `node`; None if the path is a single name."""
    if node.type in ("generic_function", "generic_name") and (parts := children(node)):
        node = parts[0]
    if node.type in _PLAIN:
        return None
    return next((child for field in _OBJECTS if (child := node.child_by_field_name(field)) is not None), None)


def last_name(node: Node) -> Node | None:
    """Return the last name of the path `node`: `c` of `a.b.c`, of `a.b.c()` and of `a.b.c<T>`. None if it
    has no name.
    """
    while node.type not in _PLAIN:
        if node.end_byte - node.start_byte > 100 * LONGEST:
            return None
        following = node.child_by_field_name("function") or next(
            (child for field in _NAMES if (child := node.child_by_field_name(field)) is not None), None
        )
        if following is None or following == node:
            return node if node.type == "word" else None
        node = following
    return node


def receiver_name(receiver: Node | None) -> str:
    """Return `receiver` in the form in which boundary tables write it: its last name, with `()` if that is called. ''
    for None, '?' if it has no name.
    """
    if receiver is None:
        return ""
    name = last_name(receiver)
    if name is None:
        return "?"
    text = (name.text or b"").decode(errors="replace")
    return f"{text}()" if receiver.child_by_field_name("arguments") is not None else text


def root_of(receiver: Node) -> tuple[Node, str] | None:
    """Return (the first name of the path `receiver`, the names after it joined by dots); None if the path has other
    parts than names.
    """
    names: list[str] = []
    node: Node | None = receiver
    if receiver.end_byte - receiver.start_byte > LONGEST:
        return None
    while node is not None and node.type not in _PLAIN:
        name = next((child for field in _NAMES if (child := node.child_by_field_name(field)) is not None), None)
        if name is None or node.child_by_field_name("arguments") is not None:
            return None
        names.append((name.text or b"").decode(errors="replace"))
        node = object_of(node)
    return None if node is None else (node, ".".join(reversed(names)))


def _arguments(call: Node) -> tuple[list[Node], dict[str, Node]]:
    """Return the arguments by number and by name. The properties of an object that is the last argument count as named
    arguments too.
    """
    argument_list = call.child_by_field_name("arguments") or next(
        (child for child in call.named_children if child.type in _LISTS), None
    )
    positional: list[Node] = []
    named: dict[str, Node] = {}
    for child in children(argument_list) if argument_list is not None else ():
        name = (
            child.child_by_field_name("name") or child.child_by_field_name("key") if child.type in _KEYWORDS else None
        )
        if name is not None:
            named[(name.text or b"").decode(errors="replace")] = (
                child.child_by_field_name("value") or children(child)[-1]
            )
        elif child.type in ("argument", "attribute_argument") and (parts := children(child)):
            positional.append(parts[-1])
        else:
            positional.append(child)
    if positional and positional[-1].type == "object":
        named |= {
            _key(pair): value
            for pair in positional[-1].named_children
            if (value := pair.child_by_field_name("value")) is not None
        }
    return positional, named


def _key(pair: Node) -> str:
    key = pair.child_by_field_name("key")
    return (key.text or b"").decode(errors="replace").strip("\"'") if key is not None else ""
