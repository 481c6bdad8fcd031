"""The parser of queries. Errors state their position, and the words that would be valid there."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any, Final

import re2
from lark import Lark, Token, Transformer, UnexpectedEOF, UnexpectedInput, UnexpectedToken, v_args
from lark.exceptions import VisitError

from codeagent_protocol.errors import InvalidParameter
from codeagentd.query.graph.relation_names import RELATION_NAMES
from codeagentd.query.symbols.lookup import KINDS

from .ast import (
    DEEPEST,
    FARTHEST,
    FIELDS,
    LONGEST,
    LONGEST_EXPRESSION,
    LONGEST_PATH,
    NUMBERS,
    AllOf,
    AnyOf,
    Column,
    Comparison,
    EdgeDirection,
    EdgePattern,
    Never,
    NodePattern,
    Not,
    Question,
)

MEMORY: Final = 1 << 20  # bytes that a regular expression may use
QUOTED_LENGTH: Final = 60  # characters of the query that a message quotes

_WORDS: Final = {
    "LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]", "MINUS": "-", "COLON": ":", "COMMA": ",", "DOT": ".",
    "STAR": "*", "__ANON_0": "->", "__ANON_1": "<-", "__ANON_2": "..", "NAME": "a name", "STRING": "a text",
    "NUMBER": "a number", "HOPS": "a number of hops", "LIMIT_COUNT": "a number", "OPERATOR": "one of = != < <= > >= =~",
    "$END": "the end",
}  # fmt: skip


def read(query: str) -> Question:
    """Parse the text `query`. Errors: invalid_parameter with line and column, and the words that would be
    valid there.
    """
    if len(query) > LONGEST:
        raise _refused(f"the query has {len(query)} characters, more than {LONGEST}", "shorten it")
    if query.count("(") + query.lower().count("not") > 4 * DEEPEST and _depth(query) > DEEPEST:
        raise _refused(f"conditions are nested more than {DEEPEST} deep", "use fewer parentheses")
    try:
        question = _parser().parse(query)
    except VisitError as error:
        raise error.orig_exc from None
    except UnexpectedInput as error:
        raise _unexpected(query, error) from None
    assert isinstance(question, Question)
    return question


def _depth(query: str) -> int:
    """The maximum depth of parentheses and NOTs."""
    deepest = depth = 0
    for word in query.lower().replace("(", " ( ").replace(")", " ) ").split():
        depth += (word in ("(", "not")) - (word == ")")
        deepest = max(deepest, depth)
    return deepest


@functools.cache
def _parser() -> Lark:
    grammar = (resources.files(__package__) / "grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="query", parser="lalr", transformer=_Reader(), maybe_placeholders=True)


def _unexpected(query: str, error: UnexpectedInput) -> InvalidParameter:
    names: set[str] = (
        getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None) or set()
    )
    expected = sorted({_WORDS.get(name, name) for name in names})
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        problem, line, column = "the query ends", query.count("\n") + 1, len(query) - query.rfind("\n")
    else:
        word = (
            str(error.token)
            if isinstance(error, UnexpectedToken)
            else "".join(query[error.pos_in_stream :].split()[:1])
        )
        problem, line, column = f"{word[:QUOTED_LENGTH]!r} is not expected", error.line, error.column
    return _refused(
        f"line {line}, column {column}: {problem}",
        f"expected {' or '.join(expected)}" if expected else "see the grammar",
        line=line,
        column=column,
    )


def _refused(message: str, remedy: str, **facts: Any) -> InvalidParameter:
    return InvalidParameter(f"query: {message}", remedy=remedy, parameter="query", **facts)


def _at(token: Token, message: str, remedy: str) -> InvalidParameter:
    return _refused(
        f"line {token.line}, column {token.column}: {message}", remedy, line=token.line, column=token.column
    )


def _known(token: Token, names: tuple[str, ...], noun: str) -> str:
    """The name in lower case. Errors: invalid_parameter for an unknown name, with the known ones."""
    if token.lower() not in names:
        raise _at(token, f"there is no {noun} {token[:QUOTED_LENGTH]!r}", f"use one of: {', '.join(names)}")
    return token.lower()


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """Builds the query while the parser reads, so that no code walks over a deep tree."""

    def query(self, path: tuple[list[NodePattern], list[EdgePattern]], condition: Any, *rest: Any) -> Question:
        nodes, edges = path
        if len(nodes) > LONGEST_PATH:
            raise _refused(f"a path of {len(nodes)} nodes is longer than {LONGEST_PATH}", "ask for a part of it")
        *columns, limit = rest
        bound = {node.name for node in nodes}
        for token in [*_variables(condition), *(column.variable for column in columns)]:
            if token and token not in bound:
                raise _unbound(token, bound)
        return Question(nodes, edges, condition, columns, None if limit is None else int(limit[:9]))

    def path(self, first: NodePattern, *rest: Any) -> tuple[list[NodePattern], list[EdgePattern]]:
        return [first, *rest[1::2]], list(rest[0::2])

    def node(self, name: Token | None, kind: Token | None) -> NodePattern:
        return NodePattern(name or "", _known(kind, tuple(KINDS), "kind") if kind else "")

    def outgoing(self, within: tuple[str, int, int] | None) -> EdgePattern:
        return EdgePattern(EdgeDirection.OUT, *(within or ("", 1, 1)))

    def incoming(self, within: tuple[str, int, int] | None) -> EdgePattern:
        return EdgePattern(EdgeDirection.IN, *(within or ("", 1, 1)))

    def either(self, within: tuple[str, int, int] | None) -> EdgePattern:
        return EdgePattern(EdgeDirection.EITHER, *(within or ("", 1, 1)))

    def within(self, relation: Token | None, hops: tuple[int, int] | None) -> tuple[str, int, int]:
        return (_known(relation, RELATION_NAMES, "relation") if relation else "", *(hops or (1, 1)))

    def exactly(self, hops: Token | None) -> tuple[int, int]:
        return _hops(hops, hops) if hops else (1, FARTHEST)

    def between(self, least: Token | None, most: Token | None) -> tuple[int, int]:
        return _hops(least, most)

    def any_of(self, *parts: Any) -> Any:
        return parts[0] if len(parts) == 1 else AnyOf(list(parts))

    def all_of(self, *parts: Any) -> Any:
        return parts[0] if len(parts) == 1 else AllOf(list(parts))

    def negated(self, part: Any) -> Not:
        return Not(part)

    def compared(self, variable: Token, field: Token, operator: Token, value: Any) -> Comparison:
        name, plain = _known(field, FIELDS, "field"), str(operator)
        return Comparison(variable, name, plain, _value(name, plain, value))

    def has(self, variable: Token, _modifier: Token) -> Never:
        return Never()

    def text(self, token: Token) -> Token:
        quote = token[0]
        return token.update(value=token[1:-1].replace(f"\\{quote}", quote))

    def number(self, token: Token) -> Token:
        return token

    def word(self, token: Token) -> Token:
        return token

    def count_all(self) -> Column:
        return Column("count(*)", is_count=True)

    def count_of(self, variable: Token) -> Column:
        return Column(f"count({variable})", variable, is_count=True)

    def field_of(self, variable: Token, field: Token) -> Column:
        name = _known(field, FIELDS, "field")
        return Column(f"{variable}.{name}", variable, name)

    def node_of(self, variable: Token) -> Column:
        return Column(str(variable), variable)


def _hops(least: Token | None, most: Token | None) -> tuple[int, int]:
    low, high = int(least[:9]) if least else 1, int(most[:9]) if most else FARTHEST
    token = most or least
    if token is not None and not 1 <= low <= high <= FARTHEST:
        raise _at(token, f"*{low}..{high} is no range of hops", f"use 1 to {FARTHEST}, the lower first")
    return low, high


def _value(field: str, operator: str, token: Token) -> Any:
    """The value that a field is compared with, converted to the field's type."""
    if operator == "=~":
        if field in NUMBERS:
            raise _at(token, f"{field} is a number, and =~ compares texts", "use = != < <= > >=")
        return _expression(token)
    if field not in NUMBERS:
        return token.lower() if field in ("kind", "lang") else str(token)
    if token.type != "NUMBER":
        raise _at(token, f"{field} is a number, not {token[:QUOTED_LENGTH]!r}", "compare it with a number")
    return float(token)


def _expression(token: Token) -> Any:
    options = re2.Options()
    options.log_errors, options.max_mem = False, MEMORY
    if len(token) > LONGEST_EXPRESSION:
        raise _at(token, f"the expression has {len(token)} characters, more than {LONGEST_EXPRESSION}", "shorten it")
    try:
        return re2.compile(str(token), options)
    except re2.error as error:
        reason = (
            error.args[0].decode(errors="replace") if error.args and isinstance(error.args[0], bytes) else str(error)
        )
        raise _at(
            token, f"no regular expression: {reason}", "expressions are RE2's: no look-around, no back references"
        ) from None


def _variables(condition: Any) -> list[str]:
    if isinstance(condition, Comparison):
        return [condition.variable]
    parts = (
        condition.parts
        if isinstance(condition, AllOf | AnyOf)
        else [condition.part]
        if isinstance(condition, Not)
        else []
    )
    return [variable for part in parts for variable in _variables(part)]


def _unbound(name: str, bound: set[str]) -> InvalidParameter:
    message, remedy = (
        f"MATCH has no {name[:QUOTED_LENGTH]!r}",
        f"use one of: {', '.join(sorted(bound - {''})) or 'none is named'}",
    )
    return _at(name, message, remedy) if isinstance(name, Token) else _refused(message, remedy)
