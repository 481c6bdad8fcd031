"""The first answer about a repository: who calls what most of it depends on."""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagent_protocol.endpoint import Endpoint
from codeagentd.cli.commands.tool_commands import content_of
from codeagentd.cli.daemon_client.client import Json, ask_daemon
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.rendering.console import Paint, count
from codeagentd.cli.rendering.source_places import Place

CANDIDATES: Final = 10  # most used symbols, of which the first is taken that has a caller
CALLERS: Final = 5  # shown
WATERMARK: Final = "codeagent/index"


class FirstAnswer(NamedTuple):
    """A command about the repository, what its tool answers, and how fresh that is."""

    symbol: str
    content: Json
    watermark: Json


def first_answer(endpoint: Endpoint) -> FirstAnswer | None:
    """Ask the daemon who calls the most used symbol that has callers; None when there is none. Errors: those of the
    tools.
    """
    for god in content_of(endpoint, "architecture_overview", limit=CANDIDATES)["god_nodes"]:
        call = {"tool": "get_callers", "arguments": {"node_id": god["name"], "limit": CALLERS}}
        answer = ask_daemon(endpoint, call)
        if not answer.get("isError") and answer["structuredContent"]["results"]:
            return FirstAnswer(god["name"], answer["structuredContent"], answer["_meta"][WATERMARK])
    return None


def lines_of(answer: FirstAnswer, paint: Paint, place: Place) -> list[str]:
    """Return the answer as the command prints it that asks the same, with that command and how fresh the answer is."""
    command = f"who calls what most files depend on? (codeagentd callers {answer.symbol} --limit {CALLERS})"
    return [
        paint(command, "bold"),
        *tool_answers.callers(answer.content, paint, place),
        paint(fresh(answer.watermark), "dim"),
    ]


def fresh(watermark: Json) -> str:
    """Return the freshness of an answer in words."""
    pending = watermark.get("pending_files") or 0
    lag = f"{count(pending, 'changed file')} not indexed yet" if pending else "still being indexed"
    state = "everything that is saved is in it" if watermark.get("caught_up") else lag
    branch = f", branch {watermark['branch']}" if watermark.get("branch") else ""
    return f"from generation {watermark.get('generation')} of the index: {state}{branch}"
