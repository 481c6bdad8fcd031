"""A call: arguments in, one JSON object out, whatever happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest

from codeagent_protocol.errors import NotFound
from codeagentd.base.log import JsonLines
from codeagentd.base.paths import Jail
from codeagentd.store.connection import ReaderPool
from codeagentd.toolkit.call import Answer, run, unknown_tool
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool_of
from tests.unit.tools.surroundings import RecordingEngine

SECRET = "".join(chr(97 + number * 7 % 26) for number in range(20))


class Echo(msgspec.Struct):
    """What was understood."""

    word: str
    times: int
    share: float
    flags: list[str]
    loud: bool


def echo(
    ctx: Context,
    word: Annotated[str, msgspec.Meta(min_length=2)],
    times: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1,
    share: Annotated[float, msgspec.Meta(le=1)] = 0.5,
    flags: Annotated[list[str], msgspec.Meta(max_length=2)] | None = None,
    loud: bool = False,
) -> Echo:
    """Say it again."""
    if word == "bug":
        raise KeyError(SECRET)
    if word == "gone":
        raise NotFound("x" * 5_000, remedy="look elsewhere", parameter="word")
    return Echo(word, times, share, flags or [], loud)


ECHO = tool_of(echo, "test")


@pytest.fixture
def ctx(tmp_path: Path) -> Context:
    return Context(
        tmp_path,
        ReaderPool(tmp_path / "none.db", 1),
        RecordingEngine(),
        Jail(tmp_path),
        lambda path, is_directory: False,
    )


def error_of(answer: Answer) -> dict[str, Any]:
    assert answer.is_error
    found: dict[str, Any] = answer.structured["error"]
    return found


def test_an_answer_is_the_same_json_as_value_and_as_text(ctx: Context) -> None:
    answer = run(ECHO, ctx, {"word": "hé", "times": 2, "flags": ["a"]})
    assert answer.structured == {"word": "hé", "times": 2, "share": 0.5, "flags": ["a"], "loud": False}
    assert json.loads(answer.text) == answer.structured
    assert ": " not in answer.text
    assert not answer.is_error


def test_numbers_are_taken_as_json_means_them(ctx: Context) -> None:
    assert run(ECHO, ctx, {"word": "ok", "times": 3.0, "share": 1}).structured["times"] == 3


@pytest.mark.parametrize(
    ("arguments", "parameter", "message"),
    [
        ({}, "word", "word is required"),
        ({"word": "ok", "flags": ["a", 1]}, "flags", "flags[1] cannot be 1"),
        ({"word": "ok", "flags": [None]}, "flags", "flags[0] cannot be null"),
        ({"word": "ok", "flags": [["a"], "b"]}, "flags", "flags[0] cannot be a list of 1 items"),
        (None, "word", "word is required"),
        ({"word": None}, "word", "word cannot be null"),
        ({"word": "a"}, "word", "word cannot be 'a'"),
        ({"word": "ok", "times": 0}, "times", "times cannot be 0"),
        ({"word": "ok", "times": 2.5}, "times", "times cannot be 2.5"),
        ({"word": "ok", "times": True}, "times", "times cannot be true"),
        ({"word": "ok", "times": float("nan")}, "times", "times cannot be nan"),
        ({"word": "ok", "times": 10**400}, "times", None),
        ({"word": "ok", "share": 2}, "share", "share cannot be 2"),
        ({"word": "ok", "flags": ["a", "b", "c"]}, "flags", "flags cannot be a list of 3 items"),
        ({"word": "ok", "flags": [1]}, "flags", "flags[0] cannot be 1"),
        ({"word": "ok", "flags": {"a": 1}}, "flags", "flags cannot be an object"),
        ({"word": "ok", "loud": 1}, "loud", "loud cannot be 1"),
        ({"word": "ok", "wrod": 1}, "wrod", "unknown parameter 'wrod'"),
        ({"word": "o\0k"}, "word", "word contains a NUL character"),
        ({"word": "\udcff\udcff"}, "word", None),
        ({"word": "ok", "flags": ["\0"]}, "flags", "flags contains a NUL character"),
        ({"word": "ok", "\ud800": 1}, "?", None),
        ({"word": "ok", 5: 1}, "5", "unknown parameter '5'"),
        ([1], "arguments", "arguments must be an object"),
        ("word", "arguments", "arguments must be an object"),
    ],
)
def test_bad_arguments_are_told_what_they_should_be(
    ctx: Context, arguments: object, parameter: str, message: str | None
) -> None:
    answer = run(ECHO, ctx, arguments)
    error = error_of(answer)
    assert (error["code"], error["parameter"]) == ("invalid_parameter", parameter)
    assert message is None or error["message"] == message
    assert error["remedy"]
    assert json.loads(answer.text) == answer.structured


def test_what_may_be_given_is_said_once(ctx: Context) -> None:
    error = error_of(run(ECHO, ctx, {"word": "ok", "times": 0}))
    assert (error["message"], error["remedy"]) == ("times cannot be 0", "pass an integer from 1 to 9")


def test_a_text_beyond_all_measure_is_too_large(ctx: Context) -> None:
    error = error_of(run(ECHO, ctx, {"word": "x" * 10_001}))
    assert (error["code"], error["parameter"], error["limit"]) == ("too_large", "word", 10_000)


def test_coded_errors_keep_code_facts_and_remedy_and_are_short(ctx: Context) -> None:
    error = error_of(run(ECHO, ctx, {"word": "gone"}))
    assert (error["code"], error["remedy"], error["parameter"]) == ("not_found", "look elsewhere", "word")
    assert len(error["message"]) <= 601


def test_a_bug_is_an_internal_error_whose_place_is_logged_under_its_id(
    ctx: Context, caplog: pytest.LogCaptureFixture
) -> None:
    answer = run(ECHO, ctx, {"word": "bug"})
    error = error_of(answer)
    assert error["code"] == "internal"
    assert error["id"] in error["message"]
    (record,) = caplog.records
    line = json.loads(JsonLines().format(record))
    assert (line["id"], line["tool"], line["error"]) == (error["id"], "echo", "KeyError")
    assert "in echo" in line["at"]
    assert SECRET not in answer.text + json.dumps(line)


def test_an_unknown_tool_is_an_error_that_names_it_and_those_like_it() -> None:
    error = error_of(unknown_tool("get_caller", ["get_callees", "get_callers", "read_file"]))
    assert (error["code"], error["message"]) == ("not_found", "Unknown tool: get_caller")
    assert error["remedy"].startswith("did you mean 'get_callers' or 'get_callees'? tools/list names")


def test_an_unknown_tool_like_no_other_is_told_where_the_names_are() -> None:
    assert error_of(unknown_tool("zzzzzz", ["read_file"]))["remedy"].startswith("tools/list names")


def test_an_unknown_parameter_is_told_which_one_it_may_be_and_which_there_are(ctx: Context) -> None:
    error = error_of(run(ECHO, ctx, {"words": "ok"}))
    assert error["message"] == "unknown parameter 'words'"
    assert error["remedy"].startswith("did you mean 'word'? the parameters are: word, ")
    assert error_of(run(ECHO, ctx, {"zzzzzz": "ok"}))["remedy"].startswith("the parameters are: word, ")


class Around(msgspec.Struct):
    """What the answers of a tool always have."""

    tool: str


def test_an_error_has_what_the_tools_answers_always_have_and_is_told_even_if_that_fails(ctx: Context) -> None:
    framed = tool_of(echo, "test", envelope=lambda name, _: Around(name))
    for word in ("gone", "bug", "x"):
        answer = run(framed, ctx, {"word": word})
        assert answer.structured.keys() == {"tool", "error"}
        assert answer.structured["tool"] == "echo"
    broken = tool_of(echo, "test", envelope=lambda name, _: Around({}[name]))
    assert error_of(run(broken, ctx, {"word": "gone"}))["code"] == "not_found"


def test_a_toolset_may_have_errors_in_one_text_with_a_code(ctx: Context) -> None:
    flat = tool_of(echo, "test", flat_errors=True)
    for arguments, code, text in (
        ({"word": "gone"}, "NOT_FOUND", "…: look elsewhere"),
        ({"word": 5}, "VALIDATION_ERROR", "word cannot be 5: pass a string of at least 2 characters"),
        ({}, "VALIDATION_ERROR", "word is required"),
        ({"word": "bug"}, "DB_ERROR", "the log has the details"),
    ):
        answer = run(flat, ctx, arguments)
        assert answer.is_error
        assert answer.structured.keys() == {"error", "code"}
        assert answer.structured["code"] == code
        assert text in answer.structured["error"]
        assert SECRET not in answer.text
