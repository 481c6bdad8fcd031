"""Type guards: the ranges of bytes in which a test of a variable's type holds, by the nodes around the test.

Grammars differ in their nodes, but hardly in their tokens: `and` joins two conditions that both hold, an `if` node
begins with `if`, an `else` ends the range that its condition guards.
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


def ranges_after(test: Node) -> list[Range]:
    """Return the ranges of bytes in which `test` is known to have been true."""
    results: list[Range] = []
    when = all(child.type not in _DENIED for child in test.children)  # the value of `child` that proves the test
    child, enclosing = test, test.parent
    while enclosing is not None:
        signs = {token.type for token in enclosing.children if not token.is_named}
        if signs & _NOT and len(children(enclosing)) == 1:
            when = not when
        elif joined := signs & _AND or signs & _OR:
            if when is not bool(joined & _AND):
                break
            results.append((test.end_byte, enclosing.end_byte))
        elif enclosing.type != "parenthesized_expression":
            results += _guarded(enclosing, child, test, when)
            break
        child, enclosing = enclosing, enclosing.parent
    return [(start, end) for start, end in results if start < end]


def _guarded(enclosing: Node, condition: Node, test: Node, when: bool) -> list[Range]:
    """Return the ranges that a node guards by its condition."""
    if enclosing.type in _TERNARIES:
        return _chosen(enclosing, condition, when)
    if enclosing.type == "if_clause":
        return _filtered(enclosing, test) if when else []
    if enclosing.type == "assert_statement":
        return _rest(enclosing) if when and enclosing.named_child(0) == condition else []
    first = enclosing.children[0]
    if first.type not in ("if", "elif", "while") or condition.type in _BLOCKS:
        return _entry(enclosing, test) if when else []
    others = next(
        (
            child.start_byte
            for child in enclosing.children
            if child.type in _ELSE and child.start_byte > condition.end_byte
        ),
        0,
    )
    if when:
        return [(test.end_byte, others or enclosing.end_byte)]
    if first.type == "elif":
        return [(enclosing.end_byte, enclosing.parent.end_byte)] if enclosing.parent else []
    if first.type == "while":
        return []
    return [(others, enclosing.end_byte)] if others else _rest(enclosing) if _leaves(enclosing, condition) else []


def _chosen(enclosing: Node, condition: Node, when: bool) -> list[Range]:
    """Return one side of `a if condition else b` or `condition ? a : b`."""
    parts = children(enclosing)
    if len(parts) != 3 or condition not in parts:
        return []
    is_first = enclosing.type == "ternary_expression"
    if parts.index(condition) != (0 if is_first else 1):
        return []
    yes, no = (parts[1], parts[2]) if is_first else (parts[0], parts[2])
    return [(yes if when else no).byte_range]


def _filtered(clause: Node, test: Node) -> list[Range]:
    """Return the element of a comprehension and the clauses after its condition, or the body of a branch after its
    guard.
    """
    enclosing = clause.parent
    if enclosing is None:
        return []
    rest = (test.end_byte, enclosing.end_byte)
    if enclosing.type in _COMPREHENSIONS:
        return [children(enclosing)[0].byte_range, rest]
    return [rest] if enclosing.type in _BRANCHES else []


def _entry(condition: Node, test: Node) -> list[Range]:
    """Return the branch after the condition of a `when` without subject."""
    enclosing = condition.parent
    return (
        [(test.end_byte, enclosing.end_byte)]
        if condition.type == "when_condition" and enclosing and not _has_several(enclosing)
        else []
    )


def _leaves(enclosing: Node, condition: Node) -> bool:
    """Whether the code that a condition guards always leaves the enclosing block."""
    last, inside = enclosing, [child for child in children(enclosing) if child.start_byte >= condition.end_byte]
    while inside and (last is enclosing or last.type in _BLOCKS):
        last = inside[-1]
        inside = children(last)
    return last.type in _LEAVING


def _rest(statement: Node) -> list[Range]:
    """Return the rest of the block after a statement."""
    return [(statement.end_byte, statement.parent.end_byte)] if statement.parent else []


def subject_of(type_: Node) -> tuple[Node, Range] | None:
    """Return (the variable that a choice tests, the rest of the branch) for the type `type_` in a branch of that
    choice; None if it tests no variable.
    """
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
    """Return the variable that a choice tests; None when it tests another expression."""
    subjects = choice.children_by_field_name("subject") or choice.children_by_field_name("alias")
    node = (
        subjects[0]
        if len(subjects) == 1
        else next((child for child in choice.children if child.type == "when_subject"), None)
    )
    while node is not None and node.type not in _NAMES:
        named = children(node)
        node = named[0] if named and (len(named) == 1 or named[0].type == "variable_declaration") else None
    return node
