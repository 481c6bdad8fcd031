"""Budgets: an answer has no more tokens than were asked for, as it is sent, whatever the symbol is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load, select
from tests.harness.served import surroundings

FULL: Final = load("codeagentd.tools")
COMPACT: Final = {tool.name: tool for tool in select(FULL, toolsets="all", rows="compact")}
BUDGETS: Final = (100, 200, 500, 1200, 3000)
LEAST_OF_PROGRAMS: Final = 500  # below it the fields that a full answer always has leave no room

STEPS: Final = "".join(f"    amount = amount + step_of({n})  # the step {n} of many\n" for n in range(600))
METHODS: Final = "".join(
    f"    def method_{n}(self, first: int, second: str = 'default') -> dict[str, int]:\n"
    f'        """Do the thing number {n}."""\n        return requests.get(first)\n\n'
    for n in range(300)
)
QUOTED: Final = '"quoted" ' * 1_500
USERS: Final = 2_000
IN_A_FILE: Final = 50


def user(number: int) -> str:
    return f"def user_{number}(value):\n    return hub(value)\n\n\n"


FILES: Final = {
    "shop/long.py": f'def long_function(amount):\n    """Adds up what is due, step by step."""\n{STEPS}    return amount\n\n\ndef step_of(number):\n    return number\n',
    "shop/huge.py": f'import requests\n\nLIMIT = 10\n\n\nclass Huge:\n    """Has everything."""\n\n{METHODS}',
    "shop/hub.py": "def hub(value):\n    return value\n",
    "shop/lines.py": f"WORDS = '{'word ' * 3_000}'\n\n\ndef wide():\n    return '{QUOTED}'\n",
    "shop/prose.py": 'def documented():\n    """Short.\n\n' + "    A line of documentation, which says little.\n" * 300 + '    """\n    return 1\n',
    "web/over.ts": "".join(f"export function over(a{n}: number, b: string): Map<string, number>;\n" for n in range(60))
    + "export function over(...args: any[]): any {\n  return 1;\n}\n",
    "web/table.ts": "export const TABLE = {\n" + "".join(f"  key{n}: 'value {n}',\n" for n in range(800)) + "};\n"
    "export enum Many {\n" + "".join(f"  MEMBER_{n} = {n},\n" for n in range(400)) + "}\n",
    "tests/test_hub.py": "from shop.hub import hub\n\n\n" + "".join(f"def test_hub_{n}():\n    assert hub({n}) == {n}\n\n\n" for n in range(60)),
    **{
        f"users/package_{first % 8}/module_{first}.py": "from shop.hub import hub\n\n\n" + "".join(map(user, range(first, first + IN_A_FILE)))
        for first in range(0, USERS, IN_A_FILE)
    },
}  # fmt: skip
SYMBOLS: Final = (
    "long_function", "step_of", "Huge", "Huge.method_3", "shop/huge.py", "shop.huge", "LIMIT", "hub", "over", "TABLE", "Many", "Many.MEMBER_3",
    "requests.get", "requests", "wide", "WORDS", "documented", "users/package_0/module_0.py", "shop/long.py:40",
)  # fmt: skip
QUESTIONS: Final = ("hub", "Huge", "method_3", "requests.get", "how are the steps added up", "what uses the hub value")


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("budgets"), FILES) as found:
        yield found


def answered(ctx: Context, form: str, tool: str, **arguments: Any) -> tuple[dict[str, Any], int]:
    """An answer, and its tokens as it is sent."""
    answer = run((COMPACT if form == "compact" else FULL)[tool], ctx, arguments)
    assert not answer.is_error, answer.text
    return answer.structured, ctx.tokens(answer.text)


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("form", ["compact", "full"])
def test_a_description_stays_within_its_budget_and_shows_the_symbol(
    ctx: Context, form: str, budget: int, symbol: str
) -> None:
    answer, tokens = answered(ctx, form, "describe_symbol", symbol=symbol, token_budget=budget)
    assert answer.get("source") or answer["signature"]
    if form == "compact" or budget >= LEAST_OF_PROGRAMS:
        assert tokens <= budget


@pytest.mark.parametrize("symbol", ["long_function", "Huge", "hub", "shop/huge.py", "over", "documented"])
def test_a_description_with_room_shows_source(ctx: Context, symbol: str) -> None:
    answer, _ = answered(ctx, "compact", "describe_symbol", symbol=symbol)
    assert answer.get("source") or answer["members"]


def test_a_description_without_room_for_all_places_says_so(ctx: Context) -> None:
    answer, _ = answered(ctx, "compact", "describe_symbol", symbol="over", token_budget=200)
    assert len(answer["definitions"]) == 3
    assert "only the first 3 of its places are listed" in answer["note"]


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("budget", BUDGETS[1:])
@pytest.mark.parametrize("form", ["compact", "full"])
def test_what_is_affected_stays_within_its_budget(ctx: Context, form: str, budget: int, symbol: str) -> None:
    _, tokens = answered(ctx, form, "affected", label=symbol, token_budget=budget)
    assert tokens <= budget


@pytest.mark.parametrize("form", ["compact", "full"])
def test_the_dependents_of_a_hub_fill_the_usual_budget_and_are_counted(ctx: Context, form: str) -> None:
    answer, tokens = answered(ctx, form, "affected", label="hub")
    assert 1_500 < tokens <= 2_500
    assert int(answer["message"].partition(" ")[0]) >= USERS
    assert "only the first" in answer["note"]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("tool", ["search_code", "explain_code"])
def test_a_search_stays_within_its_budget_and_finds_something(
    ctx: Context, tool: str, budget: int, question: str
) -> None:
    answer, tokens = answered(ctx, "compact", tool, query=question, token_budget=budget)
    assert tokens <= budget
    assert answer.get("results") or answer.get("recommended_reads")


@pytest.mark.parametrize("tool", ["search_code", "explain_code"])
def test_the_definition_that_is_asked_for_comes_before_what_is_around_it(ctx: Context, tool: str) -> None:
    answer, _ = answered(ctx, "compact", tool, query="hub", token_budget=100)
    assert answer["results"][0].startswith("shop/hub.py:1-2 hub\n")
