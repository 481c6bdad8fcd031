"""Where a test of a variable's type holds: ranges of bytes, read off the nodes around it.

Grammars differ in their nodes, hardly in their tokens: `and` joins what both must hold, `if` begins with itself, an
`else` ends what its condition guards.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children

_AND: Final = frozenset({"and", "&&"})
_OR: Final = frozenset({"or", "||"})
_NOT: Final = frozenset({"not", "!"})
_DENIED: Final = frozenset({"!is"})
_ELSE: Final = frozenset({"else", "elif_clause", "else_clause", "else_if_clause"})
_BLOCKS: Final = frozenset(
    {"block", "statement_block", "statements", "control_structure_body", "compound_statement", "expression_statement"}
)
_LEAVING: Final = frozenset(
    {
        "return_statement",
        "raise_statement",
        "throw_statement",
        "continue_statement",
        "break_statement",
        "jump_expression",
        "throw_expression",
    }
)
_COMPREHENSIONS: Final = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
_TERNARIES: Final = frozenset({"conditional_expression", "ternary_expression"})
_BRANCHES: Final = frozenset({"case_clause", "when_entry", "type_case"})
_CHOICES: Final = frozenset({"match_statement", "when_expression", "type_switch_statement"})
_NAMES: Final = frozenset({"identifier", "simple_identifier"})

Range = tuple[int, int]


def ranges_behind(test: Node) -> list[Range]:
    """Where a test is known to have been true."""
    result: list[Range] = []
    when = all(child.type not in _DENIED for child in test.children)  # the value of `child` that proves the test
    child, around = test, test.parent
    while around is not None:
        signs = {token.type for token in around.children if not token.is_named}
        if signs & _NOT and len(children(around)) == 1:
            when = not when
        elif joined := signs & _AND or signs & _OR:
            if when is not bool(joined & _AND):
                break
            result.append((test.end_byte, around.end_byte))
        elif around.type != "parenthesized_expression":
            result += _guarded(around, child, test, when)
            break
        child, around = around, around.parent
    return [(start, end) for start, end in result if start < end]


def _guarded(around: Node, condition: Node, test: Node, when: bool) -> list[Range]:
    """What a node guards by its condition."""
    if around.type in _TERNARIES:
        return _chosen(around, condition, when)
    if around.type == "if_clause":
        return _filtered(around, test) if when else []
    if around.type == "assert_statement":
        return _rest(around) if when and around.named_child(0) == condition else []
    first = around.children[0]
    if first.type not in ("if", "elif", "while") or condition.type in _BLOCKS:
        return _entry(around, test) if when else []
    others = next(
        (
            child.start_byte
            for child in around.children
            if child.type in _ELSE and child.start_byte > condition.end_byte
        ),
        0,
    )
    if when:
        return [(test.end_byte, others or around.end_byte)]
    if first.type == "elif":
        return [(around.end_byte, around.parent.end_byte)] if around.parent else []
    if first.type == "while":
        return []
    return [(others, around.end_byte)] if others else _rest(around) if _leaves(around, condition) else []


def _chosen(around: Node, condition: Node, when: bool) -> list[Range]:
    """One side of `a if condition else b` or `condition ? a : b`."""
    parts = children(around)
    if len(parts) != 3 or condition not in parts:
        return []
    is_first = around.type == "ternary_expression"
    if parts.index(condition) != (0 if is_first else 1):
        return []
    yes, no = (parts[1], parts[2]) if is_first else (parts[0], parts[2])
    return [(yes if when else no).byte_range]


def _filtered(clause: Node, test: Node) -> list[Range]:
    """The element of a comprehension and the clauses behind its condition; the body of a branch behind its guard."""
    around = clause.parent
    if around is None:
        return []
    behind = (test.end_byte, around.end_byte)
    if around.type in _COMPREHENSIONS:
        return [children(around)[0].byte_range, behind]
    return [behind] if around.type in _BRANCHES else []


def _entry(condition: Node, test: Node) -> list[Range]:
    """The branch behind the condition of a `when` without subject."""
    around = condition.parent
    return (
        [(test.end_byte, around.end_byte)]
        if condition.type == "when_condition" and around and not _has_several(around)
        else []
    )


def _leaves(around: Node, condition: Node) -> bool:
    """Whether what a condition guards always leaves the block around."""
    last, inside = around, [child for child in children(around) if child.start_byte >= condition.end_byte]
    while inside and (last is around or last.type in _BLOCKS):
        last = inside[-1]
        inside = children(last)
    return last.type in _LEAVING


def _rest(statement: Node) -> list[Range]:
    """What stands behind a statement in its block."""
    return [(statement.end_byte, statement.parent.end_byte)] if statement.parent else []


def subject_of(type_: Node) -> tuple[Node, Range] | None:
    """Of a type that a branch is taken for: (the variable that is asked for its type, the rest of the branch)."""
    branch: Node | None = None
    node = type_.parent
    while node is not None and node.type not in _CHOICES:
        if node.type in _BRANCHES:
            if branch is not None or _has_several(node):
                return None
            branch = node
        elif branch is None and any(child.type in _DENIED for child in node.children):
            return None
        node = node.parent
    name = _subject(node) if node is not None and branch is not None else None
    return (name, (type_.end_byte, branch.end_byte)) if name is not None and branch is not None else None


def _has_several(branch: Node) -> bool:
    return any(child.type == "," for child in branch.children)


def _subject(choice: Node) -> Node | None:
    """The variable that a choice is about; None when it is about something else."""
    said = choice.children_by_field_name("subject") or choice.children_by_field_name("alias")
    node = (
        said[0] if len(said) == 1 else next((child for child in choice.children if child.type == "when_subject"), None)
    )
    while node is not None and node.type not in _NAMES:
        named = children(node)
        node = named[0] if named and (len(named) == 1 or named[0].type == "variable_declaration") else None
    return node
