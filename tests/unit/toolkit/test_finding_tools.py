"""Tools are found by clients that show a model names alone until it searches: the right one is among the first for what agents ask."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from codeagentd.model.identifier_words import split_words
from codeagentd.query.retrieval.question import STOP_WORDS
from codeagentd.toolkit.tool import ALWAYS_LOADED, Tool
from codeagentd.toolkit.toolsets import load, select

CATALOGUE = load("codeagentd.tools")
INTENTS = {
    intent: tools.split()
    for part in tomllib.loads(Path(__file__).with_name("intents.toml").read_text()).values()
    for intent, tools in part.items()
}
FIRST = 5


def texts(value: Any) -> Iterator[str]:
    """The names and descriptions in a schema."""
    for name, schema in value.get("properties", {}).items():
        yield name
        yield schema.get("description", "")


def search_text(tool: Tool) -> str:
    """What clients search by: name, description, names and descriptions of parameters."""
    return " ".join([tool.name, *split_words(tool.name), tool.description, *texts(tool.input_schema)])


def found(tools: Sequence[Tool], intents: Sequence[str]) -> dict[str, list[str]]:
    """By intent the first tools by BM25 over English stems, as SQLite has both."""
    with apsw.Connection(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(name UNINDEXED, words, tokenize='porter unicode61')")
        db.executemany("INSERT INTO t VALUES (?, ?)", [(tool.name, search_text(tool)) for tool in tools])
        asked = {
            intent: " OR ".join(f'"{word}"' for word in split_words(intent) if word not in STOP_WORDS)
            for intent in intents
        }
        ranked = "SELECT name FROM t WHERE t MATCH ? ORDER BY bm25(t), name LIMIT ?"
        return {intent: [name for (name,) in db.execute(ranked, (match, FIRST))] for intent, match in asked.items()}


def missed(tools: Sequence[Tool], intents: dict[str, list[str]]) -> dict[str, list[str]]:
    """The intents whose right tools are not among the first, with those that are."""
    ranked = found(tools, list(intents))
    return {intent: ranked[intent] for intent, right in intents.items() if not set(right) & set(ranked[intent])}


def test_the_intents_are_a_hundred_short_ones_for_every_tool() -> None:
    assert len(INTENTS) == 100
    assert max(len(intent.split()) for intent in INTENTS) <= 10
    assert {name for right in INTENTS.values() for name in right} == {
        tool.name for tool in select(CATALOGUE, toolsets="all")
    }


def test_the_tools_that_questions_begin_with_are_never_deferred() -> None:
    always = [tool.name for tool in select(CATALOGUE) if tool.as_listed().get("_meta") == ALWAYS_LOADED]
    assert sorted(always) == ["describe_symbol", "get_references", "search_code"]


@pytest.mark.parametrize("toolsets", ["all", "default"])
def test_the_right_tool_is_among_the_first(toolsets: str) -> None:
    tools = select(CATALOGUE, toolsets=toolsets)
    names = {tool.name for tool in tools}
    intents = {intent: right for intent, right in INTENTS.items() if names & set(right)}
    few = missed(tools, intents)
    assert not few, json.dumps(few, indent=1)
