"""The figures of languages: what counts as right, on two small sides and on a real index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.eval.languages import indexed
from tests.eval.languages.corpora import corpora, folder
from tests.eval.languages.facts import Definition, Score, Use, of_definitions, of_uses

LEND, FIRST = Definition("shelf.lua", 1, "lend"), Definition("shelf.lua", 2, "first")


def test_a_kind_that_does_not_count_makes_the_other_side_right() -> None:
    ours = [(LEND, "function"), (FIRST, "field")]
    theirs = [(LEND, "label"), (FIRST, "function")]
    found = of_definitions(ours, theirs, ["function"], ["function"])
    assert found.score == Score(ours=1, right=1, theirs=1, had=1)


def test_what_one_side_alone_defines_is_wrong_or_missing() -> None:
    found = of_definitions([(LEND, "function")], [(FIRST, "function")], (), ())
    assert (found.wrong, found.missing, found.score.f1) == ([LEND], [FIRST], 0.0)


def test_a_use_is_right_when_any_place_of_its_target_is_the_one_that_is_expected() -> None:
    use = Use("shelf.lua", 4, 0, "lend", ("shelf.lua", 1))
    clause = use._replace(target=("shelf.lua", 2))
    assert of_uses([(use, frozenset({("shelf.lua", 1), ("shelf.lua", 2)}))], [clause]).score.f1 == 1.0
    assert of_uses([(use, frozenset({("shelf.lua", 1)}))], [clause]).wrong == [use]


def test_uses_in_files_that_the_other_side_has_not_read_do_not_count() -> None:
    use = Use("shelf.lua", 4, 0, "lend", ("shelf.lua", 1))
    assert of_uses([(use, frozenset())], [use._replace(path="book.lua", target=None)]).score == Score()


def test_a_score_of_two_repositories_is_that_of_their_sums() -> None:
    together = Score(ours=2, right=1, theirs=4, had=1).plus(Score(ours=2, right=2, theirs=2, had=2))
    assert (together.precision, together.recall) == (0.75, 0.5)
    assert together.f1 == pytest.approx(0.6)


def test_an_index_says_what_a_language_defines_and_what_refers_to_it(tmp_path: Path) -> None:
    root = tmp_path / "library"
    root.mkdir()
    (root / "shelf.lua").write_text("local function lend() end\n\nlend()\n")
    (root / "shelf.py").write_text("def give(): pass\n")
    with indexed.indexed(root) as rows:
        assert indexed.files(rows, "lua") == ["shelf.lua"]
        assert [*indexed.definitions(rows, "lua")] == [(LEND, "function")]
        assert [use.target for use, _ in indexed.uses(rows, "lua")] == [("shelf.lua", 1)]


def test_each_repository_has_a_folder_and_a_commit() -> None:
    names = [name for corpus in corpora().values() for name in corpus.repositories]
    assert all(len(name.partition("@")[2]) == 40 for name in names)
    assert folder("bazelbuild/rules_go@87e66bb") == "rules_go"
