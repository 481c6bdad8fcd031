"""Examples to learn ranking from: the candidates of a question as the product finds them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.eval.questions import Target
from tests.eval.sets import COMMIT, DOCSTRING, Asked, Measure, Set
from tests.ranking.examples import COLUMNS, QUESTION, Example, examples

FILES = {
    "loans.py": "def lend(book):\n    book.lent = True\n\n\ndef renew(book):\n    '''Keep the book for longer.'''\n    book.due += 14\n",
    "shelf.py": "class Shelf:\n    '''Where books stand.'''\n\n    def put(self, book):\n        self.books.append(book)\n",
    "tests/test_loans.py": "from loans import renew\n\n\ndef test_a_book_is_kept_longer():\n    renew(book)\n",
}


def made(place: Path, question: str, measure: Measure, target: Target, *names: tuple[str, str]) -> list[Example]:
    root = place / "tree"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    asked = Asked(root, question, (target,), names)
    return [*examples(Set("any", measure, {"any": [asked]}), root, [asked], place / "index")]


def test_a_question_is_asked_with_and_without_vectors(tmp_path: Path) -> None:
    with_vectors, by_words = made(tmp_path, "keep a book longer", COMMIT, Target("loans.py"))
    assert (with_vectors.has_meaning, by_words.has_meaning) == (True, False)
    similarity = COLUMNS.index("piece.similarity")
    assert not np.isnan(with_vectors.learned(0).rows[:, similarity]).all()
    assert np.isnan(by_words.learned(0).rows[:, similarity]).all()
    assert len(by_words.learned(0).question) == len(QUESTION)


def test_a_file_is_answered_by_its_best_piece_and_by_what_was_changed_in_it(tmp_path: Path) -> None:
    example = made(tmp_path, "keep a book longer", COMMIT, Target("loans.py"), ("loans.py", "renew"))[1]
    (answer,) = [piece for piece, answers in zip(example.pieces, example.answers, strict=True) if answers]
    assert answer.path == "loans.py"
    assert "renew" in [name for name, _ in answer.names]


def test_a_function_is_answered_by_the_piece_that_shows_it(tmp_path: Path) -> None:
    example = made(tmp_path, "where books stand", DOCSTRING, Target("shelf.py", 4, 5))[1]
    assert [piece.path for piece, answers in zip(example.pieces, example.answers, strict=True) if answers] == [
        "shelf.py"
    ]


@pytest.mark.parametrize(("first", "figure"), [("loans.py", 1.0), ("shelf.py", 0.5)])
def test_scores_are_judged_as_the_hits_that_they_give(tmp_path: Path, first: str, figure: float) -> None:
    example = made(tmp_path, "keep a book longer", COMMIT, Target("loans.py"))[1]
    scores = [1.0 if piece.path == first else 0.0 for piece in example.pieces]
    assert example.judged(Set("any", COMMIT, {}), scores) == (figure,)
