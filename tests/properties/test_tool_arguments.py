"""Whatever a client passes, a tool answers with what its schema promises or with a coded error."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_protocol.errors import INTERNAL, CodedError
from codeagentd.toolkit.call import checked, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect
from codeagentd.toolkit.toolsets import load
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
# What is there, what is not, what must not be reached, and what is special in some layer below: SQL, FTS5, LIKE, globs, regular expressions, CGQL, git.
WORDS = (
    "Cart", "total", "Cart.total", "shop.cart.Cart", "shop/cart.py", "shop/cart.py:4", "web/app.ts", "shop", ".", "", "/", "..", "../..", "/etc/passwd",
    "./shop/../shop/cart.py", "README.md#shop", "HEAD", "HEAD~9", "main..main", "--output=x", "-", "a" * 300, "*", "**/*.py", "[", "(", "(?P<", "%", "_%_",
    "'", '"', '"a" NEAR(', "a AND", "NOT", "shop*", "MATCH (a)-[:CALLS]->(b) RETURN a", "MATCH (a:Class) WHERE a.name =~ '(' RETURN a", "MATCH (", "\\", "\n",
    "\0", "\ud800", "é\u0301", "\u202e", "💾", "1", "-1", "0" * 32, "ff" * 16, "18446744073709551616", "1e999", "null", "2025-02-30T25:61:00Z", "2025-02-24",
    "file:///etc/passwd", "repo://shop", "#1", "{}", "[]",
)  # fmt: skip
ODD = st.sampled_from(
    (
        None,
        True,
        False,
        -1,
        0,
        1,
        2**31,
        2**63,
        2**64,
        -(2**63) - 1,
        0.5,
        1e308,
        float("inf"),
        float("nan"),
        "",
        "x",
        [],
        [[]],
        {},
        {"": None},
    )
)
VALUES = st.recursive(
    ODD | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=6,
)

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


def fitting(schema: dict[str, Any], words: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Values that a property's schema admits."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema["type"]
    if kind == "string":
        return st.sampled_from(words) | st.text(max_size=20)
    if kind == "integer":
        return st.integers(schema.get("minimum", -3), min(schema.get("maximum", 10_000), 10_000))
    if kind == "number":
        return st.floats(schema.get("minimum", -2.0), schema.get("maximum", 2.0))
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(fitting(schema.get("items", {"type": "string"}), words), max_size=4)
    if properties := schema.get("properties"):
        return objects(properties, schema.get("required", []), words)
    return st.dictionaries(st.sampled_from(words), VALUES, max_size=3)


def objects(
    properties: dict[str, Any], required: list[str], words: tuple[str, ...]
) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {name: fitting(properties[name], words) for name in required},
        optional={name: fitting(schema, words) for name, schema in properties.items() if name not in required},
    )


@st.composite
def arguments(draw: st.DrawFn, schema: dict[str, Any], words: tuple[str, ...]) -> Any:
    """Arguments as the schema has them; of one in four something is changed to what it does not say."""
    made = draw(objects(schema["properties"], schema.get("required", []), words))
    if draw(st.integers(0, 3)):
        return made
    name = draw(st.sampled_from((*schema["properties"], "unknown", "\ud800", "a" * 999)))
    return draw(
        st.sampled_from(
            (made | {name: draw(VALUES)}, {key: value for key, value in made.items() if key != name}, draw(VALUES))
        )
    )


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
