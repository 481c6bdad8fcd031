"""The syntactic structure of one text: the lines that can be folded, and the nested ranges around a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tree_sitter import Node, QueryCursor, Tree

from codeagentd.languages.grammar import parser, query
from codeagentd.languages.language import is_parsed, languages
from codeagentd.model.documents import COMMENT, IMPORTS, Fold, Place, Range

from .file_facts import PREPARE_RULES, normalised
from .positions import Places

MOST_FOLDS: Final = 10_000  # what no editor shows, and what a table of data would give
_COMMENT: Final = "comment"
_STRING: Final = "string"
_CLOSING: Final = frozenset({"}", ")", "]", "end", "fi", "done", "esac", "</", "```"})
# ends of the types of nodes that no bracket closes: what follows a header, and what has its own
_BODIES: Final = ("block", "body", "suite")
_WHOLE: Final = ("section", "code_block")
_IMPORT: Final = "import"


class DocumentStructure:
    """The syntax tree of one text in a language that has a grammar."""

    def __init__(self, source: bytes, language: str) -> None:
        self._source = normalised(source)
        self._language = language
        text = PREPARE_RULES[languages()[language].rules.prepare](self._source)
        self._tree: Tree = parser(language).parse(text)
        self._places = Places(self._source)

    # -- folds
    def folds(self) -> list[Fold]:
        """Return the lines that can be folded, in order; of those that begin on one line the longest."""
        longest: dict[int, Fold] = {}
        for fold in (*self._blocks(), *self._comments(), *self._imports()):
            known = longest.get(fold.line_start)
            if fold.line_end > fold.line_start and (known is None or fold.line_end > known.line_end):
                longest[fold.line_start] = fold
        return [longest[line] for line in sorted(longest)][:MOST_FOLDS]

    def _blocks(self) -> Iterator[Fold]:
        """List the folds of nodes of several lines. What closes a node stays visible."""
        waiting = [self._tree.root_node]
        while waiting:
            node = waiting.pop()
            if node.end_point[0] > node.start_point[0]:
                waiting += [child for child in node.children if _may_fold(child)]
            if node.parent is None or not node.is_named or _COMMENT in node.type:
                continue
            last = node.children[-1] if node.child_count else None
            first, end = node.start_point[0] + 1, self._last_line(node)
            if last is not None and last.type in _CLOSING and last.end_point[0] > node.start_point[0]:
                yield Fold(first, last.start_point[0] if self._begins_line(last) else end)
            elif node.type.endswith(_WHOLE) or _STRING in node.type:
                yield Fold(first, end)
            elif node.type.endswith(_BODIES):
                before = node.prev_sibling
                header = before.end_point[0] + 1 if before is not None and _COMMENT not in before.type else first
                yield Fold(header, end)

    def _begins_line(self, node: Node) -> bool:
        start = self._places.starts[node.start_point[0]]
        return not self._source[start : node.start_byte].strip()

    def _last_line(self, node: Node) -> int:
        """Return the last line of a node that has more than blanks."""
        text = self._source[node.start_byte : node.end_byte].rstrip()
        return self._places.line(node.start_byte + max(len(text) - 1, 0))

    def _comments(self) -> Iterator[Fold]:
        """List the folds of comments: those of several lines, and several that follow each other."""
        nodes = [node for node in _all_comments(self._tree.root_node) if self._begins_line(node)]
        lines = [(node.start_point[0] + 1, self._last_line(node)) for node in nodes]
        yield from (Fold(start, end, COMMENT) for start, end in _runs(lines))

    def _imports(self) -> Iterator[Fold]:
        """List the folds of import statements that follow each other."""
        nodes = QueryCursor(query(self._language)).captures(self._tree.root_node).get(_IMPORT, ())
        lines = [(node.start_point[0] + 1, self._last_line(node)) for node in nodes]
        yield from (Fold(start, end, IMPORTS) for start, end in _runs(sorted(lines)))

    # -- ranges
    def ranges(self, place: Place) -> list[Range]:
        """Return the ranges of the nodes around a place, innermost first, without those that are the same."""
        offset = self._offset(place)
        node = self._tree.root_node.descendant_for_byte_range(offset, offset)
        results: list[Range] = []
        while node is not None:
            range_ = self._range(node)
            if not results or range_ != results[-1]:
                results.append(range_)
            node = node.parent
        return results

    def leaf(self, place: Place) -> str:
        """Return the type of the innermost node around the letter at a place."""
        offset = self._offset(place)
        node = self._tree.root_node.descendant_for_byte_range(offset, offset + 1)
        return node.type if node is not None else ""

    def _offset(self, place: Place) -> int:
        """Return the byte offset of a place, or of the end of its line, or of the text, where that is shorter."""
        starts: list[int] = self._places.starts
        line = min(max(place.line, 1), len(starts))
        end = starts[line] - 1 if line < len(starts) else len(self._source)
        return min(self._places.offset(line, place.column), max(end, starts[line - 1]))

    def _range(self, node: Node) -> Range:
        first, last = self._places.line(node.start_byte), self._places.line(node.end_byte)
        column = self._places.column
        return Range(first, column(node.start_byte, first), last, column(node.end_byte, last))


def structure_of(source: bytes, language: str) -> DocumentStructure | None:
    """Return the structure of a text; None for a language without a grammar."""
    return DocumentStructure(source, language) if is_parsed(language) else None


def _may_fold(node: Node) -> bool:
    """Whether a node has several lines, or may have with its header."""
    return node.end_point[0] > node.start_point[0] or node.type.endswith(_BODIES)


def _all_comments(root: Node) -> list[Node]:
    """Return the comments of a tree in order."""
    cursor, results, is_below = root.walk(), list[Node](), True
    while True:
        node = cursor.node
        if is_below and node is not None and node.is_named and _COMMENT in node.type:
            results.append(node)
        elif is_below and cursor.goto_first_child():
            continue
        is_below = cursor.goto_next_sibling()
        if not is_below and not cursor.goto_parent():
            return results


def _runs(lines: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join ranges of lines that directly follow each other, or overlap."""
    if not lines:
        return
    start = lines[0][0]
    for (_, end), (following, _) in pairwise(lines):
        if following > end + 1:
            yield start, end
            start = following
    yield start, lines[-1][1]
