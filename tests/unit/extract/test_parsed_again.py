"""A repaired source is parsed again as if it were a new one."""

from __future__ import annotations

import random

import pytest
from tree_sitter import Tree, TreeCursor

from codeagentd.extract.preprocess.directives import blank
from codeagentd.extract.preprocess.parse_errors import parsed_again
from codeagentd.languages.grammar import parser

SOURCE = b"""
#define API __attribute__((visibility))
API struct shelf { int size; char *name; } NOTHING;
static FOO int lend(struct shelf *top BAR(1), int n) NOTHROW {
#ifdef LOUD
    if (n) {
#else
    if (!n) {
#endif
        return top->size MORE(n);
    }
    DECLARE(x, y) for_each(top) { n++; }
    return "a" /* no
    comment */ 'b';
}
"""


@pytest.mark.parametrize("seed", range(40))
def test_a_repaired_source_has_the_tree_of_a_whole_parse(seed: int) -> None:
    choice = random.Random(seed)
    starts = [choice.randrange(len(SOURCE)) for _ in range(choice.randrange(1, 6))]
    text = blank(SOURCE, [(start, start + choice.randrange(1, 60)) for start in starts])
    reader = parser("c")
    again = parsed_again(reader, text, SOURCE, reader.parse(SOURCE))
    assert _nodes(again) == _nodes(reader.parse(text))


def _nodes(tree: Tree) -> list[tuple[str | None, str, int, int, tuple[int, int]]]:
    """Return (field, type, start, end, place) of all nodes of a tree, in order."""
    results: list[tuple[str | None, str, int, int, tuple[int, int]]] = []
    cursor = tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        place = (node.start_point.row, node.start_point.column)
        results.append((cursor.field_name, node.type, node.start_byte, node.end_byte, place))
        if not cursor.goto_first_child() and not _next(cursor):
            return results


def _next(cursor: TreeCursor) -> bool:
    """Move a cursor to the next node that is no descendant."""
    while not cursor.goto_next_sibling():
        if not cursor.goto_parent():
            return False
    return True
