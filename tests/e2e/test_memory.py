"""Memories and tasks through real windows and a real daemon."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.harness.window import Window
from tests.harness.world import World

FREE_S = 20.0  # from the end of a window to its task being free; the daemon looks every two seconds


def status_of(window: Window, memory: str) -> dict[str, Any]:
    """What the anchors of a memory say: symbol -> (status, now)."""
    anchors = window.must("read", {"id": memory}).data["anchors"]
    return {anchor["symbol"]: (anchor["status"], anchor.get("now", "")) for anchor in anchors}


def assert_follows(window: Window, memory: str, expected: dict[str, Any]) -> None:
    """The memory says so as soon as the index has what was done just before; how soon that is depends on the machine."""
    while not window.must("search_symbols", {"query": "checkout"}).watermark["caught_up"]:
        pass  # each question waits for the index
    assert status_of(window, memory) == expected


@pytest.mark.limit(120)
def test_decisions_follow_the_functions_they_speak_of(world: World, shop: Path):
    world.index(shop)
    window = world.connect(shop, "--toolsets", "all")
    pricing, checkout = shop / "shop/pricing.py", shop / "shop/orders/checkout.py"
    sums, once, twice = (
        window.must("store", {"type": "decision", "content": text, "project": "shop"}).data["id"]
        for text in (
            "compute_total sums before it rounds",
            "checkout_cart charges once",
            "checkout_twice is for tests of checkout",
        )
    )
    assert status_of(window, sums) == {"shop.pricing.compute_total": ("current", "")}

    pricing.write_text(pricing.read_text().replace("compute_total", "add_up"))
    checkout.write_text(checkout.read_text().replace("compute_total", "add_up"))
    assert_follows(window, sums, {"shop.pricing.compute_total": ("moved", "shop.pricing.add_up (shop/pricing.py)")})
    # it calls what was renamed: its text is another one
    assert_follows(window, once, {"shop.orders.checkout.checkout_cart": ("stale", "")})
    assert_follows(window, twice, {"shop.orders.checkout.checkout_twice": ("current", "")})

    world.git(shop, "mv", "shop/orders/checkout.py", "shop/till.py")
    assert_follows(
        window, twice, {"shop.orders.checkout.checkout_twice": ("moved", "shop.till.checkout_twice (shop/till.py)")}
    )

    pricing.write_text(pricing.read_text().replace("discount.apply(amount)", "round(discount.apply(amount))"))
    assert_follows(window, sums, {"shop.pricing.compute_total": ("stale", "shop.pricing.add_up (shop/pricing.py)")})
    (shop / "shop/till.py").unlink()
    assert_follows(window, twice, {"shop.orders.checkout.checkout_twice": ("gone", "")})

    hits = window.must("search", {"query": "checkout tests sums rounds charges"}).data["index"]
    assert {hit["id"]: hit["status"] for hit in hits} == {sums: "stale", once: "gone", twice: "gone"}


@pytest.mark.limit(120)
def test_two_windows_share_a_board_and_the_task_of_a_killed_one_is_free(world: World, shop: Path):
    one, other = world.connect(shop, "--toolsets", "tasks"), world.connect(shop, "--toolsets", "tasks")
    made = [one.must("create_task", {"project": "CA", "name": f"task {number}"}).data["task_id"] for number in range(2)]
    assert [window.must("get_next_task").data["task_id"] for window in (one, other)] == made
    assert "task_id" not in other.must("get_next_task").data
    os.kill(one.pid, signal.SIGKILL)
    end = time.monotonic() + FREE_S
    while (task := other.must("get_next_task").data.get("task_id")) is None:
        assert time.monotonic() < end
    assert task == made[0]


@pytest.mark.limit(120)
def test_a_lease_outlives_the_daemon_and_not_its_window(world: World, shop: Path):
    one, other = world.connect(shop, "--toolsets", "tasks"), world.connect(shop, "--toolsets", "tasks")
    task = one.must("create_task", {"project": "CA", "name": "long work"}).data["task_id"]
    assert one.must("get_next_task").data["task_id"] == task
    os.kill(world.daemon(shop), signal.SIGKILL)
    assert "task_id" not in other.must("get_next_task").data
    (listed,) = one.must("list_tasks").data["results"]
    assert listed["lease"] == "this window"
    one.close()
    assert other.must("get_next_task").data["task_id"] == task


@pytest.mark.limit(120)
def test_repositories_share_memories_and_an_error_has_the_form_of_its_page(world: World, shop: Path):
    window = world.connect(shop, "--toolsets", "memory")
    memory = window.must("store", {"type": "knowledge", "content": "the staging host is called otter"}).data["id"]
    elsewhere = world.connect(world.repository("elsewhere", {"a.py": "x = 1\n"}), "--toolsets", "memory")
    assert elsewhere.must("search", {"query": "staging host"}).data["index"][0]["id"] == memory
    answer = elsewhere.call("read", {"id": "memory:none"})
    assert answer.failed
    assert answer.data == {"error": "no memory has the id 'memory:none': search finds ids", "code": "NOT_FOUND"}


@pytest.mark.limit(120)
def test_a_window_that_may_only_read_reads_memories(world: World, shop: Path):
    memory = (
        world.connect(shop, "--toolsets", "memory").must("store", {"type": "knowledge", "content": "kept"}).data["id"]
    )
    window = world.connect(shop, "--toolsets", "memory,tasks", "--read-only")
    assert {tool["name"] for tool in window.request("tools/list").result["tools"]} == {
        "search",
        "read",
        "stats",
        "list_tasks",
    }
    assert window.must("read", {"id": memory}).data["content"] == "kept"
