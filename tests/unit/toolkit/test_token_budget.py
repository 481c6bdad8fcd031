"""Answers that would be too long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.errors import TooLarge
from codeagentd.base.paths import Jail
from codeagentd.query.retrieval.tokens import estimate
from codeagentd.store.connection import ReaderPool
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.token_budget import MAX_TOKENS, ToolOutput, cut, fitting
from tests.unit.tools.surroundings import RecordingEngine

Json = dict[str, Any]


@pytest.fixture
def ctx(tmp_path: Path) -> Context:
    return Context(
        tmp_path,
        ReaderPool(tmp_path / "none.db", 1),
        RecordingEngine(),
        Jail(tmp_path),
        lambda path, is_directory: False,
    )


def listed(count: int, **more: Any) -> Json:
    return {"results": [f"item number {number}" for number in range(count)], **more}


def test_what_fits_is_made_once(ctx: Context) -> None:
    made: list[float] = []

    def make(narrowed: Context) -> ToolOutput:
        made.append(narrowed.room)
        return ToolOutput(listed(100))

    assert fitting(ctx, make, True, True).value == listed(100)
    assert made == [1.0]


def test_a_list_is_made_again_with_less_room_until_it_fits_and_little_is_wasted(ctx: Context) -> None:
    value, text, _ = fitting(
        ctx, lambda narrowed: ToolOutput(listed(narrowed.most(50_000), next_cursor="x")), True, True
    )
    assert 0.7 * MAX_TOKENS < estimate(text) <= MAX_TOKENS
    assert value == listed(len(value["results"]), next_cursor="x")


def test_a_list_without_further_pages_gets_a_note(ctx: Context) -> None:
    value, text, _ = fitting(
        ctx, lambda narrowed: ToolOutput(listed(narrowed.most(50_000), note="first come, first served")), True, True
    )
    assert value["note"] == "first come, first served; cut off at 25,000 tokens"
    assert estimate(text) <= MAX_TOKENS
    assert "note" not in fitting(ctx, lambda narrowed: ToolOutput(listed(narrowed.most(50_000))), False, True).value


def test_texts_are_cut_where_nothing_else_gives_way(ctx: Context) -> None:
    value, text, _ = fitting(
        ctx, lambda narrowed: ToolOutput({"name": "word " * 100_000, "lines": [1, 2]}), False, True
    )
    assert estimate(text) <= MAX_TOKENS
    assert value["name"].endswith("…")
    assert value["lines"] == [1, 2]


def test_what_cannot_be_cut_is_refused(ctx: Context) -> None:
    with pytest.raises(TooLarge):
        cut(ToolOutput({"numbers": list(range(100_000))}))


def test_snippets_of_an_answer_that_was_too_long_do_not_count_as_sent(ctx: Context) -> None:
    held: list[int] = []

    def make(narrowed: Context) -> ToolOutput:
        for number in range(count := narrowed.most(50_000)):
            narrowed.delivery.hold("a.py", str(number))
        held.append(count)
        return ToolOutput(listed(count))

    fitting(ctx, make, False, True)
    assert len(ctx.delivery._pending) == held[-1] < held[0]


def test_what_a_call_has_changed_is_not_done_again(ctx: Context) -> None:
    made: list[float] = []

    def make(narrowed: Context) -> ToolOutput:
        made.append(narrowed.room)
        return ToolOutput({"errors": ["word " * 1_000] * 100})

    assert estimate(fitting(ctx, make, False, False).text) <= MAX_TOKENS
    assert made == [1.0]


def test_an_answer_in_words_counts_too(ctx: Context) -> None:
    fit = fitting(
        ctx,
        lambda narrowed: ToolOutput(
            listed(narrowed.most(3_000)), "an item in words, as people read it\n" * narrowed.most(3_000)
        ),
        False,
        True,
    )
    assert 0.7 * MAX_TOKENS < estimate(fit.text + fit.rendered) <= MAX_TOKENS
    assert len(fit.value["results"]) == fit.rendered.count("\n") < 3_000
