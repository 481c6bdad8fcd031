"""Patterns of a query from an example: where the definitions of a small source are, is where those of others are.

For each definition of the example, the way from its node to its name is generalised: the first of ever narrower
patterns that finds nothing in the example but such definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, QueryError

VALUE: Final = "variable"  # such names are local variables in functions
_TYPE: Final = re.compile(r"[A-Za-z_]\w*")
_WORD: Final = re.compile(rb"[\w.#@:!$*+?/=-]+")
_HEADS: Final = frozenset(
    {"header", "heading", "head", "signature", "prototype", "specification", "declarator", "left"}
)
_MOST_SIBLINGS: Final = 3  # before a name, of which one may say what is defined


class Expected(NamedTuple):
    """A definition that an example has: its kind, and the range of its name."""

    kind: str
    name: str
    start: int
    end: int


class Step(NamedTuple):
    """One step of the way to a name: a node, and its field in its parent."""

    node: Node
    field: str


class Example:
    """An example: its source, parsed, and the definitions in it, `kind name` or `kind name@2` for its second mention."""

    def __init__(self, grammar: Grammar, source: bytes, definitions: Sequence[str]) -> None:
        self.grammar = grammar
        self.source = source
        self.root = Parser(grammar).parse(source).root_node
        self.expected = [self._place(definition) for definition in definitions]
        self._starts = {expected.start: expected.kind for expected in self.expected}
        self.shown: set[str] = set()  # types of nodes that the patterns are about

    def _place(self, definition: str) -> Expected:
        kind, _, name = definition.partition(" ")
        name, _, number = name.partition("@") if re.search(r"@\d$", name) else (name, "", "")
        places = re.finditer(rb"(?<![\w-])" + re.escape(name.encode()) + rb"(?![\w-])", self.source)
        found = [match.start() for match in places if not self._is_comment(match.start(), match.end())]
        if len(found) < int(number or 1):
            raise ValueError(f"{definition}: not in the source")
        start = found[int(number or 1) - 1]
        return Expected(kind, name, start, start + len(name.encode()))

    def _is_comment(self, start: int, end: int) -> bool:
        node = self.root.named_descendant_for_byte_range(start, end)
        return node is not None and "comment" in node.type.lower()

    def patterns(self) -> list[str]:
        """Return a pattern for each definition; errors: ValueError where none can be told from the rest."""
        results: dict[str, None] = {}
        for expected in self.expected:
            if not any(self._finds(pattern, expected) for pattern in results):
                results[self._pattern(expected)] = None
        return list(results)

    def is_right(self, pattern: str) -> bool:
        """Whether a pattern finds nothing in the example but definitions of its kind."""
        return all(self._starts.get(start) == kind for start, kind in self._found(pattern))

    def may_be_right(self, pattern: str) -> bool:
        """Whether a pattern finds nothing but definitions: one of another kind hides a variable of its name."""
        return all(start in self._starts for start, _ in self._found(pattern))

    def _finds(self, pattern: str, expected: Expected) -> bool:
        return (expected.start, expected.kind) in self._found(pattern)

    def _found(self, pattern: str) -> set[tuple[int, str]]:
        try:
            query = Query(self.grammar, pattern)
        except (QueryError, ValueError):
            return {(-1, "")}
        results = set()
        for _, captures in QueryCursor(query).matches(self.root):
            kinds = [name[4:] for name in captures if name.startswith("def.")]
            names = captures.get("name", [])[:1] or captures.get("bind.define", [])
            results |= {(self._name_start(node), kinds[0] if kinds else VALUE) for node in names}
        return results

    def _name_start(self, node: Node) -> int:
        """The start of a name without the quotes around it."""
        return node.start_byte + (self.source[node.start_byte : node.start_byte + 1] in (b'"', b"'", b"`"))

    def _pattern(self, expected: Expected) -> str:
        way = self._way(expected)
        tops = self._tops(way, expected)
        for is_right in (self.is_right, self.may_be_right) if expected.kind == VALUE else (self.is_right,):
            for top in tops:
                for pattern in _variants(way[top:], expected.kind):
                    if self._finds(pattern, expected) and is_right(pattern):
                        self.shown.update(step.node.type for step in way[top:])
                        return pattern
        raise ValueError(f"{expected.kind} {expected.name}: no pattern finds it alone")

    def _way(self, expected: Expected) -> list[Step]:
        """The way from the root to the name."""
        node = self.root.named_descendant_for_byte_range(expected.start, expected.end)
        way: list[Step] = []
        while node is not None and node.parent is not None:
            if not (node.type == "ERROR" or node.is_missing):
                way.append(Step(node, _field_of(node)))
            node = node.parent
        if not way:
            raise ValueError(f"{expected.kind} {expected.name}: no node")
        return way[::-1]

    def _tops(self, way: Sequence[Step], expected: Expected) -> list[int]:
        """Where on the way the definition may begin, the best first: a node that begins its line, or has this name
        alone."""
        line = self.source.rfind(b"\n", 0, expected.start) + 1
        first = line + len(self.source[line:]) - len(self.source[line:].lstrip())
        others = [other for other in self.expected if other is not expected]
        free = [
            at
            for at, step in enumerate(way)
            if not any(step.node.start_byte <= other.start < expected.start for other in others)
        ]
        alone = [
            at
            for at in free
            if not any(way[at].node.start_byte <= other.start < way[at].node.end_byte for other in others)
        ]
        leading = [at for at in free if way[at].node.start_byte <= first]
        if leading:
            at = leading[-2] if leading[-1] == len(way) - 1 and len(leading) > 1 else leading[-1]
            while at - 1 in leading and _HEADS.intersection(way[at].node.type.lower().split("_")):
                at -= 1  # a header begins the line, and the whole definition as well
            leading = [at, *leading[::-1]]
        return [*dict.fromkeys([*leading, *alone, *free[::-1]])]


def _field_of(node: Node) -> str:
    parent = node.parent
    for number in range(parent.child_count if parent else 0):
        if parent is not None and parent.child(number) == node:
            return parent.field_name_for_child(number) or ""
    return ""


def _variants(way: Sequence[Step], kind: str) -> Iterator[str]:
    """Patterns for the way from a definition to its name, the most general first."""
    for parents in (0, 1, 2):
        for form in _FORMS:
            if form.value and kind == VALUE:
                continue  # a variable may have any value
            yield from _variant(way, kind, form, parents)
    for parents in (0, 1):
        yield from _variant(way, kind, Form(anchored=True, words=True), parents)


class Form(NamedTuple):
    """How narrow a pattern is. It may demand that nothing is before the name; the type of what is; the first token of
    the definition; the word that says what is defined; the type of what follows the name.
    """

    anchored: bool = False
    sibling: bool = False
    keyword: bool = False
    words: bool = False
    value: bool = False


_FORMS: Final = (
    Form(), Form(keyword=True), Form(anchored=True), Form(anchored=True, keyword=True), Form(value=True),
    Form(sibling=True),
)  # fmt: skip


def _variant(way: Sequence[Step], kind: str, form: Form, parents: int) -> Iterator[str]:
    capture = "@bind.define" if kind == VALUE else "@name"
    predicates: list[str] = []
    top, inner = way[0].node, f"({way[-1].node.type}) {capture}"
    if not _TYPE.fullmatch(top.type):
        return
    for at in range(len(way) - 1, 0, -1):
        step = way[at]
        before = _before(step.node, words=form.words, predicates=predicates) if form.anchored else ""
        if form.sibling and at == 1 and step.node.prev_named_sibling is not None:
            before = f"({step.node.prev_named_sibling.type}) . "
        after = _after(step.node) if form.value and at == 1 else ""
        text = inner if at == len(way) - 1 else f"({step.node.type} {inner})"
        inner = f"{before}{step.field + ': ' if step.field else ''}{text}{after}"
    pattern = inner if len(way) == 1 else f"({top.type} {_keyword(top) if form.keyword else ''}{inner})"
    if kind != VALUE:
        pattern += f" @def.{kind}"
    node = top
    for _ in range(parents):
        if node.parent is None or not _TYPE.fullmatch(node.parent.type):
            return
        field = _field_of(node)
        sibling = node.prev_named_sibling if form.sibling and len(way) == 1 and node is top else None
        before = f"({sibling.type}) . " if sibling is not None else ""
        pattern, node = f"({node.parent.type} {before}{field + ': ' if field else ''}{pattern})", node.parent
    yield f"({pattern} {' '.join(predicates)})" if predicates else pattern


def _after(node: Node) -> str:
    """The type of what follows a node, as a part of a pattern."""
    following = node.next_named_sibling
    if following is None or not _TYPE.fullmatch(following.type):
        return ""
    field = _field_of(following)
    return f" {field + ': ' if field else '. '}({following.type})"


def _keyword(node: Node) -> str:
    first = node.children[0] if node.children else None
    if first is None or first.is_named or '"' in first.type or "\\" in first.type:
        return ""
    return f'"{first.type}" '


def _before(node: Node, *, words: bool, predicates: list[str]) -> str:
    """What has to stand before a node: nothing else; with `words`, the word that says what is defined."""
    siblings: list[Node] = []
    sibling = node.prev_named_sibling
    while sibling is not None and len(siblings) < _MOST_SIBLINGS:
        siblings.append(sibling)
        sibling = sibling.prev_named_sibling
    if not siblings:
        return ". "
    if words and sibling is None:
        results = ". "
        for number, before in enumerate(reversed(siblings)):
            if not _TYPE.fullmatch(before.type):
                return ""
            text = before.text or b""
            if number == 0 and _WORD.fullmatch(text):
                results += f"({before.type}) @_how . "
                predicates.append(f'(#eq? @_how "{text.decode()}")')
            else:
                results += f"({before.type}) . "
        return results
    return ""
