"""`codeagentd service`: what it writes, what it leaves alone, and that nothing of it stays."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.services import unit
from codeagentd.boot.settings import Settings
from codeagentd.cli.main import main
from codeagentd.cli.services.launchd import Launchd
from codeagentd.cli.services.systemd import Systemd
from tests.harness.managers import Systemctl, without_systemctl

AWKWARD = ["shop", "my repo", "100% done", 'it\'s "quoted"', "größe", "a-b.c", "$HOME"]


@pytest.fixture
def repo(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "home").mkdir()
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


@pytest.fixture
def systemctl(tmp_path, monkeypatch):
    systemctl = Systemctl(tmp_path / "bin")
    monkeypatch.setenv("PATH", systemctl.path)
    return systemctl


@pytest.fixture
def service(repo, capsys):
    def call(*words, at=repo):
        code = main(["service", *words, "--repo", str(at)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def tree(root):
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in sorted(root.rglob("*"))
    }


def units(repo):
    return Path(os.environ["HOME"], ".config", "systemd", "user")


def test_installing_writes_the_units_and_has_them_used(repo, systemctl, service):
    code, out, _ = service("install")
    assert code == 0
    assert sorted(path.name for path in units(repo).iterdir()) == sorted(
        [
            "codeagentd@.service",
            "codeagentd@.socket",
            f"{unit(str(repo), 'service')}.d",
            f"{unit(str(repo), 'socket')}.d",
        ]
    )
    socket, daemon = unit(str(repo), "socket"), unit(str(repo), "service")
    assert systemctl.asked() == ["--user daemon-reload", f"--user enable --now {socket}", f"--user restart {daemon}"]
    assert out.count("wrote ") == 4
    assert f"ListenStream={endpoint_of(repo).socket}\n" in (units(repo) / f"{socket}.d" / "place.conf").read_text()
    assert sys.executable in (units(repo) / "codeagentd@.service").read_text()
    code, out, _ = service("status", "--json")
    told = json.loads(out)
    assert (code, told["installed"], told["answers"]) == (0, True, True)
    assert told["units"] == {socket: "loaded, active, enabled", daemon: "loaded, active, enabled"}


def test_installing_again_changes_nothing_and_restarts_nothing(repo, systemctl, service):
    service("install")
    before = tree(units(repo))
    code, out, _ = service("install")
    assert code == 0
    assert out.count("unchanged ") == 4
    assert tree(units(repo)) == before
    assert systemctl.asked()[-1] == f"--user start {unit(str(repo), 'service')}"


def test_a_service_of_another_environment_is_renewed(repo, systemctl, service, monkeypatch):
    service("install")
    monkeypatch.setenv("CODEAGENT_OFFLINE", "1")
    assert service("status")[0] == 1
    _, out, _ = service("install")
    assert out.count("wrote ") == 1
    assert (
        "RestrictAddressFamilies=AF_UNIX\n"
        in (units(repo) / f"{unit(str(repo), 'service')}.d" / "place.conf").read_text()
    )
    assert service("status")[0] == 0


def test_uninstalling_leaves_everything_as_it_was(repo, systemctl, service):
    home = Path(os.environ["HOME"])
    (home / ".config").mkdir()
    (home / ".config" / "mine").write_text("mine")
    before = tree(home)
    service("install")
    link = units(repo) / "sockets.target.wants" / unit(str(repo), "socket")
    link.parent.mkdir()
    link.symlink_to(units(repo) / "codeagentd@.socket")  # as `systemctl enable` does
    code, out, _ = service("uninstall")
    assert code == 0
    assert tree(home) == before
    assert out.count("removed ") == 5
    assert systemctl.asked()[-3:] == [
        f"--user disable --now {unit(str(repo), 'socket')}",
        f"--user stop {unit(str(repo), 'service')}",
        "--user daemon-reload",
    ]
    assert service("status")[0] == 3
    assert service("uninstall")[1] == "not installed: nothing to remove\n"


def test_the_templates_stay_while_another_repository_needs_them(repo, systemctl, service, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    service("install")
    service("install", at=other)
    service("uninstall")
    assert (units(repo) / "codeagentd@.service").exists()
    assert service("status")[0] == 3
    assert service("status", at=other)[0] == 0
    service("uninstall", at=other)
    assert not units(repo).exists()


@pytest.mark.parametrize("what", ["edited", "foreign", "linked"])
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_file_that_is_not_as_we_wrote_it_is_never_touched(repo, systemctl, service, what, verb):
    path = units(repo) / "codeagentd@.service"
    service("install")
    if what == "edited":
        path.write_text(path.read_text().replace("CPUWeight=30", "CPUWeight=90"))
    else:
        path.unlink()
        path.write_text("[Service]\nExecStart=/bin/true\n") if what == "foreign" else path.symlink_to("/etc/hostname")
    before, asked = tree(units(repo)), systemctl.asked()
    code, _, err = service(verb)
    assert code == 1
    assert str(path) in err
    assert tree(units(repo)) == before
    assert systemctl.asked() == asked
    assert service("status")[0] == 1


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_dry_run_shows_everything_and_does_nothing(repo, systemctl, service, verb):
    if verb == "uninstall":
        service("install")
    before, asked = tree(Path(os.environ["HOME"])), systemctl.asked()
    code, out, _ = service(verb, "--dry-run")
    assert code == 0
    assert "codeagentd@.service" in out
    assert "systemctl --user" in out
    assert ("ListenStream=" in out) == (verb == "install")
    assert tree(Path(os.environ["HOME"])) == before
    assert systemctl.asked() == asked


@pytest.mark.parametrize("trouble", ["no systemctl", "no manager"])
def test_without_a_manager_the_commands_are_told(repo, systemctl, service, monkeypatch, trouble):
    if trouble == "no systemctl":
        monkeypatch.setenv("PATH", without_systemctl())
    else:
        systemctl.fails("show-environment")
    code, out, _ = service("install")
    assert code == 0
    assert "no user manager answers here. Where one does, run:\n  systemctl --user daemon-reload\n" in out
    assert systemctl.asked() == []
    assert not json.loads(service("status", "--json")[1])["answers"]


def test_a_manager_that_refuses_is_quoted(repo, systemctl, service):
    systemctl.fails("enable")
    code, _, err = service("install")
    assert code == 1
    assert "Failed to enable: no such luck" in err
    assert service("uninstall")[0] == 0


def test_a_home_that_cannot_be_written_gets_nothing(repo, systemctl, service, monkeypatch):
    monkeypatch.setenv("HOME", "/proc/self")
    code, _, err = service("install")
    assert code == 1
    assert "cannot be written" in err
    assert systemctl.asked() == []


def test_files_that_were_written_before_one_failed_are_taken_back(repo, systemctl, service):
    place = units(repo)
    place.mkdir(parents=True)
    (place / f"{unit(str(repo), 'service')}.d").mkdir()
    (place / f"{unit(str(repo), 'service')}.d" / "place.conf").mkdir()
    assert service("install")[0] == 1
    assert not (place / "codeagentd@.service").exists()


def test_a_repository_whose_path_is_too_long_for_a_unit_is_refused(repo, systemctl, service):
    deep = repo.joinpath(*["a-rather-long-name"] * 15)
    deep.mkdir(parents=True)
    code, _, err = service("install", at=deep)
    assert code == 1
    assert "too long" in err


def test_a_socket_path_that_is_too_long_is_refused_before_anything_is_written(
    repo, systemctl, service, monkeypatch, tmp_path
):
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", str(tmp_path / ("long" * 30)))
    code, _, err = service("install")
    assert code == 1
    assert "CODEAGENT_RUNTIME_DIR" in err
    assert not units(repo).exists()


def test_a_path_that_no_file_can_hold_is_refused(tmp_path):
    repo = tmp_path / "line\nbreak"
    repo.mkdir()
    with pytest.raises(InvalidParameter):
        Systemd(endpoint_of(repo), Settings(), {})


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze here")
@pytest.mark.parametrize("name", AWKWARD)
def test_systemd_accepts_the_units(repo, systemctl, service, tmp_path, name):
    at = tmp_path / name
    at.mkdir(exist_ok=True)
    service("install", at=at)
    variables = {
        "PATH": os.environ["PATH"],
        "SYSTEMD_UNIT_PATH": f"{units(repo)}:",
        "XDG_RUNTIME_DIR": str(tmp_path),
        "SYSTEMD_LOG_LEVEL": "warning",
    }
    names = [unit(str(at.resolve()), kind) for kind in ("socket", "service")]
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", *names], capture_output=True, text=True, env=variables
    )
    complaints = [line for line in done.stderr.splitlines() if "codeagentd" in line]
    assert (done.returncode, complaints) == (0, [])


@pytest.mark.parametrize("name", [*AWKWARD, "R&D <x>"])
def test_the_agent_of_launchd_is_a_property_list_that_starts_the_daemon(repo, tmp_path, name):
    at = tmp_path / name
    at.mkdir(exist_ok=True)
    endpoint = endpoint_of(at)
    (planned,) = Launchd(
        endpoint, Settings(), {"PATH": "/opt/bin", "CODEAGENT_CACHE_DIR": "/c & d", "SECRET": "x"}
    ).files()
    agent = plistlib.loads(planned.marked().encode())
    assert agent["Label"] == f"io.codeagentd.{endpoint.name}"
    assert agent["ProgramArguments"] == [
        sys.executable,
        "-P",
        "-m",
        "codeagentd.boot.daemon",
        "--foreground",
        "--repo",
        str(at.resolve()),
    ]
    assert agent["EnvironmentVariables"] == {
        "CODEAGENT_CACHE_DIR": "/c & d",
        "CODEAGENT_RUNTIME_DIR": endpoint.runtime,
        "PATH": "/opt/bin",
    }
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert plistlib.loads(plistlib.dumps(agent)) == agent
    if shutil.which("plutil"):
        subprocess.run(["plutil", "-lint", "-"], input=planned.marked().encode(), check=True)


def test_windows_find_the_agent_of_launchd(repo, tmp_path, monkeypatch):
    from codeagent_protocol import services

    endpoint = endpoint_of(repo)
    (planned,) = Launchd(endpoint, Settings(), {}).files()
    monkeypatch.setattr(sys, "platform", "darwin")
    planned.path.parent.mkdir(parents=True)
    planned.path.write_text(planned.marked())
    assert services.start_command(endpoint)[0] == "launchctl"
