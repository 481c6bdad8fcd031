"""What a client hears of a call that goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from codeagent_protocol.messages import Hello
from codeagentd.model.engine_status import Progress
from codeagentd.serve.jsonrpc import Request
from codeagentd.serve.mcp import progress
from codeagentd.serve.mcp.progress import report
from codeagentd.serve.sessions.session import PendingRequest, Session
from codeagentd.serve.tool_calls import ToolSelection
from tests.harness.waiting import let_pass_beside

STEPS = [
    Progress(), Progress("extract", 0, 900), Progress("extract", 500, 900), Progress("extract", 500, 900), Progress("extract", 900, 900),
    Progress("resolve", 300, 900), Progress("resolve", 900, 900), Progress(),
]  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PACE_S", 0.001)


def heard(meta: object, steps: list[Progress], answer_after: int = 99) -> list[dict[str, object]]:
    """The params of every notification until the steps are over, or the call was answered."""
    lines: list[bytes] = []

    async def main() -> None:
        over = asyncio.Event()
        session = Session(
            b"S",
            Hello(),
            ToolSelection([]),
            0.0,
            lambda kind, flags, ack, payload: lines.append(payload or b""),
            lambda session: None,
        )
        asked = PendingRequest(
            Request("r", "tools/call", {"name": "x", "_meta": meta} if meta is not None else None), 1, 0
        )
        session._in_flight[str, "r"] = asked
        left: Iterator[Progress] = iter(steps)
        looks = 0

        def look() -> Progress:
            nonlocal looks
            looks += 1
            if looks == answer_after:
                session.respond("r", {})
            if (found := next(left, None)) is None:
                over.set()
                session.settle("r")
            return found or Progress()

        report(session, asked, look)
        if answer_after < 99 or not isinstance(meta, dict):
            await let_pass_beside(0.1, "nothing may be told")
        else:
            await asyncio.wait_for(over.wait(), 20)

    asyncio.run(main())
    return [
        line["params"]
        for line in map(json.loads, filter(None, lines))
        if line.get("method") == "notifications/progress"
    ]


def test_progress_rises_over_all_phases_and_is_said_once_each() -> None:
    told = heard({"progressToken": 7}, STEPS)
    assert [(one["progressToken"], one["progress"], one["total"], one["message"]) for one in told] == [
        (7, 0, 900, "extract"), (7, 500, 900, "extract"), (7, 900, 900, "extract"), (7, 1200, 1800, "resolve"), (7, 1800, 1800, "resolve"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "meta", [None, 5, {}, {"progressToken": None}, {"progressToken": True}, {"progressToken": [1]}]
)
def test_who_asks_for_no_progress_hears_of_none(meta: object) -> None:
    assert heard(meta if meta != {} else None, STEPS, answer_after=98) == []


def test_nothing_is_heard_after_the_answer() -> None:
    assert [one["progress"] for one in heard({"progressToken": "t"}, STEPS[1:], answer_after=2)] == [0, 500]


def test_work_that_goes_back_is_not_told_until_it_is_further() -> None:
    steps = [Progress("extract", 500, 900), Progress("extract", 100, 900), Progress("extract", 600, 900)]
    assert [one["progress"] for one in heard({"progressToken": "t"}, steps)] == [500, 600]
