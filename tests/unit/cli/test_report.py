"""What `codeagentd report` writes of a graph that the real engine has made, and where it refuses to write."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.capabilities.graph_export import parts
from codeagentd.cli.export.node_link import node_link
from codeagentd.cli.export.page import page
from codeagentd.cli.export.safe_write import MARK, check, write
from codeagentd.cli.export.whole_graph import Whole, received
from codeagentd.toolkit.context import Context
from codeagentd.tools.graph.overview import graph_stats
from tests.harness.served import surroundings

UNSURE = 40  # calls that could each mean either of two methods
FILES = {
    "shop/prices.py": "class Tariff:\n    def apply(self, amount):\n        return amount\n\n\ndef price(amount):\n    return Tariff().apply(amount)\n",
    "shop/checkout.py": "from shop.prices import price\n\n\ndef checkout(cart):\n    return sum(price(one) for one in cart)\n",
    "shop/open.py": "".join(f"def open_{at}(any_thing):\n    any_thing.settle()\n\n\n" for at in range(UNSURE)),
    "net/Order.cs": "namespace Net { public interface IPaid { } public interface IKept { } public partial class Order : IKept { public int Total; public int Count; } }\n",
    "net/OrderPaid.cs": "namespace Net {\n  public partial class Order : IPaid { }\n}\n",
    "shop/books.py": "class Book:\n    def settle(self):\n        pass\n\n\nclass Ledger:\n    def settle(self):\n        pass\n",
    "notes</script><script>alert(1)<!--.md".replace(
        "/", ""
    ): "# </script><script>alert(2)</script>\n\n## <!-- &amp; \u2028 \u202e\n",
}


def sent(ctx: Context) -> Whole:
    return received("shop", (json.loads(msgspec.json.encode(part)) for part in parts(ctx)))


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("report"), FILES) as found:
        yield found


@pytest.fixture(scope="module")
def whole(ctx: Context) -> Whole:
    return sent(ctx)


def written(whole: Whole) -> Any:
    return json.loads(b"".join(node_link(whole)))


def shown(text: bytes) -> Any:
    """The data of a page, as its script reads it."""
    found = re.search(rb'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_graph_json_has_networkxs_keys_and_the_edges_that_the_statistics_count(ctx: Context, whole: Whole) -> None:
    found = written(whole)
    assert {"directed", "multigraph", "graph", "nodes", "links"} <= set(found)
    ids = {node["id"] for node in found["nodes"]}
    assert all({link["source"], link["target"]} <= ids for link in found["links"])
    assert len({(link["source"], link["target"], link["key"]) for link in found["links"]}) == len(found["links"])
    stats = graph_stats(ctx)
    assert (len(ids), len(found["links"]), len(found["graph"]["communities"])) == (
        stats.nodes,
        stats.edges,
        stats.communities,
    )
    assert sum(link["confidence"] == "AMBIGUOUS" for link in found["links"]) == stats.ambiguous == 2 * UNSURE


def test_an_edge_tells_its_first_place(whole: Whole) -> None:
    found = written(whole)
    label = {node["id"]: node["label"] for node in found["nodes"]}
    links = {(label[one["source"]], one["key"], label[one["target"]]): one for one in found["links"]}
    call = links["checkout()", "calls", "price()"]
    assert (call["source_file"], call["source_location"], call["confidence"]) == ("shop/checkout.py", "L5", "EXTRACTED")
    ((_, base),) = [
        (ends, one)
        for ends, one in links.items()
        if ends[2].endswith("IPaid") and ends[1] in ("inherits", "implements")
    ]
    assert (base["source_file"], base["source_location"]) == ("net/OrderPaid.cs", "L2")
    assert list(shown(page(whole).text)["elsewhere"].values()) == ["net/OrderPaid.cs"]


def test_the_same_sources_make_the_same_files(whole: Whole, tmp_path: Path) -> None:
    with surroundings(tmp_path, dict(reversed(FILES.items()))) as other:
        again = sent(other)
    again = msgspec.structs.replace(again, generation=whole.generation)
    assert b"".join(node_link(again)) == b"".join(node_link(whole))
    assert page(again).text == page(whole).text


def test_only_the_script_and_style_of_the_page_may_run_and_no_name_ends_its_data(whole: Whole) -> None:
    text = page(whole).text.decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy
    assert "default-src 'none'" in policy[1]
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert f"{tag}-src 'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'" in policy[1]
    assert text.count("<script") == text.count("</script") == 2
    assert any("script" in label for label in shown(text.encode())["labels"])
    assert "alert" not in html.unescape(
        re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL)
    )


def test_a_page_that_would_be_too_large_leaves_out_the_least_connected_and_says_so(whole: Whole) -> None:
    everything = page(whole)
    assert not everything.left_out
    smaller = page(whole, len(everything.text) - 1)
    assert f"{2 * UNSURE} ambiguous edges" in smaller.left_out
    assert "nodes" not in smaller.left_out
    smallest = page(whole, len(smaller.text) - 200)
    assert re.search(r"\d of \d+ nodes, the least connected", smallest.left_out)
    data = shown(smallest.text)
    assert data["left_out"] == smallest.left_out
    assert "price()" in data["labels"]
    assert len(smallest.text) <= len(smaller.text) - 200
    assert all(0 <= target < len(data["labels"]) for target in data["target"])


def test_a_graph_without_anything_is_a_page_too(tmp_path: Path) -> None:
    with surroundings(tmp_path, {}) as empty:
        whole = sent(empty)
    assert shown(page(whole).text)["labels"] == written(whole)["nodes"] == []


@pytest.mark.parametrize("name", ["{{data}}", "{{script}}", "a & b"])
def test_the_name_of_a_repository_is_a_title_and_nothing_else(ctx: Context, name: str) -> None:
    made = page(received(name, (json.loads(msgspec.json.encode(part)) for part in parts(ctx)))).text
    title = re.search(r"<title>(.*?)</title>", made.decode(), re.DOTALL)
    assert title
    assert html.unescape(title[1]) == f"{name}: code graph"
    assert shown(made)["name"] == name


def test_only_files_of_ours_are_replaced(tmp_path: Path) -> None:
    place = tmp_path / "graph.json"
    check(place, force=False)
    assert write(place, [f'{{"generator": "{MARK}"}}'.encode()]) == place.stat().st_size
    check(place, force=False)
    place.write_text("somebody's")
    with pytest.raises(InvalidParameter, match="not written by this command"):
        check(place, force=False)
    check(place, force=True)
    (tmp_path / "other").write_text(MARK)
    (tmp_path / "link").symlink_to("other")
    for name in ("link", "."):
        with pytest.raises(InvalidParameter, match="no plain file"):
            check(tmp_path / name, force=True)


def test_a_file_is_there_as_a_whole_or_as_it_was(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    place = tmp_path / "graph.html"
    place.write_text("before")
    with pytest.raises(InvalidParameter, match="No space left"):
        write(place, pieces())
    assert (place.read_text(), os.listdir(tmp_path)) == ("before", ["graph.html"])
