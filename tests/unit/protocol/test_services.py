"""The service of a repository, as a window finds it; and that it comes before a daemon of one's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_protocol import launch as launch_module
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.launch import STARTING, Launch
from codeagent_protocol.locks import is_held
from codeagent_protocol.services import escaped, place_of, start_command, unit
from tests.harness.managers import Systemctl, without_systemctl
from tests.harness.waiting import comes
from tests.unit.protocol.test_launch import DAEMON, endpoint

__all__ = ["endpoint"]
PATHS = [
    "/",
    "/srv/shop",
    "/srv//shop/",
    "/home/a/.config/my repo",
    "/.hidden/x",
    "/srv/größe-1",
    "/a\\b/%f$HOME'\"",
    "/x:y_z.1",
]


@pytest.fixture
def installed(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Systemctl:
    """A service for the endpoint, and a systemctl that does nothing yet."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    place = Path(place_of(endpoint))
    place.parent.mkdir(parents=True)
    place.write_text(f"[Socket]\nListenStream={endpoint.socket}\n")
    systemctl = Systemctl(tmp_path / "bin")
    monkeypatch.setenv("PATH", systemctl.path)
    return systemctl


@pytest.mark.skipif(not shutil.which("systemd-escape"), reason="no systemd-escape here")
@pytest.mark.parametrize("path", PATHS)
def test_instances_are_escaped_as_systemd_does_it(path: str):
    told = subprocess.run(["systemd-escape", "--path", path], capture_output=True, check=True).stdout
    assert os.fsencode(escaped(path)) == told.rstrip(b"\n")


def test_a_service_of_another_runtime_directory_is_not_ours(installed: Systemctl, endpoint: Endpoint):
    assert start_command(endpoint) == ["systemctl", "--user", "start", unit(endpoint.root, "service")]
    assert start_command(Endpoint(endpoint.root, endpoint.name, "/elsewhere")) == []
    assert start_command(endpoint_of("/usr/lib")) == []


def test_a_path_too_long_for_a_unit_has_no_service():
    assert start_command(Endpoint("/" + "long/" * 100, "abc", "/run/x")) == []


def test_an_agent_of_launchd_is_kicked(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert start_command(endpoint) == []
    place = Path(place_of(endpoint))
    place.parent.mkdir(parents=True)
    place.write_text(f"<dict>\n\t<string>{endpoint.runtime}</string>\n</dict>")
    assert start_command(endpoint) == ["launchctl", "kickstart", f"gui/{os.getuid()}/io.codeagentd.{endpoint.name}"]


def test_where_a_service_is_installed_its_manager_starts_the_daemon(installed: Systemctl, endpoint: Endpoint):
    installed.starts(
        f"subprocess.Popen([sys.executable, '-c', {DAEMON!r}, '--repo', {endpoint.root!r}], stdout=subprocess.PIPE).stdout.readline()"
    )
    launch = Launch(endpoint, ["/nonexistent"])
    assert comes(lambda: launch.step() != STARTING)
    assert is_held(endpoint.life_lock)
    assert installed.asked() == [f"--user start {unit(endpoint.root, 'service')}"]


@pytest.mark.parametrize("trouble", ["it refuses", "it hangs", "it is not there"])
def test_where_the_manager_does_not_start_it_the_window_does(
    installed: Systemctl, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, trouble: str
):
    if trouble == "it refuses":
        installed.fails("start")
    elif trouble == "it hangs":
        installed.starts("import time; time.sleep(3)")
        monkeypatch.setattr(launch_module, "SERVICE_S", 0.2)
    else:
        monkeypatch.setenv("PATH", without_systemctl())
    launch = Launch(endpoint, [sys.executable, "-c", DAEMON])
    assert comes(lambda: launch.step() == STARTING and is_held(endpoint.life_lock))
    assert launch.starts == 1
    launch.release()
