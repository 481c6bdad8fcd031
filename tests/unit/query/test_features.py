"""What is known of a question's candidates, as numbers."""

from __future__ import annotations

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.query.retrieval.features import Candidate, Facts, OfFile, OfPiece, OfQuestion, described
from codeagentd.query.retrieval.question import read

TOTAL = 1_000


def facts(question: str, counted: dict[str, int] | None = None, **known: object) -> Facts:
    asked = read(question)
    return Facts(asked, counted or dict.fromkeys(asked.words, 10), TOTAL, **known)  # type: ignore[arg-type]  # named in each test


def candidate(number: int, path: str = "a.py", file: int = 0, line: int = 1, **values: object) -> Candidate:
    return Candidate(number, file or number, path, "python", line, line + 9, reasons=[], **values)  # type: ignore[arg-type]  # named in each test


def of_piece(question: str, **values: object) -> OfPiece:
    ((_, features),) = described(facts(question), [candidate(1, **values)]).files[0].pieces  # type: ignore[arg-type]
    return features


def of_file(question: str, path: str, **known: object) -> OfFile:
    return described(facts(question, **known), [candidate(1, path)]).files[0].features


def of_question(question: str) -> OfQuestion:
    return described(facts(question), []).question


def test_a_name_counts_by_how_much_of_it_and_of_the_question_agree() -> None:
    names = {
        name: of_piece("renew a loan", names=[(name, SymbolKind.FUNCTION)]) for name in ("renew_loan", "loan", "shelf")
    }
    assert (names["renew_loan"].name, names["renew_loan"].name_share) == (1.0, 1.0)
    assert 0.0 < names["loan"].name < 1.0
    assert names["shelf"].name == 0.0
    assert (names["loan"].is_type, names["loan"].is_other) == (0.0, 1.0)


def test_a_rare_word_is_more_of_the_question_than_a_common_one() -> None:
    question = facts("overdue books", {"overdue": 2, "books": 400})
    rare, common = (
        described(question, [candidate(1, names=[(name, SymbolKind.FUNCTION)])]).files[0].pieces[0][1].name_share
        for name in ("overdue", "books")
    )
    assert rare > 0.8 > common > 0.0


@pytest.mark.parametrize(
    ("path", "share"),
    [("desk/loan_rules.py", 1.0), ("desk/loan_shelf.py", 0.5), ("rules/index.ts", 1.0), ("a.py", 0.0)],
)
def test_a_file_counts_by_the_share_of_its_name_or_of_its_folder_s_if_it_stands_for_that(
    path: str, share: float
) -> None:
    assert of_file("loan rules", path).stem == share


def test_a_name_may_be_the_beginning_of_a_word_or_another_form_of_it() -> None:
    assert (of_file("configuration", "config.py").stem, of_file("configuration", "config.py").like) == (0.0, 1.0)
    assert of_file("persistence", "persistent.py").like > 0.0
    assert of_file("persistence", "person.py").like == 0.0


def test_tests_count_as_such_unless_the_question_is_about_tests() -> None:
    assert of_file("late books", "tests/test_books.py").is_test
    assert not of_file("tests of late books", "tests/test_books.py").is_test


def test_the_pieces_of_a_file_are_ordered_by_what_speaks_for_them() -> None:
    several = [candidate(number, "a.py", file=1, line=20 * number, text=number / 4) for number in range(1, 4)]
    (file,) = described(facts("late books", sizes={1: 6}), several).files
    assert [(piece.id, features.rank) for piece, features in file.pieces] == [(3, 0), (2, 1), (1, 2)]
    assert (file.features.pieces, file.features.matched) == (3, 0.5)


def test_a_file_gets_from_the_best_ones_that_use_it_the_less_the_more_use_it() -> None:
    several = [candidate(1, "best.py", text=1.0), candidate(2, "b.py"), candidate(3, "c.py")]
    known = facts("late books", users={2: 1, 3: 80}, links=[(1, 2), (1, 3)])
    linked = {file.pieces[0][0].path: file.features.linked for file in described(known, several).files}
    assert linked["b.py"] > linked["c.py"] > 0.0


def test_without_vectors_nothing_is_known_of_meaning() -> None:
    features = of_file("late books", "a.py")
    assert (features.meaning, features.similarity, features.most_similar) == (None, None, None)
    assert of_piece("late books").similarity is None


def test_a_description_is_told_from_a_topic_by_its_grammar() -> None:
    described_one, topic = of_question("Returns a book to the shelf"), of_question("shelf and loan rules")
    assert (described_one.third_person, topic.third_person) == (1.0, 0.0)
    assert described_one.articles > topic.articles == 0.0
    assert topic.conjunctions > 0.0
    assert of_question("how are loans renewed").is_interrogative
