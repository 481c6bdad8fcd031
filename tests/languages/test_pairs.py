"""Do the captures that say what values are made of come in true pairs?

Extraction takes them from captures(), sorted by place, and pairs them by their order. Where a pattern can drop half of a pair, the pairs behind it
shift and receivers get the types of their neighbours.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from tree_sitter import Node, QueryCursor

from codeagentd.languages.grammar import parser, query
from codeagentd.languages.language import is_parsed, languages
from tests.harness.marked_source import read_case

HERE = Path(__file__).parent
PAIRED = ("typed", "assigned", "iterated", "entered")
BY_EXTENSION = {extension: name for name, language in languages().items() for extension in language.extensions}


def _places(captures: dict[str, list[Node]]) -> dict[str, set[tuple[int, int]]]:
    return {
        capture: {node.byte_range for node in nodes}
        for capture, nodes in captures.items()
        if capture.partition(".")[0] in PAIRED
    }


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=f"{path.parent.name}/{path.stem}") for path in sorted(HERE.glob("*/*.case"))]
)
def test_a_capture_of_a_pair_is_always_part_of_a_whole_match(path: Path) -> None:
    for file, source in read_case(path).files.items():
        name = BY_EXTENSION.get(PurePosixPath(file).suffix)
        if name is None or not is_parsed(name) or languages()[name].rules.parts != "none":
            continue
        root = parser(name).parse(source.encode()).root_node
        found = _places(QueryCursor(query(name)).captures(root))
        whole: dict[str, set[tuple[int, int]]] = {}
        for _, match in QueryCursor(query(name)).matches(root):
            for capture, places in _places(match).items():
                whole.setdefault(capture, set()).update(places)
        assert found == whole, f"{path.parent.name}: {file}"
