"""One tool call from name to answer."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base import limits
from codeagentd.base.paths import Jail
from codeagentd.model.engine_status import Watermark
from codeagentd.serve.tool_calls import FIRST_INDEX_S, FRESH_PATIENCE_S, PATIENCE_S, Calls, ToolSelection
from codeagentd.store.connection import ReaderPool
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool_of

BEFORE, AFTER = Watermark(1, "head", True), Watermark(2, "head", True)


class Said(msgspec.Struct):
    """An answer."""

    seq: int


def ask(ctx) -> Said:
    """Tell the number of the call."""
    return Said(ctx.seq)


class Engine:
    """Tells what it was asked for."""

    def __init__(self, error=None):
        self.synced = []
        self.error = error

    def on_demand(self, question, patience_s):
        return contextlib.nullcontext()

    def sync(self, patience_s, wait_for_first_s):
        if self.error:
            raise self.error
        self.synced.append((patience_s, wait_for_first_s))
        return BEFORE

    def watermark(self):
        return AFTER


@pytest.fixture
def selection():
    return ToolSelection(
        [tool_of(ask, "engine", name="a.read"), tool_of(ask, "engine", name="a.status", needs_index=False)]
    )


def answer(engine, selection, name, **more):
    jail = Jail(Path("/"))
    calls = Calls(
        engine,
        lambda session, seq, window: Context(
            jail.root, ReaderPool(Path("none"), 1), engine, jail, lambda path, is_directory: False, session, seq, window
        ),
    )
    return calls.answer(selection, name, {}, b"S", 42, **more)


def test_the_index_is_brought_up_to_the_question_before_a_tool_that_needs_it(selection):
    engine = Engine()
    answered = answer(engine, selection, "a.read")
    assert (answered.answer.structured, answered.watermark) == ({"seq": 42}, BEFORE)
    assert engine.synced == [(PATIENCE_S, FIRST_INDEX_S)]


def test_a_caller_may_wish_to_wait_for_everything(selection):
    engine = Engine()
    answer(engine, selection, "a.read", fresh="wait")
    assert engine.synced == [(FRESH_PATIENCE_S, FRESH_PATIENCE_S)]


def test_a_checkout_during_the_call_leaves_its_answer_without_a_commit_to_belong_to(selection, monkeypatch):
    monkeypatch.setattr(Engine, "watermark", lambda self: Watermark(2, "another", True))
    answered = answer(Engine(), selection, "a.read")
    assert (answered.watermark.head, answered.watermark.caught_up) == ("another", False)


@pytest.mark.parametrize("fresh", [None, "", "now", 5, ["wait"]])
def test_any_other_wish_changes_nothing(selection, fresh):
    engine = Engine()
    answer(engine, selection, "a.read", fresh=fresh)
    assert engine.synced == [(PATIENCE_S, FIRST_INDEX_S)]


def test_a_tool_that_needs_no_index_waits_for_nothing(selection):
    engine = Engine()
    assert answer(engine, selection, "a.status").watermark == AFTER
    assert engine.synced == []


@pytest.mark.parametrize("name", ["a.read", "a_read"])
def test_a_tool_is_found_under_both_spellings(selection, name):
    assert answer(Engine(), selection, name).answer.structured == {"seq": 42}


@pytest.mark.parametrize(
    ("error", "code", "too_late"),
    [(EngineUnavailable("closing"), "engine_unavailable", True), (RuntimeError("secret words"), "internal", False)],
)
def test_an_engine_in_trouble_is_an_error_and_no_exception(selection, error, code, too_late):
    answered = answer(Engine(error), selection, "a.read")
    assert answered.answer.is_error
    assert answered.answer.structured["error"]["code"] == code
    assert "secret" not in answered.answer.text
    assert answered.came_too_late is too_late
    assert not answered.watermark.caught_up


def test_an_engine_in_trouble_is_told_in_the_form_of_the_tools_errors():
    in_trouble = Engine(EngineUnavailable("closing", remedy="ask again"))
    flat = answer(in_trouble, ToolSelection([tool_of(ask, "memory", flat_errors=True)]), "ask").answer
    assert flat.structured == {"error": "closing: ask again", "code": "DB_ERROR"}
    framed = answer(
        in_trouble, ToolSelection([tool_of(ask, "retrieval", envelope=lambda name, ctx: Said(ctx.seq))]), "ask"
    ).answer
    assert framed.structured == {
        "seq": 42,
        "error": {"code": "engine_unavailable", "message": "closing", "remedy": "ask again"},
    }
    assert (flat.code, framed.code) == ("engine_unavailable", "engine_unavailable")


def test_a_tool_that_is_not_offered_is_told_from_those_that_are(selection):
    error = answer(Engine(), selection, "a.reed").answer.structured["error"]
    assert error["message"] == "Unknown tool: a.reed"
    assert error["remedy"].startswith("did you mean 'a.read'")


def test_a_slow_call_is_told_to_the_log_without_its_arguments(selection, monkeypatch, caplog):
    monkeypatch.setattr(limits, "SLOW_CALL_S", 0.0)
    answer(Engine(), selection, "a.read")
    (record,) = [record for record in caplog.records if record.getMessage() == "slow call"]
    assert (record.facts["tool"], record.facts["generation"], set(record.facts)) == (
        "a.read",
        1,
        {"tool", "ms", "generation"},
    )


def test_a_quick_call_is_told_to_nobody(selection, caplog):
    answer(Engine(), selection, "a.read")
    assert caplog.records == []
