"""Whatever a client passes, a tool answers with what its schema promises or with a coded error."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from codeagent_protocol.errors import INTERNAL, CodedError
from codeagentd.toolkit.call import checked, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect
from codeagentd.toolkit.toolsets import load
from tests.harness.arguments import WORDS, arguments
from tests.harness.asking import validate
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
HARMLESS = [name for name, tool in CATALOGUE.items() if tool.effect is not Effect.EXEC]
RUNS_CODE = [name for name, tool in CATALOGUE.items() if tool.effect is Effect.EXEC]
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "12"))  # of each tool; `make faults` tries 100, other ones each time
RANDOM = "FUZZ_EXAMPLES" in os.environ
FILES = {
    "shop/cart.py": "from shop.price import Price\n\n\nclass Cart(Price):\n    def total(self, items):\n        return [self.of(item) for item in items]\n",
    "shop/price.py": 'class Price:\n    def of(self, item):\n        """What it costs."""\n        return 1\n',
    "web/app.ts": "export interface Shelf { lend(n: number): string }\nexport class Wall implements Shelf { lend(n: number) { return `${n}` } }\n",
    "README.md": "# Shop\n\nSee `Cart`.\n",
    "empty.py": "",
}
examples = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=not RANDOM, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("fuzz"), FILES) as context:
        yield context


@pytest.fixture(scope="module")
def ids(context: Context) -> list[str]:
    """Ids that lead somewhere: symbols, a memory, a task."""
    found = run(CATALOGUE["search_symbols"], context, {"query": "Cart"}).structured["results"]
    memory = run(
        CATALOGUE["store"], context, {"type": "knowledge", "content": "worth keeping", "title": "kept"}
    ).structured
    task = run(CATALOGUE["create_task"], context, {"project": "CA", "name": "tidy up"}).structured
    return [*(item["node_id"] for item in found), memory["id"], task["task_id"]]


@pytest.mark.limit(300)
@pytest.mark.parametrize("name", HARMLESS)
def test_any_arguments_get_an_answer_of_the_promised_shape_or_a_coded_error(
    context: Context, ids: list[str], name: str
) -> None:
    tool = CATALOGUE[name]

    @examples
    @given(arguments(tool.input_schema, (*ids, *WORDS)))
    def holds(given_arguments: Any) -> None:
        answer = run(tool, context, given_arguments)
        assert answer.code != INTERNAL, answer.text
        assert json.loads(answer.text) == answer.structured
        if answer.is_error:
            assert answer.code
        else:
            validate(tool.name, answer.structured)

    holds()


@pytest.mark.parametrize("name", RUNS_CODE)
def test_arguments_of_a_tool_that_runs_code_are_checked_before_anything_runs(name: str) -> None:
    tool = CATALOGUE[name]

    @examples
    @given(arguments(tool.input_schema, WORDS))
    def holds(given_arguments: Any) -> None:
        with contextlib.suppress(CodedError):
            assert isinstance(checked(tool, given_arguments), tool.parameters)

    holds()


def test_after_all_that_the_index_answers_as_before(context: Context) -> None:
    found = run(CATALOGUE["search_symbols"], context, {"query": "Cart", "limit": 1}).structured["results"]
    assert [item["name"] for item in found] == ["Cart"]
    assert context.engine.status().watermark.caught_up
