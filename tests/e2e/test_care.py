"""Daemons that leave the machine to others, as their users see it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from codeagent_protocol.locks import FileLock
from codeagentd.base.limits import BACKGROUND_DAEMONS
from tests.harness.world import World


def test_a_daemon_waits_for_others_with_what_nobody_waits_for_and_a_search_does_not_wait(world: World, shop: Path):
    runtime = Path(world.environment["CODEAGENT_RUNTIME_DIR"])
    runtime.mkdir(mode=0o700, exist_ok=True)
    others = [FileLock(str(runtime / f"background.{number}")) for number in range(BACKGROUND_DAEMONS)]
    assert all(other.try_take() for other in others)
    world.environment["CODEAGENT_BACKGROUND"] = "considerate"
    world.index(shop)
    deadline = time.monotonic() + 20
    while not (status := world.status(shop))["background"]:
        assert time.monotonic() < deadline
    assert (status["state"], status["caught_up"]) == ("ready", True)
    if os.getloadavg()[0] / (os.cpu_count() or 1) < 2:
        assert status["background"] == "2 other daemons are at work in the background"
    found = world.codeagentd("call", "search_code", "query=charge the customer", "--repo", str(shop)).json
    assert "shop/orders/checkout.py" in str(found)
    assert world.status(shop)["background"] == ""
    for other in others:
        other.release()
