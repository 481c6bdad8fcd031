"""No tool answers with more than 25,000 tokens, whatever the repository holds; and what comes in pages is there in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.query.retrieval.tokens import estimate
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.token_budget import MAX_TOKENS, ToolOutput, fitting
from codeagentd.toolkit.toolsets import load
from tests.harness.asking import validate
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
LONG = "quite_a_long_name_for_a_small_thing_" * 6
HUGE = "z" + "qx" * 400
CALLERS = 5_000
ENTRIES = 10_000

Json = dict[str, Any]


def repository() -> dict[str, str]:
    caller = [f"def {LONG}{number}():\n    return target()\n" for number in range(CALLERS)]
    files = {
        f"callers/{LONG[:120]}{part}.py": "from hub import target\n\n" + "\n".join(caller[part::20])
        for part in range(20)
    }
    chain = [f"def link_{LONG}{number}():\n    return link_{LONG}{number + 1}()\n" for number in range(600)]
    members = "\n".join(f"    def {LONG}{number}(self): return {number}" for number in range(1_500))
    return files | {
        "hub.py": "def target():\n    return 1\n",
        "chain.py": "\n".join(chain) + f"\ndef link_{LONG}600():\n    return 0\n",
        "large.py": f"class Large:\n{members}\n",
        "huge.py": f"def {HUGE}(): return 1\n\ndef caller_of_huge(): return {HUGE}()\n",
        "data.json": json.dumps({f"{LONG}{number}": number for number in range(1_000)}),
        "long.md": "# Late books\n\n" + "A late book is fined by the day. " * 20_000,
        "late.py": "\n".join(
            f"def late_book_{number}(book):\n    '''A late book: {LONG}.'''\n    return book.late({number})\n"
            for number in range(1_000)
        ),
    }


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("long"), repository()) as found:
        (found.root / "many").mkdir()
        for number in range(ENTRIES):
            (found.root / f"many/{LONG}{number:05}").touch()
        yield found


def answer(ctx: Context, tool: str, /, **arguments: Any) -> Json:
    """A tool's answer, which is short enough and what its schema says."""
    given = run(CATALOGUE[tool], ctx, arguments)
    assert estimate(given.text) <= MAX_TOKENS
    assert json.loads(given.text) == given.structured
    if not given.is_error:
        validate(tool, given.structured)
    return given.structured


def everything(ctx: Context, tool: str, /, **arguments: Any) -> list[Json]:
    found: list[Json] = []
    cursor: Json = {}
    while True:
        page = answer(ctx, tool, **arguments, **cursor)
        found += page["results"]
        if not page.get("next_cursor"):
            return found
        cursor = {"cursor": page["next_cursor"]}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_directory_tree", {"depth": 10}), ("get_directory_tree", {"path": "many"}), ("read_file", {"path": "long.md"}), ("read_file", {"path": "late.py"}),
        ("search_symbols", {"query": "quite", "limit": 50}), ("search_symbols", {"query": "z*", "limit": 50}), ("get_symbol", {"node_id": HUGE}),
        ("get_callers", {"node_id": HUGE}), ("get_callees", {"node_id": "caller_of_huge"}), ("get_dependencies", {"node_id": "large.Large", "limit": 500}),
        ("find_refs", {"symbol": "target", "limit": 500}), ("impact_of", {"target": "hub.py", "depth": 5, "limit": 500}),
        ("path_between", {"source": f"link_{LONG}0", "target": f"link_{LONG}600"}), ("architecture_overview", {"limit": 50}), ("index_stats", {}),
        ("describe_symbol", {"symbol": "target"}), ("describe_symbol", {"symbol": HUGE}), ("find_symbol", {"name": "late book", "limit": 50}),
        ("search_code", {"query": "late book", "limit": 50, "token_budget": 25_000, "raw": True}), ("search_code", {"query": HUGE[:900]}),
        ("explain_code", {"query": "how is a late book fined", "limit": 50, "token_budget": 25_000}), ("get_status", {}), ("healthcheck", {}),
        ("code.symbol.getDocumentSymbols", {"file_path": "large.py", "limit": 1_000}), ("code.symbol.search", {"query": "quite", "limit": 500}),
        ("code.symbol.findReferences", {"symbol_name": "target", "context_path": ".", "limit": 500}), ("code.symbol.getHoverInfo", {"symbol_name": HUGE}),
        ("code.relation.callHierarchy", {"symbol_name": "target", "limit": 500}), ("find_similar", {"node_id": "target", "limit": 50}),
        ("get_neighbors", {"label": "target"}), ("find_callers", {"label": "target"}), ("find_callees", {"label": "large.Large"}),
        ("affected", {"label": "target"}), ("get_source", {"label": HUGE, "context_lines": 400}), ("god_nodes", {"top_n": 10**6}),
        ("query_graph", {"question": "late book", "token_budget": 10**6}), ("structural_search", {"query": "MATCH (n) RETURN n.name, n.file", "limit": 10**6}),
        ("describe_node", {"label": "target"}), ("shortest_path", {"source": f"link_{LONG}0", "target": f"link_{LONG}9", "max_hops": 10**6}),
        ("code.relation.importDependencies", {"file_path": "hub.py", "limit": 500}), ("index_files", {"paths": ["x" * 9_000 + str(n) for n in range(100)]}),
    ],
)  # fmt: skip
def test_an_answer_is_never_too_long(ctx: Context, name: str, arguments: Json) -> None:
    assert "error" not in answer(ctx, name, **arguments)


def test_all_of_a_large_directory_comes_in_pages(ctx: Context) -> None:
    names = [entry["name"] for entry in everything(ctx, "list_directory", path="many")]
    assert names == [f"{LONG}{number:05}" for number in range(ENTRIES)]


def test_a_tree_that_ends_early_says_so(ctx: Context) -> None:
    tree = answer(ctx, "get_directory_tree", path="many")
    assert tree["truncated"]
    assert len(tree["children"]) > 100


def test_all_callers_come_in_pages(ctx: Context) -> None:
    found = everything(ctx, "get_callers", node_id="target", limit=500)
    assert len({caller["node_id"] for caller in found}) == len(found) == CALLERS


def test_all_of_an_outline_comes_in_pages(ctx: Context) -> None:
    found = everything(ctx, "get_file_outline", path="late.py", limit=1_000)
    assert [item["name"] for item in found] == [f"late_book_{number}" for number in range(1_000)]


def test_a_long_file_is_read_in_parts(ctx: Context) -> None:
    text, line = "", 1
    while True:
        part = answer(ctx, "read_file", path="late.py", line_start=line)
        text += part["content"]
        line += part["content"].count("\n")
        if not part["truncated"]:
            break
    assert text == (ctx.root / "late.py").read_text()


def test_what_has_no_further_page_says_that_it_was_cut_off(ctx: Context) -> None:
    found = answer(ctx, "code.symbol.search", query="quite", limit=500)
    assert 10 < len(found["results"]) < 500
    assert "cut off" in found["note"]


def test_what_an_answer_rests_on_is_computed_once(tmp_path: Path) -> None:
    rooms: list[float] = []

    def size(room: float) -> int:
        rooms.append(room)
        return 40_000

    def make(ctx: Context) -> ToolOutput:
        count = ctx.once("size", lambda: size(ctx.room))
        return ToolOutput({"results": ["some words of an answer"] * ctx.most(count), "note": ""})

    with surroundings(tmp_path, {"a.py": "x = 1\n"}) as ctx:
        fit = fitting(ctx, make, has_note=True, may_repeat=True)
        assert rooms == [1.0]
        assert 0 < len(fit.value["results"]) < 40_000
        assert ctx.once("size", lambda: 7) == 7, "another answer computes it again"
