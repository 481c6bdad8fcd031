"""What a text search puts first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.query.retrieval.features import Candidate, Facts
from codeagentd.query.retrieval.question import read
from codeagentd.query.retrieval.ranking import Defined, definition, distinctiveness, rank

TOTAL = 1_000  # pieces of the index
HAVING = 30  # of them with each word


def chunk(
    number: int, path: str, text: float = 1.0, file: int = 0, language: str = "python", **values: float
) -> Candidate:
    return Candidate(number, file or number, path, language, 1, 20, text=text, reasons=[], **values)  # type: ignore[arg-type]  # named in each test


def ranked(
    question: str, *candidates: Candidate, users: Mapping[int, int] | None = None, links: Iterable[tuple[int, int]] = ()
) -> list[Candidate]:
    asked = read(question)
    facts = Facts(asked, dict.fromkeys(asked.words, HAVING), TOTAL, best=10.0, users=users or {}, links=links)
    return rank(facts, candidates, 10)


def order(question: str, *candidates: Candidate) -> list[str]:
    return [one.path for one in ranked(question, *candidates)]


def defined(name: str, kind: SymbolKind = SymbolKind.CLASS, qualified_name: str = "", references: int = 0) -> Defined:
    return Defined(1, 1, name, kind, qualified_name or name, references)


def test_a_file_that_is_called_like_the_question_comes_before_one_with_the_same_text() -> None:
    assert order("loan rules", chunk(1, "a/other.py"), chunk(2, "a/loan_rules.py")) == ["a/loan_rules.py", "a/other.py"]


def test_the_definition_of_the_name_comes_before_its_uses() -> None:
    asked = read("Shelf")
    worth = definition(asked, "Shelf", defined("Shelf"), 0)
    assert (
        worth
        > definition(asked, "Shelf", defined("shelf"), 0)
        > definition(asked, "Shelf", defined("shelf", SymbolKind.VARIABLE), 0)
        > 0
    )
    defines = chunk(2, "defines.py", text=0.4, defined=worth)
    defines.names = [("Shelf", SymbolKind.CLASS)]
    assert order("Shelf", chunk(1, "uses.py"), defines) == ["defines.py", "uses.py"]


def test_tests_examples_and_documents_come_after_code_unless_they_are_asked_for() -> None:
    several = (
        chunk(1, "tests/test_lend.py"),
        chunk(2, "examples/show.py"),
        chunk(3, "manual.md", language="markdown"),
        chunk(4, "lend.py", text=0.9),
    )
    assert order("lend a book", *several)[0] == "lend.py"
    assert order("tests that lend a book", *several)[0] == "tests/test_lend.py"
    assert (
        order("readme on renewing a book", chunk(3, "manual.md", language="markdown"), chunk(4, "other.py", text=0.9))[
            0
        ]
        == "manual.md"
    )


def test_one_file_does_not_fill_the_answer() -> None:
    found = order(
        "books",
        *(chunk(number, "many.py", file=1, text=1 - number / 100) for number in range(8, 0, -1)),
        chunk(9, "one.py", text=0.5),
    )
    assert found.count("many.py") == 4
    assert "one.py" in found


def test_a_file_with_several_good_chunks_comes_before_one_with_a_single_better_one() -> None:
    assert (
        order(
            "books",
            chunk(1, "one.py", text=1.0),
            *(chunk(number, "about.py", file=2, text=0.9) for number in (2, 3, 4)),
        )[0]
        == "about.py"
    )


@pytest.mark.parametrize(
    ("question", "path"), [("Shelf.put", "Shelf.put"), ("lib::Shelf::put", "lib.Shelf.put"), ("Shelf#put", "Shelf.put")]
)
def test_a_name_may_say_what_it_stands_in(question: str, path: str) -> None:
    asked = read(question)
    assert (asked.is_name, asked.path, asked.names) == (True, path, ("put",))
    own, other = defined("put", SymbolKind.METHOD, "lib.Shelf.put"), defined("put", SymbolKind.METHOD, "lib.Bag.put")
    assert definition(asked, "put", own, 0) > definition(asked, "put", other, 0)


def test_of_several_definitions_the_most_used_is_meant() -> None:
    asked = read("Shelf")
    assert definition(asked, "Shelf", defined("Shelf", references=90), 90) > definition(
        asked, "Shelf", defined("Shelf", references=1), 90
    )


def test_neighbouring_chunks_are_one_hit_and_leave_room_for_others() -> None:
    first, second = chunk(1, "a.py", file=1), chunk(2, "a.py", text=0.9, file=1)
    second.line_start, second.line_end = 21, 45
    hits = ranked("late books", first, second, chunk(3, "b.py", text=0.5))
    assert [(hit.path, hit.line_start, hit.line_end) for hit in hits] == [("a.py", 1, 45), ("b.py", 1, 20)]


def test_a_definition_that_is_asked_for_by_its_name_stays_alone() -> None:
    first, second = chunk(1, "a.py", file=1, defined=2.5), chunk(2, "a.py", text=0.9, file=1)
    second.line_start, second.line_end = 21, 45
    assert ranked("Shelf", first, second)[0].line_end == 20


def test_a_chunk_whose_definition_is_called_like_the_question_comes_first() -> None:
    named, other = chunk(1, "z.py"), chunk(2, "a.py")
    named.names = [("renew_loan", SymbolKind.FUNCTION)]
    assert [hit.path for hit in ranked("how loans are renewed", other, named)] == ["z.py", "a.py"]


def test_what_many_files_use_comes_before_what_nobody_uses() -> None:
    assert [hit.path for hit in ranked("late books", chunk(1, "a.py"), chunk(2, "z.py"), users={2: 50})] == [
        "z.py",
        "a.py",
    ]


def test_a_file_that_good_ones_use_is_lent_some_of_their_worth() -> None:
    found = (chunk(1, "best.py"), chunk(2, "a.py", text=0.5), chunk(3, "z.py", text=0.5))
    assert [hit.path for hit in ranked("late books", *found, users={3: 1}, links=[(1, 3)])] == [
        "best.py",
        "z.py",
        "a.py",
    ]


def test_a_name_that_stands_everywhere_asks_for_nothing_in_a_sentence() -> None:
    assert distinctiveness(3, 10_000) == distinctiveness(1, 10_000) == 1.0
    assert 1.0 > distinctiveness(200, 10_000) > distinctiveness(2_000, 10_000) > 0.0
    assert distinctiveness(10_000, 10_000) == distinctiveness(0, 0) == 0.0
