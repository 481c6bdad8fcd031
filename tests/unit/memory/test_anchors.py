"""Memories that speak of code: what they are anchored to, and what becomes of it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeagentd.memory import write
from codeagentd.memory.anchors import anchor_late
from codeagentd.memory.memory_store import Caller, memory_store_at
from codeagentd.model.ids import node_id
from codeagentd.model.memory import MAX_CONTENT
from codeagentd.toolkit.call import run
from tests.harness.served import surroundings
from tests.harness.stored_rows import stored_rows
from tests.unit.memory.conftest import SHOP
from tests.unit.memory.notebook import CATALOGUE, Json, Notebook

PATIENCE_S = 20.0


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Notebook]:
    """A notebook on a repository that the test may change."""
    with surroundings(tmp_path, SHOP) as ctx:
        yield Notebook(ctx)


def saved(notebook: Notebook, **files: str | None) -> None:
    """Change files (`a__b` is a/b.py; None deletes) and have the index follow."""
    for name, text in files.items():
        path = notebook.ctx.root / f"{name.replace('__', '/')}.py"
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
    notebook.ctx.engine.request_scan()  # type: ignore[attr-defined]  # the real engine
    assert notebook.ctx.engine.wait_caught_up(PATIENCE_S)  # type: ignore[attr-defined]


def anchors(answer: Json) -> set[tuple[str, str, str]]:
    """(symbol or path, status, where it is now)."""
    return {
        (anchor.get("symbol") or anchor["path"], anchor["status"], anchor.get("now", ""))
        for anchor in answer.get("anchors", [])
    }


@pytest.mark.parametrize(
    ("content", "metadata", "wanted"),
    [
        ("compute_total is slow", {}, {"shop.pricing.compute_total"}),
        ("call `compute_total` first", {}, {"shop.pricing.compute_total"}),
        ("Order.total() delegates", {}, {"shop.orders.Order.total"}),
        ("shop.orders.Order::total delegates", {}, {"shop.orders.Order.total"}),
        ("the `Order` has lines", {}, {"shop.orders.Order"}),
        ("close() is defined twice", {}, set()),  # Order.close or Shelf.close: not guessed
        ("a total is a sum, an order has some", {}, set()),  # words
        ("totals: see docs/pricing.md.", {}, {"docs/pricing.md"}),
        ("totals: see ./shop/pricing.py:2", {}, {"shop/pricing.py"}),
        ("compute_total in shop/pricing.py", {}, {"shop.pricing.compute_total"}),  # the path says where
        ("see /etc/passwd, ../x.py, no/such.py", {}, set()),
        ("nothing", {"anchors": ["Order.close", "docs/pricing.md"]}, {"shop.orders.Order.close", "docs/pricing.md"}),
        ("compute_total", {"anchors": ["shop/pricing.py"]}, {"shop.pricing.compute_total", "shop/pricing.py"}),
    ],
)
def test_anchors_are_what_a_memory_names_without_doubt(
    notebook: Notebook, content: str, metadata: Json, wanted: set[str]
) -> None:
    stored = notebook.ok("store", type="knowledge", content=content, metadata=metadata)
    assert anchors(stored) == {(name, "current", "") for name in wanted}
    assert stored.get("status", "") == ("current" if wanted else "")
    assert anchors(notebook.ok("read", id=stored["id"])) == anchors(stored)


@pytest.mark.parametrize("sign", ["-", "@", "+", "a/", "a.", "_"])
def test_a_long_text_is_searched_for_names_in_time_in_proportion_to_its_length(notebook: Notebook, sign: str) -> None:
    begun = time.process_time()
    notebook.ok("store", type="knowledge", content=sign * (MAX_CONTENT // len(sign)))
    assert time.process_time() - begun < 10  # it takes up to 1.5 s, and took 50


def test_what_is_named_and_not_found_is_told(notebook: Notebook) -> None:
    stored = notebook.ok(
        "store", type="knowledge", content="x", metadata={"anchors": ["close", "no_such", "compute_total"]}
    )
    assert anchors(stored) == {("shop.pricing.compute_total", "current", "")}
    assert "no anchor for close, no_such" in stored["note"]


def test_anchors_that_are_too_many_are_told(notebook: Notebook) -> None:
    stored = notebook.ok(
        "store",
        type="knowledge",
        content="x",
        metadata={"anchors": ["compute_total", *(f"no_such_{number}" for number in range(25))]},
    )
    assert "only the first 20 of 26 anchors are kept" in stored["note"]
    assert "no_such_18" in stored["note"]


def test_a_task_that_no_board_has_is_told(notebook: Notebook) -> None:
    task = notebook.ok("create_task", project="CA", name="rounding")["task_id"]
    assert "note" not in notebook.ok("store", type="knowledge", content="one", source_task=task)
    stored = notebook.ok("store", type="knowledge", content="another", source_task="CA-TASK-999")
    assert (stored["source_task"], stored["note"]) == (
        "CA-TASK-999",
        "there is no task CA-TASK-999: source_task is kept as it is",
    )


def test_a_node_id_names_a_symbol(notebook: Notebook) -> None:
    with notebook.ctx.read() as db:
        uid = stored_rows(db).symbol("shop.store.Shelf.close").uid
    stored = notebook.ok("store", type="knowledge", content="x", metadata={"anchors": [node_id(uid)]})
    assert anchors(stored) == {("shop.store.Shelf.close", "current", "")}


def test_memories_follow_their_code(own: Notebook) -> None:
    memory = own.store("compute_total must not round")
    rounding = own.store("round_half_up is the only rounding")
    saved(
        own,
        shop__pricing="# moved down\n\n\n" + SHOP["shop/pricing.py"].replace("    return sum", "        return  sum"),
    )
    assert own.ok("read", id=memory)["status"] == "current"  # lines and white space do not count
    saved(own, shop__pricing=SHOP["shop/pricing.py"])
    saved(own, shop__pricing=SHOP["shop/pricing.py"].replace("compute_total", "add_up"))
    assert anchors(own.ok("read", id=memory)) == {
        ("shop.pricing.compute_total", "moved", "shop.pricing.add_up (shop/pricing.py)")
    }
    assert own.ok("read", id=rounding)["status"] == "current"
    saved(own, shop__pricing=None, shop__sums=SHOP["shop/pricing.py"].replace("compute_total", "add_up"))
    assert anchors(own.ok("read", id=memory)) == {
        ("shop.pricing.compute_total", "moved", "shop.sums.add_up (shop/sums.py)")
    }
    saved(
        own,
        shop__sums=SHOP["shop/pricing.py"]
        .replace("compute_total", "add_up")
        .replace("sum(amounts)", "round(sum(amounts))"),
    )
    assert own.ok("read", id=memory)["status"] == "stale"
    assert own.ok("read", id=rounding)["status"] == "moved"
    saved(own, shop__sums="def other():\n    return 1\n")
    assert own.ok("read", id=memory)["status"] == "gone"
    assert own.ok("read", id=rounding)["status"] == "gone"


def test_files_are_followed_too(own: Notebook) -> None:
    memory = own.store("x", metadata={"anchors": ["shop/store.py"]})
    saved(own, shop__store=None, shop__shelf=SHOP["shop/store.py"])
    assert anchors(own.ok("read", id=memory)) == {("shop/store.py", "moved", "shop/shelf.py")}
    saved(own, shop__store=SHOP["shop/store.py"] + "\n")
    assert own.ok("read", id=memory)["status"] == "current"
    saved(own, shop__store=SHOP["shop/store.py"] + "x = 1\n", shop__shelf=None)
    assert own.ok("read", id=memory)["status"] == "stale"
    saved(own, shop__store=None)
    assert own.ok("read", id=memory)["status"] == "gone"


def test_an_update_looks_again(own: Notebook) -> None:
    memory = own.store("compute_total must not round")
    saved(own, shop__pricing=SHOP["shop/pricing.py"].replace("sum(amounts)", "round(sum(amounts))"))
    assert own.ok("read", id=memory)["status"] == "stale"
    assert own.ok("update", id=memory, content="compute_total rounds since last week")["status"] == "current"
    assert own.ok("read", id=memory)["status"] == "current"


def test_stale_memories_are_marked_and_rank_lower(own: Notebook) -> None:
    stale = own.store("rounding: compute_total sums", title="rounding")
    fresh = own.store("rounding: Order.total sums", title="rounding")
    assert own.hits("rounding sums") == [stale, fresh]
    saved(own, shop__pricing="def compute_total(amounts):\n    return 0\n")
    index = own.ok("search", query="rounding sums")["index"]
    assert [(hit["id"], hit.get("status", "")) for hit in index] == [(fresh, ""), (stale, "stale")]


def test_worktrees_share_memories_and_each_sees_its_own_code(own: Notebook, tmp_path: Path) -> None:
    memory = own.store("compute_total must not round")
    files = SHOP | {"shop/pricing.py": SHOP["shop/pricing.py"].replace("compute_total", "add_up")}
    with surroundings(tmp_path / "other", files) as ctx:  # its index never saw the old name
        other = Notebook(msgspec.structs.replace(ctx, memory=msgspec.structs.replace(own.ctx.memory, seen={})))
        assert anchors(other.ok("read", id=memory)) == {
            ("shop.pricing.compute_total", "moved", "shop.pricing.add_up (shop/pricing.py)")
        }
    assert own.ok("read", id=memory)["status"] == "current"


def test_code_of_another_repository_is_not_judged(own: Notebook) -> None:
    memory = own.store("compute_total must not round")
    elsewhere = msgspec.structs.replace(own.ctx.memory, repository="elsewhere", seen={})
    other = Notebook(msgspec.structs.replace(own.ctx, memory=elsewhere))
    assert other.ok("read", id=memory)["status"] == "unknown"
    assert "status" not in other.ok("search", query="compute_total")["index"][0]


def described(notebook: Notebook, symbol: str) -> Json:
    return run(CATALOGUE["describe_symbol"], notebook.ctx, {"symbol": symbol}).structured


def test_a_symbol_lists_the_memories_that_speak_of_it(own: Notebook) -> None:
    assert "memories" not in described(own, "compute_total")
    memory = own.store("compute_total must not round", title="No rounding", type="decision")
    assert described(own, "compute_total")["memories"] == [
        {"id": memory, "title": "No rounding", "type": "decision", "status": "current"}
    ]
    assert "memories" not in described(own, "round_half_up")
    own.ok("delete", id=memory)
    assert "memories" not in described(own, "compute_total")


def test_a_symbol_is_described_even_when_memories_cannot_be_read(own: Notebook) -> None:
    own.store("compute_total must not round")
    own.ctx.memory.store.close()
    path = own.ctx.memory.store.path
    for part in ("-wal", "-shm"):
        Path(f"{path}{part}").unlink(missing_ok=True)
    path.write_bytes(b"no database " * 1000)
    answer = described(own, "compute_total")
    assert answer["symbol"] == "shop.pricing.compute_total"
    assert "memories are left out" in answer["note"]


def test_the_repository_is_that_of_all_its_worktrees(tmp_path: Path) -> None:
    from codeagent_protocol.endpoint import endpoint_of
    from codeagentd.boot.index_ownership import blobs_of

    def git(*arguments: str, at: Path) -> None:
        subprocess.run(["git", "-C", str(at), *arguments], check=True, capture_output=True)

    main: Any = tmp_path / "main"
    main.mkdir()
    git("init", "-q", at=main)
    git("commit", "-q", "--allow-empty", "-m", "first", at=main)
    git("worktree", "add", "-q", str(tmp_path / "linked"), at=main)
    names = {blobs_of(endpoint_of(str(path))).name for path in (main, tmp_path / "linked")}
    assert len(names) == 1
    assert memory_store_at(tmp_path, names.pop()).store.path == tmp_path / "memory.db"


def test_what_is_stored_while_the_index_is_behind_is_anchored_when_it_has_caught_up(own: Notebook) -> None:
    code, memories = own.ctx.code(), own.ctx.memory
    behind = msgspec.structs.replace(code, generation=-1, lines=lambda path: ())
    said = write.draft(
        memories, behind, "knowledge", "", "compute_total must not round", {"anchors": ["docs/pricing.md"]}, [], 1.0
    )
    stored = write.store(memories, Caller(), behind, "knowledge", said, "", "")
    assert (stored.anchors, "looked for again" in stored.note) == ([], True)
    assert not anchor_late(memories, behind)
    assert anchor_late(memories, code)
    assert not anchor_late(memories, code)
    names = {("shop.pricing.compute_total", "current", ""), ("docs/pricing.md", "current", "")}
    assert anchors(own.ok("read", id=stored.id)) == names
