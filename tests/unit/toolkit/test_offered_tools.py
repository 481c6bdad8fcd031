"""Answers of a session advise to use only its own tools."""

from __future__ import annotations

import json

import pytest

from codeagent_protocol.errors import NotFound
from codeagentd.model.engine_status import Watermark
from codeagentd.toolkit.call import Answer, refusal
from codeagentd.toolkit.offered_tools import without_tools
from codeagentd.toolkit.staleness import with_staleness_notice

MISSING = {"search_symbols", "list_directory", "get_node"}
TURNED = "x\u202ey"


def remedy_of(remedy: str) -> str | None:
    answer = without_tools(refusal(NotFound("there is no x", remedy=remedy)), MISSING)
    assert json.loads(answer.text) == answer.structured
    error: dict[str, str] = answer.structured["error"]
    assert (error["code"], error["message"]) == ("not_found", "there is no x")
    return error.get("remedy")


@pytest.mark.parametrize(
    ("remedy", "left"),
    [
        ("read_file shows its text", "read_file shows its text"),
        ("search_symbols finds node ids by name", None),
        ("search_symbols finds names; pass a path", "pass a path"),
        ("pass a path; list_directory and get_node show some", "pass a path"),
        ("research_symbols_of_it is no tool", "research_symbols_of_it is no tool"),
    ],
)
def test_a_clause_that_names_a_tool_of_other_sessions_is_left_out(remedy: str, left: str | None) -> None:
    assert remedy_of(remedy) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("there is no task: search_symbols finds it", "there is no task"),
        ("there is no: task: search_symbols finds it; pass an id", "there is no: task: pass an id"),
        ("there is no task: pass an id", "there is no task: pass an id"),
        ("search_symbols failed", "search_symbols failed"),
    ],
)
def test_an_error_in_one_text_keeps_its_fault(text: str, left: str) -> None:
    value = {"error": text, "code": "NOT_FOUND"}
    assert without_tools(Answer(value, json.dumps(value), True), MISSING).structured["error"] == left


def test_a_note_of_which_nothing_is_left_is_gone() -> None:
    value = {"results": [], "note": "get_node has more"}
    assert without_tools(Answer(value, json.dumps(value)), MISSING).structured == {"results": []}
    value["note"] = "nothing found; get_node has more"
    assert without_tools(Answer(value, json.dumps(value)), MISSING).structured["note"] == "nothing found"


def test_an_answer_without_such_advice_stays_as_it_is() -> None:
    value = {"results": ["get_node"], "note": "nothing found"}
    answer = Answer(value, json.dumps(value))
    assert without_tools(answer, MISSING) is answer


def test_an_answer_that_was_changed_steers_no_terminal() -> None:
    value = {"results": [TURNED], "note": "get_node has more"}
    answer = Answer(value, json.dumps(value))
    for changed in (without_tools(answer, MISSING), with_staleness_notice(answer, Watermark(3, "head", False, 2))):
        assert changed.text.isascii()
        assert json.loads(changed.text)["results"] == [TURNED]
