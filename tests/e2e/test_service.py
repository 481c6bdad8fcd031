"""A window, the service that is installed for its repository, and the daemon that the service starts."""

from __future__ import annotations

from pathlib import Path

import psutil

from codeagent_protocol.services import unit
from tests.harness.managers import Systemctl
from tests.harness.world import World

ROOT = Path(__file__).resolve().parents[2]

START = """
sys.path.insert(0, {root!r})
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import is_held
from tests.harness.managers import launched, listening
from tests.harness.waiting import eventually
endpoint = endpoint_of({repo!r})
launched([sys.executable, "-P", "-m", "codeagentd.boot.daemon", "--foreground", "--repo", endpoint.root], listening(endpoint.socket), {{"NOTIFY_SOCKET": "@x"}})
eventually(lambda: is_held(endpoint.life_lock))
"""


def test_a_window_has_its_service_start_the_daemon_as_often_as_it_is_needed(world: World, shop: Path):
    systemctl = Systemctl(world.base / "bin")
    systemctl.starts(START.format(root=str(ROOT), repo=str(shop)))
    world.environment |= {"PATH": systemctl.path, "HOME": str(world.base / "home")}
    assert world.codeagentd("service", "install", "--repo", str(shop)).code == 0
    window = world.connect(shop)
    assert window.must("search_symbols", {"query": "compute_total"})
    assert "--foreground" in psutil.Process(first := world.daemon(shop)).cmdline()
    assert world.codeagentd("stop", "--repo", str(shop)).code == 0
    assert window.must("search_symbols", {"query": "compute_total"})
    assert world.daemon(shop) != first
    assert systemctl.asked()[3:] == [f"--user start {unit(str(shop), 'service')}"] * 2
