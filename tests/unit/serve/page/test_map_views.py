"""What the page of the map shows and sends to its script, of a graph that the real engine has analysed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from codeagent_protocol.errors import EngineUnavailable, NotFound
from codeagentd.analysis.circle_layout import RIM
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.serve.page.questions import DaemonView, Json, PageRequest
from codeagentd.serve.page.templating import rendered
from codeagentd.serve.page.views import graph_map
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

PATIENCE_S = 60.0


def package(name: str) -> dict[str, str]:
    """Functions that call only each other."""
    functions = "\n\n".join(
        f"def {name}_{at}():\n" + "\n".join(f"    {name}_{other}()" for other in range(at)) + "\n    return 1"
        for at in range(8)
    )
    return {f"{name}/core.py": functions + "\n"}


FILES = (
    package("bank")
    | package("depot")
    | {
        "shop.py": "from bank.core import bank_7\n\n\ndef sell():\n    return bank_7()\n",
        "tests/test_shop.py": "from shop import sell\n\n\ndef test_sale():\n    assert sell() == 1\n",
        "guide.md": "# Guide <b>\n\n## Selling\n\n### Prices\n",
    }
)


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    load("codeagentd.tools")
    with surroundings(tmp_path_factory.mktemp("map"), FILES) as found:
        assert cast(IndexingEngine, found.engine).analysed(PATIENCE_S)
        yield found


def asked(ctx: Context, **query: str) -> PageRequest:
    return PageRequest(ctx, cast(DaemonView, None), "reader", query=query)


def data(ctx: Context, **query: str) -> Json:
    """What the script gets, as it gets it."""
    found: Json = json.loads(json.dumps(graph_map.map_data(asked(ctx, **query))))
    return found


def community(ctx: Context, name: str, **query: str) -> str:
    """The number of the community whose title has this text."""
    found = data(ctx, **query)
    return str(next(number for number, title in zip(found["ids"], found["titles"], strict=True) if name in title))


def page(ctx: Context, **query: str) -> str:
    shown = graph_map.communities(asked(ctx, **query))
    return rendered(shown.template, shown.values, only_main=True)


def every_label(ctx: Context, **query: str) -> set[str]:
    """The labels of all members on the map."""
    return {
        label
        for number in data(ctx, **query)["ids"]
        for label in graph_map.map_members(asked(ctx, community=str(number), **query))["labels"]
    }


def test_a_community_is_called_by_its_two_strongest_symbols_and_each_name_is_there_once(ctx: Context) -> None:
    found = data(ctx)
    assert len(set(found["titles"])) == len(found["titles"])
    assert any(title.count("bank_") == 2 for title in found["titles"])
    assert {len(found[name]) for name in ("ids", "titles", "folders", "sizes")} == {len(found["circles"]["x"])}
    assert found["sizes"] == sorted(found["sizes"], reverse=True)


def test_only_code_is_shown_until_tests_and_documents_are_switched_on(ctx: Context) -> None:
    code = every_label(ctx)
    assert {"bank_3()", "sell()"} <= code
    assert not {"test_sale()", "Selling"} & code
    assert every_label(ctx, tests="1") - code == {"test_sale()"}
    documents = every_label(ctx, documents="1") - code
    assert "test_sale()" not in documents
    assert any("Selling" in label for label in documents)


def test_no_file_is_a_member(ctx: Context) -> None:
    assert not set(FILES) & every_label(ctx, tests="1", documents="1")


def test_members_lie_inside_of_their_circle_and_their_pairs_are_edges(ctx: Context) -> None:
    number = community(ctx, "depot_")
    found, circles = graph_map.map_members(asked(ctx, community=number)), data(ctx)
    radius = circles["circles"]["radius"][circles["ids"].index(int(number))]
    assert all(math.hypot(x, y) <= radius - RIM + 0.1 for x, y in zip(found["x"], found["y"], strict=True))
    assert found["degrees"] == sorted(found["degrees"], reverse=True)
    pairs = {
        frozenset((found["labels"][one], found["labels"][other]))
        for one, other in zip(found["pairs"][::2], found["pairs"][1::2], strict=True)
    }
    assert frozenset(("depot_0()", "depot_7()")) in pairs
    assert len(pairs) == len(found["pairs"]) // 2 == 28  # each of eight functions calls all before it
    place = found["labels"].index("depot_0()")
    assert found["places"][place] == "depot/core.py:1"
    assert found["urls"][place].startswith("/symbol/")


def test_the_same_graph_is_sent_the_same_way(ctx: Context, tmp_path: Path) -> None:
    with surroundings(tmp_path, dict(reversed(FILES.items()))) as other:
        assert cast(IndexingEngine, other.engine).analysed(PATIENCE_S)
        again = data(other)
    once = data(ctx)
    for name in ("titles", "folders", "sizes", "circles"):
        assert again[name] == once[name]


def test_the_lists_have_what_the_map_has(ctx: Context) -> None:
    found = data(ctx)
    text = page(ctx)
    for number, title in zip(found["ids"], found["titles"], strict=True):
        assert f'href="/map?community={number}"' in text
        assert title in text
    inside = page(ctx, community=community(ctx, "bank_"))
    assert "bank_5()" in inside
    assert 'id="map-up" href="/map"' in inside
    assert 'href="/map?tests=1"' in text


def test_switches_keep_what_is_chosen_and_links_keep_the_switches(ctx: Context) -> None:
    number = community(ctx, "bank_")
    text = page(ctx, community=number, tests="1")
    assert f'href="/map?community={number}&amp;tests=1&amp;documents=1"' in text
    assert f'class="switch" href="/map?community={number}">Leave out tests' in text
    assert 'id="map-up" href="/map?tests=1"' in text


@pytest.mark.parametrize("number", ["99999999", "-1", "x", "²", "9" * 40, "1; DROP TABLE nodes"])
def test_a_part_that_is_not_there_is_said_to_be_missing(ctx: Context, number: str) -> None:
    assert "not on the map any more" in page(ctx, community=number)
    with pytest.raises(NotFound):
        graph_map.map_members(asked(ctx, community=number))


def test_without_an_analysis_the_page_says_what_it_waits_for(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.serve.page.map_places.map_version", lambda db: "")
    text = page(ctx)
    assert "being analysed" in text
    assert 'id="stage"' not in text
    with pytest.raises(EngineUnavailable):
        data(ctx)


def test_a_map_is_made_once_for_each_analysis_and_choice(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    first = data(ctx)

    def refuse(*_: Any) -> Any:
        raise AssertionError("made again")

    monkeypatch.setattr("codeagentd.serve.page.map_places.community_map", refuse)
    assert data(ctx) == first
    monkeypatch.setattr("codeagentd.serve.page.map_places.map_version", lambda db: "of the next analysis")
    with pytest.raises(AssertionError, match="made again"):
        data(ctx)


def test_every_part_stands_in_one_layer(ctx: Context) -> None:
    values = graph_map.communities(asked(ctx)).values
    assert sorted(part for row in values["layers"].rows for part in row) == [*range(len(values["communities"]))]
    assert graph_map.communities(asked(ctx, community=community(ctx, "bank"))).values["layers"] is None
