"""How many arguments does a call give, and what is the first one called?"""

from __future__ import annotations

from tree_sitter import Node

from codeagentd.model.facts import LABELS, label_mark


def counted(source: bytes, arguments: Node) -> int:
    """1 + the number of arguments."""
    start, end = arguments.byte_range
    if source.find(b"//", start, end) < 0 and source.find(b"/*", start, end) < 0:
        return 1 + arguments.named_child_count
    return 1 + sum(not child.is_extra for child in arguments.named_children)


def labelled(suffix: Node) -> int:
    """The same of arguments with labels and of the functions behind them, and the mark of the first label."""
    count, mark = 0, 0
    for child in suffix.named_children:
        if child.type == "value_arguments":
            arguments = [argument for argument in child.named_children if not argument.is_extra]
            label = arguments[0].child_by_field_name("name") if arguments else None
            count += len(arguments)
            mark = label_mark(label.text.decode(errors="replace") if label and label.text else "") if arguments else 0
        elif child.type == "lambda_literal":
            count += 1
    return min(1 + count, (1 << LABELS) - 1) | mark << LABELS
