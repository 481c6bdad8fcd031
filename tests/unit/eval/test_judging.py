"""A judge of answers that finds the right ones right in every form, and the wrong ones wrong."""

from __future__ import annotations

import json

import pytest

from tests.eval.judging import Known, compared, judge
from tests.eval.known_answers import repositories
from tests.eval.places import places

FILES = frozenset({"library/loans.py", "library/fines.py", "tests/test_loans.py"})
CALLERS = Known(
    must=["library/loans.py:10-20 Loan.lend"], every=["library/fines.py:5-9 fine", "tests/test_loans.py:30-40 test_late"],
    allowed=["library/loans.py:1"], must_not=["library/fines.py:50-60 unrelated"], exact_rows=True,
)  # fmt: skip


def an_object(path: str, name: str, start: int, site: int) -> dict[str, object]:
    sites = [{"file_path": path, "line": site, "column": 4}]
    return {
        "name": name,
        "qualified_name": f"x.{name}",
        "file_path": path,
        "line_start": start,
        "line_end": start + 9,
        "sites": sites,
    }


OBJECTS = json.dumps(
    {
        "results": [
            an_object("library/loans.py", "lend", 10, 14),
            an_object("library/fines.py", "fine", 5, 7),
            an_object("tests/test_loans.py", "test_late", 30, 31),
        ]
    }
)
GROUPED = json.dumps(
    {
        "results": {
            "library/loans.py": ["14:20 Loan.lend"],
            "library/fines.py": ["7:4 fine"],
            "tests/test_loans.py": ["31:8 test_late", "33:8 test_late"],
        }
    }
)
LISTED = "method   lend\n  library/loans.py:10\n\nfunction  fine\n  library/fines.py:5\n\nfunction test_late\n  tests/test_loans.py:30\n"
BY_FILE = "library/loans.py\n  method  lend:10\n\nlibrary/fines.py\n  function  fine:5\n\ntests/test_loans.py\n  function  test_late:30\n"
GREPPED = "library/loans.py:14:    fine(self)\nlibrary/fines.py:7:    fine()\ntests/test_loans.py:31:    fine(3)\n"
FOLDED = json.dumps(
    {
        "results": {
            "library/": {"loans.py": ["14:20 Loan.lend"], "fines.py": ["7:4 fine"]},
            "tests/test_loans.py": ["31 test_late"],
        }
    }
)
SITES = json.dumps(
    {
        "results": [
            {"name": "lend", "site": "library/loans.py:14:20"},
            {"name": "fine", "site": "library/fines.py:7:4"},
            {"name": "test_late", "site": "tests/test_loans.py:31:8"},
        ]
    }
)
RIGHT = {
    "folded": FOLDED,
    "sites": SITES,
    "objects": OBJECTS,
    "grouped": GROUPED,
    "listed": LISTED,
    "by file": BY_FILE,
    "grepped": GREPPED,
}


@pytest.mark.parametrize("form", RIGHT)
def test_a_right_answer_is_right_in_every_form(form: str) -> None:
    verdict = judge(CALLERS, RIGHT[form], FILES)
    assert (verdict.right, verdict.recall, verdict.precision) == (True, 1.0, 1.0), verdict


@pytest.mark.parametrize("form", RIGHT)
def test_an_answer_without_what_has_to_be_there_is_wrong(form: str) -> None:
    less = RIGHT[form].replace("library/loans.py", "library/elsewhere.py").replace('"loans.py"', '"elsewhere.py"')
    verdict = judge(CALLERS, less, FILES)
    assert not verdict.right
    assert "library/loans.py:10-20 Loan.lend" in verdict.missing


@pytest.mark.parametrize(("old", "new"), [("14", "24"), ("lend", "borrow"), ("library/loans.py", "library/fines.py")])
def test_a_wrong_line_is_only_made_good_by_the_right_name(old: str, new: str) -> None:
    changed = GROUPED.replace(old, new)
    assert judge(CALLERS, changed, FILES).right is (old != "library/loans.py")
    both = GROUPED.replace("14:20", "24:20").replace("Loan.lend", "Loan.borrow")
    assert not judge(CALLERS, both, FILES).right


def test_a_column_or_a_count_is_no_line() -> None:
    known = Known(must=["library/loans.py:20"])
    assert not judge(known, '{"results": {"library/loans.py": ["14:20 lend"]}}', FILES).right
    assert not judge(known, "method lend — library/loans.py:14 (20 of 24):\n", FILES).right
    assert judge(known, "method lend — library/loans.py:20 (1 of 24):\n", FILES).right


def test_a_false_claim_makes_an_answer_wrong_unless_it_is_called_a_possibility() -> None:
    value = json.loads(GROUPED)
    value["results"]["library/fines.py"].append("55:1 unrelated")
    verdict = judge(CALLERS, json.dumps(value), FILES)
    assert (verdict.right, verdict.false) == (False, ["library/fines.py:50-60 unrelated"])
    value["results"]["library/fines.py"][-1] += " possible"
    assert judge(CALLERS, json.dumps(value), FILES).right
    value = json.loads(GROUPED) | {"possible": {"library/fines.py": ["55:1 unrelated"]}}
    assert judge(CALLERS, json.dumps(value), FILES).right


def test_too_many_rows_that_are_not_true_make_an_answer_wrong() -> None:
    value = json.loads(GROUPED)
    value["results"]["library/loans.py"] += [f"{line}:1 other" for line in range(70, 75)]
    verdict = judge(CALLERS, json.dumps(value), FILES)
    assert not verdict.right
    assert verdict.precision == pytest.approx(4 / 9)


def test_nine_of_ten_of_a_list_are_enough_and_eight_are_not() -> None:
    names = [f"member{at}" for at in range(10)]
    known = Known(
        every=[f"library/loans.py:{at + 1} {name}" for at, name in enumerate(names)], within="library/loans.py"
    )

    def outline(count: int) -> str:
        return json.dumps({"results": [f"{at + 1}-{at + 1} def {name}" for at, name in enumerate(names[:count])]})

    assert [judge(known, outline(count), FILES).right for count in (10, 9, 8)] == [True, True, False]


@pytest.mark.parametrize("text", ["", "{}", '{"results": []}', '{"results": {}}', "no callers", "[]", "null"])
def test_an_empty_answer_is_wrong(text: str) -> None:
    assert not judge(CALLERS, text, FILES).right
    assert not judge(Known(), text, FILES).right


def test_one_of_several_places_can_be_enough() -> None:
    known = Known(must=[["library/loans.py:14", "text:fee = 2"]])
    assert judge(known, '{"snippet": "fee = 2"}', FILES).right
    assert judge(known, "library/loans.py:14", FILES).right
    assert not judge(known, "library/loans.py:15: fee = 3", FILES).right


def test_a_name_is_a_whole_word() -> None:
    known = Known(must=["name:lend"])
    assert not judge(known, "lend_all calendar", FILES).right
    assert judge(known, '{"a": "Loan.lend()"}', FILES).right


def test_numbered_source_below_a_heading_is_of_its_file() -> None:
    text = "**`library/loans.py`** — lend\n\n```python\n13\tclass Loan:\n14\t    def lend(self):\n```\n"
    known = Known(must=["library/loans.py:14 lend"])
    assert judge(known, text, FILES).right
    assert not judge(known, text.replace("library/loans.py", "library/fines.py"), FILES).right


def test_a_snippet_is_no_proof_of_lines_that_it_leaves_out() -> None:
    hit = {
        "path": "library/loans.py",
        "lines": [1, 90],
        "symbols": ["x.Loan"],
        "snippet": "class Loan:\n…40:\n    def lend(self):\n",
    }
    text = json.dumps({"results": [hit]})
    assert judge(Known(must=["library/loans.py:38-44"]), text, FILES).right
    assert judge(Known(must=["library/loans.py:60-70 lend"]), text, FILES).right
    assert not judge(Known(must=["library/loans.py:60-70 extend"]), text, FILES).right


def test_a_path_of_a_longer_path_is_not_named() -> None:
    assert not places("see old/library/loans.py:14", FILES)
    assert places("see library/loans.py.", FILES)[0].path == "library/loans.py"


def test_right_beats_wrong_and_then_the_smaller_answer_wins() -> None:
    assert compared((True, 9_000), (False, 1)) == "won"
    assert compared((False, 1), (True, 9_000)) == "lost"
    assert compared((False, 1), (False, 9_000)) == "even"
    assert compared((True, 100), (True, 109)) == "even"
    assert compared((True, 100), (True, 120)) == "won"
    assert compared((True, 120), (True, 100)) == "lost"


def test_the_questions_are_25_and_name_targets() -> None:
    asked = [question for one in repositories() for question in one.question]
    assert [question.number for question in asked] == list(range(1, 26))
    assert sum(bool(question.peer) for question in asked) == 12
    assert all(question.known.must or question.known.every for question in asked)
    assert not any(judge(question.known, "", FILES).right for question in asked)
