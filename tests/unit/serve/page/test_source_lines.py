"""Source with links: each at the name that it belongs to, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.model.kinds import Confidence, ReferenceKind, SymbolKind
from codeagentd.serve.page.source_lines import LONGEST, linked_lines
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex


class Source:
    """One file that refers to the functions of another one."""

    def __init__(self, index: SampleIndex, db: Database) -> None:
        self.index, self.db = index, db
        self.file = index.file("a.py")
        self.module = index.symbol(self.file, "a", SymbolKind.MODULE, lines=(1, 99))
        other = index.file("b.py")
        self.target = index.symbol(other, "b.target", lines=(7, 9))
        self.other = index.symbol(other, "b.other", lines=(11, 12))

    def refers(self, line: int, col: int, target: int | None = None, **more: object) -> None:
        self.index.reference(self.module, target or self.target, line=line, col=col, **more)  # type: ignore[arg-type]

    def links(self, *lines: str, first: int = 1) -> list[list[tuple[str, str]]]:
        """(text, role) of the links of each line; the pieces of a line are the line."""
        found = linked_lines(self.db, self.file, lines, first)
        assert ["".join(piece.text for piece in line.pieces) for line in found] == [line[:LONGEST] for line in lines]
        assert [line.number for line in found] == [*range(first, first + len(lines))]
        return [[(piece.text, piece.role) for piece in line.pieces if piece.url] for line in found]


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    index = SampleIndex(tmp_path / "index.db")
    db = index.database()
    yield Source(index, db)
    db.close()
    index.close()


def test_a_reference_leads_to_what_it_names(source: Source):
    source.refers(2, 4)
    (first, second) = linked_lines(source.db, source.file, ["# nothing", "x = target(1)"], 1)
    assert [piece.text for piece in first.pieces] == ["# nothing"]
    link = second.pieces[1]
    assert (link.text, link.url) == ("target", f"/symbol/{source.index.node_id(source.target)}")
    assert (link.hint, link.role) == ("b.target  b.py:7", "reference")


def test_columns_count_characters_beyond_ascii_and_tabs_as_one(source: Source):
    source.refers(1, 8)
    source.refers(2, 1)
    source.refers(3, 3)
    source.refers(4, 6)
    assert source.links('é="ß";  target()', "\ttarget", "𝒳𝒴 target", "ünter_naïve") == [
        [("target", "reference")],
        [("target", "reference")],
        [("target", "reference")],
        [],  # the middle of another name: the file has changed
    ]


def test_what_is_sure_comes_first_where_several_are_on_one_column(source: Source):
    source.refers(1, 0, source.other, confidence=Confidence.INFERRED)
    source.refers(1, 0, source.target)
    source.refers(1, 0, source.other, kind=ReferenceKind.READ, confidence=Confidence.INFERRED)
    (line,) = linked_lines(source.db, source.file, ["target()"], 1)
    assert line.pieces[0].url.endswith(source.index.node_id(source.target))
    assert [(piece.text, piece.role) for piece in line.pieces] == [("target", "reference"), ("()", "")]


def test_what_is_not_sure_is_a_guess(source: Source):
    source.refers(1, 0, confidence=Confidence.INFERRED)
    assert source.links("target()") == [[("target", "guess")]]


def test_a_definition_leads_to_its_own_page_rather_than_to_what_it_overrides(source: Source):
    own = source.index.symbol(source.file, "a.target", parent=source.module, lines=(1, 2), col=4)
    source.refers(1, 4, kind=ReferenceKind.OVERRIDE)
    source.refers(1, 11, source.other)
    (line,) = linked_lines(source.db, source.file, ["def target(other):"], 1)
    assert [(piece.text, piece.role) for piece in line.pieces if piece.url] == [
        ("target", "definition"),
        ("other", "reference"),
    ]
    assert line.pieces[1].url.endswith(source.index.node_id(own))


def test_an_index_that_is_behind_loses_links_and_no_text(source: Source):
    for column in (2, 5, 7, 80, 5_000):
        source.refers(1, column)
    assert source.links("ab target") == [[]]
    assert source.links("") == [[]]
    assert source.links("target") == [[]]
    assert source.links("a target") == [[("target", "reference")]]


def test_a_sign_can_be_a_reference(source: Source):
    source.refers(1, 2)
    assert source.links("a + b") == [[("+", "reference")]]


def test_lines_from_the_middle_have_their_own_links(source: Source):
    source.refers(1, 0)
    source.refers(41, 0)
    source.refers(43, 0)
    assert source.links("x", "target", "x", first=40) == [[], [("target", "reference")], []]


def test_the_links_of_another_file_stay_there(source: Source):
    source.refers(1, 0, file=source.index.file("c.py"))
    assert source.links("target") == [[]]
    assert linked_lines(source.db, 0, ["target"], 1)[0].pieces[0].url == ""


def test_a_line_without_end_is_cut(source: Source):
    source.refers(1, LONGEST + 4)
    assert source.links("x" * (LONGEST + 1)) == [[]]
