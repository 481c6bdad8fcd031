"""Questions that repositories answer themselves: commits, and functions by their comments."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.eval.questions import Target
from tests.eval.sets import Asked, Set
from tests.ranking import questions
from tests.ranking.questions import Repository, make, training_sets

LEND = '''"""Loans."""


def lend(book):
    """Lend a book to the reader who asked first."""
    book.lent = True
    return book


def shelve(book):
    # put back
    book.lent = False
    return book
'''
PUT_BACK = LEND.replace("book.lent = False", "book.lent = book.reader = None")
MESSAGE = f"fix(loans): forget the reader of returned books (#12)\n\n{'A returned book kept its reader. ' * 8}\n\nSigned-off-by: A\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    clone = tmp_path / "mirrors" / "desk+library"
    clone.mkdir(parents=True)

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@localhost"]
        command = ["git", *identity, "-C", str(clone / "repo"), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    subprocess.run(["git", "init", "-q", str(clone / "repo")], check=True)
    for text, message in (
        (LEND, "Begin with loans"),
        (PUT_BACK, MESSAGE),
        (PUT_BACK + "\n", "bump the version of loans"),
    ):
        (clone / "repo" / "loans.py").write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", message)
    commit = git("rev-parse", "HEAD").strip()
    (clone / "repo" / ".git").rename(clone / "bare")
    subprocess.run(["rm", "-r", str(clone / "repo")], check=True)
    (clone / "bare").rename(clone / "repo")
    monkeypatch.setattr(questions, "repositories", lambda: [Repository("desk/library", commit, True, ".")])
    monkeypatch.setattr(questions, "FEWEST", 1)
    make(tmp_path / "mirrors", tmp_path / "made")
    return tmp_path / "made"


def asked(place: Path) -> dict[str, list[Asked]]:
    return {one.name: [asked for several in one.asked.values() for asked in several] for one in training_sets(place)}


def test_a_commit_asks_for_what_it_changed_in_the_tree_before_it(place: Path) -> None:
    (commit,) = asked(place)["commits"]
    assert commit.query == "forget the reader of returned books"
    assert commit.targets == (Target("loans.py"),)
    assert ("loans.py", "shelve") in commit.functions
    assert (commit.root / "loans.py").read_text() == LEND


def test_a_message_is_asked_without_its_trailers(place: Path) -> None:
    (message,) = asked(place)["messages"]
    assert message.query.startswith("forget the reader of returned books\n\nA returned book")
    assert "Signed-off-by" not in message.query


def test_a_comment_asks_for_its_function_in_a_copy_without_it(place: Path) -> None:
    (function,) = asked(place)["docstrings"]
    assert function.query == "Lend a book to the reader who asked first"
    lines = (function.root / "loans.py").read_text().splitlines()
    (target,) = function.targets
    assert lines[(target.start or 0) - 1 : target.end] == ["def lend(book):", "    book.lent = True", "    return book"]
    assert "reader who asked" not in "".join(lines)


def test_the_sets_name_the_measure_that_judges_them(place: Path) -> None:
    sets: list[Set] = [*training_sets(place)]
    assert [(one.name, one.measure.figures) for one in sets] == [
        ("commits", ("file MRR@10",)),
        ("messages", ("file MRR@10",)),
        ("docstrings", ("function MRR@10",)),
    ]
