"""`make eval` on a small repository."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.eval.__main__ import main
from tests.eval.questions import Question, Target
from tests.eval.reading import searched, whole_files
from tests.harness.world import World


def test_a_target_is_met_in_its_file_and_span() -> None:
    question = Question("library", "late book", [Target("fines.py"), Target("loans.py", 5, 9)])
    assert question.recall([("fines.py", 90, 99)]) == 0.5
    assert question.recall([("loans.py", 1, 4), ("loans.py", 10, 12), ("a/fines.py", 1, 2)]) == 0
    assert question.recall([("loans.py", 9, 12), ("fines.py", 1, 1)]) == 1


def test_without_an_index_one_reads_files_or_around_what_is_found() -> None:
    texts = {"fines.py": "\n".join(["x"] * 20 + ["late_book = 1"] + ["y"] * 20), "loans.py": "late = 1\nbook = 2\n"}
    question = Question("library", "the late book", [Target("fines.py")])
    assert whole_files(question, texts, len) == len(texts["fines.py"])
    places, tokens = searched(question, texts, len)
    assert places == [("fines.py", line, line) for line in range(16, 27)]
    assert tokens == len(
        "\n".join(f"fines.py:{line}:{texts['fines.py'].splitlines()[line - 1]}" for line in range(16, 27))
    )


def write(path: Path, *rows: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)))


@pytest.fixture
def evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run `make eval` on a library in each of the sets."""
    source = "def fine(loan):\n    return loan.days * 2\n\n\nclass Shelf:\n    def lend(self, book):\n        book.lent = True\n        return book\n"
    for folder in ("semble/library", "stripped/library", "corpora/commit-library"):
        (tmp_path / "lab" / folder).mkdir(parents=True)
        (tmp_path / "lab" / folder / "fines.py").write_text(source)
    data, truth = tmp_path / "data", tmp_path / "data/truth/dev/search"
    spans = {"file": "fines.py", "start": 1, "end": 2}
    write(
        data / "semble/dev.jsonl",
        {"_notice": "made up"},
        {"repo": "library", "query": "fine of a loan", "targets": [spans]},
    )
    write(truth / "doc-library.jsonl", {"query": "lends a book", "file": "fines.py", "line_start": 6, "line_end": 8})
    write(truth / "commit-library.jsonl", {"query": "Raise the fine of a loan", "files": ["fines.py"]})

    def run(*options: str) -> int:
        monkeypatch.setattr(sys, "argv", ["eval", "--data", str(data), "--corpora", str(tmp_path / "lab"), *options])
        return main()

    return run


def test_the_tables_say_what_was_found(evaluated: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated("--each") == 0
    told = capsys.readouterr().out
    assert "model no, tokens estimated" in told
    for name, figure in (("semble, dev", "NDCG@10"), ("docstrings", "function MRR@10"), ("commits", "file MRR@10")):
        assert re.search(rf"{name} +{figure} +1 +1 +1\.000 \[1\.000, 1\.000\]", told)
    assert "search_code limit 10, budget 2000   1.000  1.000" in told


def test_a_set_and_a_repository_can_be_chosen(
    evaluated: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluated("--sets", "commits", "--repos", "library") == 0
    told = capsys.readouterr().out
    assert "commits" in told
    assert "semble" not in told


def test_bug_reports_are_asked_in_the_tree_of_their_commit(
    evaluated: Callable[..., int], tmp_path: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    origin = tmp_path / "mirrors/acme+library/repo"
    origin.mkdir(parents=True)
    world.git(origin, "init", "-q", "-b", "main")
    (origin / "fines.py").write_text("def fine(loan):\n    return loan.days * 2\n")
    world.commit(origin, "fines")
    report = {
        "id": "one", "repo": "acme/library", "base_commit": world.git(origin, "rev-parse", "HEAD").strip(),
        "text": "The fine of a loan is wrong\n\nIt is twice what it should be.", "files": ["fines.py"],
        "functions": ["fines.py:fine"],
    }  # fmt: skip
    write(tmp_path / "data/issues/dev.jsonl", report, report | {"id": "gone", "base_commit": "0" * 40})
    assert evaluated("--mirrors", str(tmp_path / "mirrors"), "--sets", "bug reports") == 0
    told = capsys.readouterr().out
    for figure in ("file @1", "file @5", "file @10", "function @5"):
        assert re.search(rf"bug reports +{figure} +1 +1 +1\.000", told)


def test_without_data_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["eval"])
    monkeypatch.delenv("EVAL_DATA", raising=False)
    assert main() == 2
    assert "--data" in capsys.readouterr().err
