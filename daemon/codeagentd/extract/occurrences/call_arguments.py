"""The arguments of calls: their number, their labels, and their expressions."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, last_of
from codeagentd.model.facts import LABELS, MOST_COUNTED, MOST_TYPES, label_mark

_COUNT: Final = (1 << LABELS) - 1
_WRAPPERS: Final = frozenset({"argument", "value_argument"})
_SUFFIXES: Final = frozenset({"call_suffix", "constructor_suffix"})
_NAMED: Final = frozenset({"assignment_expression"})
_COMMENT: Final = re.compile(rb"[/#%]")  # begins a comment, or none
_NAMING: Final = frozenset({"=", ":"})


def expressions(arguments: Node) -> tuple[list[Node], Node | None]:
    """Return (those of `arguments` before the first one that names its parameter, that named argument or None)."""
    if arguments.type in _SUFFIXES:  # Swift: arguments carry labels in their order
        return [child for part in arguments.named_children for child in _labelled_in(part)], None
    results: list[Node] = []
    for child in children(arguments):
        if child.type in _NAMED or (child.type in _WRAPPERS and any(part.type in _NAMING for part in child.children)):
            return results, child
        results.append((last_of(child) or child) if child.type in _WRAPPERS else child)
    return results, None


def _labelled_in(part: Node) -> list[Node]:
    """Return the values of arguments with labels, or a trailing function."""
    if part.type != "value_arguments":
        return [part] if part.type == "lambda_literal" else []
    return [child.child_by_field_name("value") or child for child in children(part)]


def counted(source: bytes, arguments: Node) -> int:
    """Return 1 + the number of `arguments`; 0 if there are too many to be counted."""
    start, end = arguments.byte_range
    if _COMMENT.search(source, start, end) is None:
        count = arguments.named_child_count
    else:
        count = len(children(arguments))
    return 1 + count if count <= MOST_COUNTED else 0


def with_block(count: int) -> int:
    """Return `count`, as `counted` returns it, with one more argument: a trailing function."""
    return count + 1 if 0 < count < _COUNT else 0


def type_arguments(arguments: Node) -> int:
    """Return the number of types in the list of type arguments `arguments`, written or not: two in `Shelf<,>`. It is at
    most MOST_TYPES.
    """
    return min(1 + sum(child.type == "," for child in arguments.children), MOST_TYPES)


def argument_of(value: Node) -> tuple[int, int, bytes]:
    """Return (the start of the arguments, the number of the argument `value` among them, its label) in a call or
    attribute whose arguments may have labels. The label is b'' if there is none.
    """
    argument = value.parent if value.parent is not None and value.parent.type == "value_argument" else value
    # all at once: to step from sibling to sibling takes quadratic time
    before = argument.parent.children if argument.parent is not None else []
    before = before[: bisect_right(before, value.start_byte, key=lambda child: child.start_byte)]
    first = next((child for child in reversed(before) if child.type == "("), before[0] if before else argument)
    number = sum(child.type == "," for child in before)
    label = argument.child_by_field_name("name") if argument is not value else None
    if argument is value and value.prev_sibling is not None and value.prev_sibling.type == ":":
        label = value.prev_sibling.prev_sibling
    return first.start_byte, number, label.text if label and label.text else b""


def labelled(suffix: Node) -> int:
    """Return the number of arguments in `suffix`, as `counted` returns it, with the mark of their labels. Trailing
    functions count as arguments.
    """
    count, mark = 0, 0
    for child in suffix.named_children:
        if child.type == "value_arguments":
            arguments = children(child)
            count += len(arguments)
            mark = label_mark(map(_label, arguments)) if arguments else 0
        elif child.type == "lambda_literal":
            count += 1
    return min(1 + count, (1 << LABELS) - 1) | mark << LABELS


def _label(argument: Node) -> str:
    label = argument.child_by_field_name("name")
    return label.text.decode(errors="replace").strip("`") if label and label.text else ""
