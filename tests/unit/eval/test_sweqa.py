"""`make eval-sweqa`: what answers cite, what texts show, and the whole of it on a small repository through a real shim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.eval.gold import Names, cited
from tests.eval.shown import CHARACTERS, beginning, named_files, shown_lines
from tests.eval.sweqa import RIPGREP, RIPGREP_PROGRAM, half_of, kind_of, main
from tests.eval.word_search import source_of, word_search, words_of
from tests.harness.world import GIT_IDENTITY

FILES = frozenset({"src/library/loans.py", "src/library/app.py", "src/shop/app.py", "docs/loans.rst", "setup.cfg"})
NAMES = Names(FILES)


@pytest.mark.parametrize(
    ("answer", "files"),
    [
        ("see `src/library/loans.py`.", {"src/library/loans.py"}),
        ("see library/loans.py and loans.rst", {"src/library/loans.py", "docs/loans.rst"}),
        ("at /data/library/src/library/loans.py:3", {"src/library/loans.py"}),
        ("in `app.py`", set()),
        ("in `src/shop/app.py`; `app.py` also", {"src/shop/app.py"}),
        ("nowhere.py, loans.pyc, obj.py.attr and e.g. this", set()),
        ("(setup.cfg)", {"setup.cfg"}),
    ],
)
def test_gold_files_are_those_that_exist_and_are_meant_alone(answer: str, files: set[str]) -> None:
    assert cited(answer, NAMES).files == files


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("`src/library/loans.py` (lines 4-6)", {4, 5, 6}),
        ("`loans.py:4-6` and loans.py:9", {4, 5, 6, 9}),
        ("lines 4-5, 7 and 9 of `loans.py`", {4, 5, 7, 9}),
        ("In loans.py, `lend` (line 12) calls it.", {12}),
        ("line 12 of something", set()),
        ("loans.py is 100 lines long, 5 lines more", set()),
    ],
)
def test_gold_lines_belong_to_the_file_that_is_named_with_them(answer: str, lines: set[int]) -> None:
    assert cited(answer, NAMES).lines == {("src/library/loans.py", line) for line in lines}


def test_a_line_of_a_file_that_follows_is_not_of_the_one_before() -> None:
    answer = "As in src/library/loans.py (lines 1-2), and (lines 8-9 in `src/shop/app.py`)."
    assert cited(answer, NAMES).lines == {
        ("src/library/loans.py", 1), ("src/library/loans.py", 2), ("src/shop/app.py", 8), ("src/shop/app.py", 9),
    }  # fmt: skip


def test_only_whole_paths_in_the_beginning_of_an_answer_are_named() -> None:
    text = "src/library/loans.py" + " " * CHARACTERS + "src/shop/app.py, old/src/library/app.py"
    assert named_files(beginning(text), FILES) == {"src/library/loans.py"}
    assert named_files(text, FILES) == {"src/library/loans.py", "src/shop/app.py"}


def test_snippets_show_the_lines_that_they_have() -> None:
    hits = [
        {
            "path": "src/library/loans.py",
            "lines": [3, 30],
            "snippet": "def lend(self):\n    x = 1\n…\n…20:\n    return x\n…",
        },
        {"path": "src/shop/app.py", "lines": [1, 9], "snippet": "…5:\nsell()"},
        {"path": "setup.cfg", "lines": [1, 9]},
    ]
    shown = shown_lines(json.dumps({"results": hits}, ensure_ascii=False), FILES)
    loans = {("src/library/loans.py", line) for line in (3, 4, 20)}
    assert shown == loans | {("src/shop/app.py", 5)}


def test_a_search_and_numbered_source_show_their_lines() -> None:
    assert shown_lines("setup.cfg:7:x = 1\nsrc/shop/app.py:9:y", FILES) == {("setup.cfg", 7), ("src/shop/app.py", 9)}
    assert shown_lines("**`setup.cfg`**\n12\t[a]\n13\tb = 1\n", FILES) == {("setup.cfg", 12), ("setup.cfg", 13)}


def test_the_search_for_words_puts_lines_with_most_of_them_first() -> None:
    texts = {"a.py": "def late():\n    return fee\n", "b.py": "late fee of a book\nbook\n", "c.py": "MAX_FEE = 3\n"}
    sources = {path: source_of(text.encode()) for path, text in texts.items()}
    assert word_search("What is the late fee of the book?", sources).splitlines()[0] == "b.py:1:late fee of a book"
    assert words_of("What is the `max_fee` of the Book?") == {"max_fee": 2, "book": 1}
    assert word_search("What max_fee does it have?", sources) == "c.py:1:MAX_FEE = 3"
    assert word_search("what is it?", sources) == ""
    assert len(word_search("late", {f"{at}.py": source_of(b"late" * 40) for at in range(900)})) == CHARACTERS


def test_halves_are_by_the_text_alone() -> None:
    halves = [half_of(f"question {at}") for at in range(400)]
    assert 150 < halves.count("dev") < 250
    assert halves == [half_of(f"question {at}") for at in range(400)]


def test_the_tables_say_what_one_call_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpora/flask"
    corpus.mkdir(parents=True)
    (corpus / "fines.py").write_text("def fine(loan):\n    '''What a late book costs.'''\n    return 2\n")
    (corpus / "notes.md").write_text("# Opening hours\n\nThe library opens at nine.\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=corpus, env=GIT_IDENTITY | {"PATH": "/usr/bin:/bin"}, check=True)
    asked = [
        {"question": "What does a late book cost?", "answer": "It is in `fines.py` (lines 1-3)."},
        {"question": "What is nowhere?", "answer": "Nothing, see nowhere.py."},
    ]
    (tmp_path / "flask.jsonl").write_text("\n".join(map(json.dumps, asked)))
    options = ["--questions", str(tmp_path), "--corpora", str(tmp_path / "corpora"), "--repos", "flask"]
    assert main([*options, "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)
    (scored,) = run["scored"]
    assert run["left_out"] == 1
    third = (1.0, pytest.approx(1 / 3))
    ways = {"search_code": (1.0, 1.0), "explain_code": (1.0, 1.0), "words": third}
    ways |= {RIPGREP: third} if RIPGREP_PROGRAM else {}
    assert {way: (seen["files"], seen["lines"]) for way, seen in scored["seen"].items()} == ways


def test_gold_files_are_told_apart_by_kind() -> None:
    paths = ["tests/x.py", "a/testing/x.py", "docs/x.rst", "src/attestation.py", "conftest.py"]
    assert [kind_of(path) for path in paths] == ["tests", "tests", "documentation", "source", "tests"]


def test_without_data_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--questions", str(tmp_path), "--corpora", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "flask is left out" in told
    assert "--questions" in told
