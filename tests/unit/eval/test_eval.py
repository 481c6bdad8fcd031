"""`make eval` on a small repository."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.eval.__main__ import main
from tests.eval.questions import Question, Target, questions
from tests.eval.reading import searched, whole_files


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


def test_the_table_says_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "corpora/library").mkdir(parents=True)
    (tmp_path / "corpora/library/fines.py").write_text(
        "def fine(loan):\n    '''What a late book costs.'''\n    return 2\n"
    )
    asked = [
        {"_notice": "made up"},
        {"repo": "library", "query": "late book", "targets": [{"file": "fines.py", "start": 1, "end": 3}]},
    ]
    (tmp_path / "asked.jsonl").write_text("\n".join(map(json.dumps, asked)))
    assert [question.query for question in questions(tmp_path / "asked.jsonl")["library"]] == ["late book"]
    monkeypatch.setattr(
        sys, "argv", ["eval", "--questions", str(tmp_path / "asked.jsonl"), "--corpora", str(tmp_path / "corpora")]
    )
    assert main() == 0
    told = capsys.readouterr().out
    assert "1 questions, 1 repositories, model no, tokens estimated" in told
    assert "search_code limit 10, budget 2000   1.000  1.000" in told


def test_without_data_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["eval"])
    monkeypatch.delenv("EVAL_QUESTIONS", raising=False)
    assert main() == 2
    assert "--questions" in capsys.readouterr().err
