"""Answers before the first index is there: true, in seconds, and plain about what is not known yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness.on_demand import shops
from tests.harness.waiting import comes
from tests.harness.window import Answer, Window
from tests.harness.world import World

SHOPS = 120  # 1,200 files: a first index of seconds


@pytest.fixture
def repo(world: World) -> Path:
    return world.repository("shops", shops(SHOPS))


@pytest.fixture
def window(world: World, repo: Path) -> Window:
    return world.connect(repo, "--toolsets", "all")


def sites(answer: Answer) -> set[tuple[str, str]]:
    return {(item["qualified_name"], item["file_path"]) for item in answer.items}


@pytest.mark.limit(180)
def test_callers_are_known_before_the_index_is_whole_and_are_the_same_afterwards(window: Window, repo: Path) -> None:
    assert comes(lambda: not window.call("get_callers", {"node_id": "c_pay_7"}).failed)
    early = window.must("get_callers", {"node_id": "c_pay_7"})
    assert not early.watermark["caught_up"]
    assert "The index is being built" in early.data["note"]
    assert "This answer covers the 4 files that mention c_pay_7" in early.data["note"]
    assert sites(early) == {("help", "c/shop6.c"), ("c_sell_7", "c/shop7.c")}
    assert comes(lambda: window.must("get_callers", {"node_id": "c_pay_7"}).watermark["caught_up"], 120)
    late = window.must("get_callers", {"node_id": "c_pay_7"})
    assert sites(late) == sites(early)
    assert [item["node_id"] for item in late.items] == [item["node_id"] for item in early.items]
    assert "being built" not in str(late.data.get("note"))


@pytest.mark.limit(180)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_symbols", {"query": "py_pay_9"}),
        ("search_code", {"query": "py_pay_9 amount"}),
        ("get_source_spans", {"node_id": "py_pay_9"}),
        ("get_references", {"node_id": "Till9.py_pay_9"}),
        ("get_file_outline", {"path": "py/shops/till9.py"}),
        ("find_symbol", {"name": "py_pay_9"}),
        ("get_dependents", {"node_id": "py/shops/till9.py"}),
    ],
)
def test_each_tool_finds_what_a_question_names(window: Window, tool: str, arguments: dict[str, Any]) -> None:
    answers = []

    def finds() -> bool:  # a busy machine may need more than one question's time
        answers.append(window.must(tool, arguments))
        return "till9" in str(answers[-1].data)

    assert comes(finds)
    assert "The index is being built" in str(answers[0].data)


@pytest.mark.limit(180)
def test_what_nothing_mentions_does_not_exist(window: Window) -> None:
    def says_so() -> bool:
        answer = window.call("get_callers", {"node_id": "nothing_is_called_so"})
        assert answer.error_code == "not_found"
        return "No file that mentions nothing_is_called_so" in str(answer.data)

    assert comes(says_so)


@pytest.mark.limit(180)
def test_the_index_on_demand_is_named_by_status_and_gone_afterwards(world: World, window: Window, repo: Path) -> None:
    assert comes(lambda: window.finds("GoPay3"))
    assert world.status(repo)["on_demand_files"]
    assert comes(lambda: world.status(repo)["caught_up"], 120)
    assert not world.status(repo)["on_demand_files"]
    assert not [*Path(world.base).rglob("on-demand*")]
