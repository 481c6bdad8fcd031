"""Whatever a model passes, its answer has nothing empty, false or null, and costs no more than the answer of a program."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from codeagent_protocol.errors import INTERNAL
from codeagentd.query.retrieval.tokens import estimate
from codeagentd.serve.tool_calls import ToolSelection
from codeagentd.toolkit.call import Answer, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.offered_tools import without_tools
from codeagentd.toolkit.tool import Effect, Tool
from codeagentd.toolkit.toolsets import DEFAULT_TOOLS, EVERYTHING, load, select
from tests.harness.arguments import arguments
from tests.harness.asking import blanks
from tests.harness.served import surroundings
from tests.snapshots.library import LIBRARY

CATALOGUE = load("codeagentd.tools")
OF_MODELS = {tool.name: tool for tool in select(CATALOGUE, toolsets=EVERYTHING, rows="compact")}
OF_DEFAULT = ToolSelection(select(CATALOGUE))
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "12"))
RANDOM = "FUZZ_EXAMPLES" in os.environ
NAMES = (
    "fine", "Book", "spine", "Atlas.spine", "Loan.give_back", "library.loans.lend", "RATE", "nothing", "", "library/loans.py", "library/loans.py:11",
    "library/loans.py:11:15", "library/books.py:1-9", "library", "tests/test_counter.py", "desk/counter.py:99", "what does a late book cost",
    "MATCH (a)-[:CALLS]->(b) RETURN a", "MATCH (a:Class) RETURN a.name", "HEAD", "main", "[", "\0", "CA", "calls",
)  # fmt: skip
examples = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=not RANDOM, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("library"), LIBRARY) as context:
        yield context


@pytest.fixture(scope="module")
def words(context: Context) -> tuple[str, ...]:
    found = run(CATALOGUE["search_symbols"], context, {"query": "spine"}).structured["results"]
    memory = run(CATALOGUE["store"], context, {"type": "knowledge", "content": "fines", "title": "kept"}).structured
    task = run(CATALOGUE["create_task"], context, {"project": "CA", "name": "tidy up"}).structured
    return (*NAMES, *(item["node_id"] for item in found), memory["id"], task["task_id"])


def holds_for_a_model(answer: Answer) -> None:
    assert answer.code != INTERNAL, answer.text
    assert json.loads(answer.text) == answer.structured
    assert not answer.rendered
    own = {
        name: value for name, value in answer.structured.items() if name != "metadata"
    }  # as the client has stored it
    assert not list(blanks(own)), answer.text
    if answer.is_error:
        assert answer.code


@pytest.mark.limit(300)
@pytest.mark.parametrize("name", [name for name, tool in OF_MODELS.items() if tool.effect is not Effect.EXEC])
def test_a_compact_answer_has_no_blanks_and_is_no_longer_than_a_full_one(
    context: Context, words: tuple[str, ...], name: str
) -> None:
    tool = OF_MODELS[name]

    @examples
    @given(arguments(tool.input_schema, words))
    def holds(given_arguments: Any) -> None:
        answer = run(tool, context, given_arguments)
        holds_for_a_model(answer)
        if tool.effect is Effect.READ:
            full = run(CATALOGUE[name], context, given_arguments)
            assert answer.code == full.code
            assert estimate(answer.text) <= estimate(full.text), f"{answer.text}\n\n{full.text}"

    holds()


def test_what_a_client_has_stored_comes_back_as_it_was(context: Context) -> None:
    metadata = {"done": False, "by": "", "tags": [None, []], "counts": {"late": 0}}
    stored = run(OF_MODELS["store"], context, {"type": "knowledge", "content": "fines are due", "metadata": metadata})
    assert run(OF_MODELS["read"], context, {"id": stored.structured["id"]}).structured["metadata"] == metadata


def foreign_advice(answer: Answer, selection: ToolSelection) -> list[str]:
    """The tools that an answer names although the session does not have them. Names of one word are also plain words."""
    error = answer.structured.get("error", {})
    fields = error if isinstance(error, dict) else {"remedy": error}  # in the form of page 004 it is one text
    texts = (fields.get("message", ""), fields.get("remedy", ""), answer.structured.get("note", ""))
    return [tool for tool in selection.missing if "_" in tool and any(tool in text for text in texts)]


def advises_to_use_only(selection: ToolSelection, tool: Tool, context: Context, words: tuple[str, ...]) -> bool:
    """Whether the tool's answer, whatever it is passed, names none of the tools that the session does not have. An
    answer that does is raised with its arguments.
    """

    @examples
    @given(arguments(tool.input_schema, words))
    def holds(given_arguments: Any) -> None:
        answer = without_tools(run(tool, context, given_arguments), selection.missing)
        holds_for_a_model(answer)
        assert not foreign_advice(answer, selection), answer.text

    holds()
    return True


@pytest.mark.limit(300)
@pytest.mark.parametrize("name", DEFAULT_TOOLS)
def test_advice_names_only_tools_of_the_session(context: Context, words: tuple[str, ...], name: str) -> None:
    tool = OF_DEFAULT.find(name)
    assert tool is not None
    assert advises_to_use_only(OF_DEFAULT, tool, context, words)


@pytest.mark.limit(300)
@pytest.mark.parametrize("name", [name for name, tool in OF_MODELS.items() if tool.effect is not Effect.EXEC])
def test_a_session_with_one_tool_is_advised_to_use_no_other(
    context: Context, words: tuple[str, ...], name: str
) -> None:
    tool = OF_MODELS[name]
    assert advises_to_use_only(ToolSelection([tool]), tool, context, words)
