"""What the doctor says of a service: that its program is gone, that its files differ, that it has failed; and what to do."""

from __future__ import annotations

import json
import os
import plistlib
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_protocol.endpoint import endpoint_of
from codeagentd.boot.settings import Settings
from codeagentd.cli.doctor import service_checks
from codeagentd.cli.doctor.finding import FAIL, OK, WARN
from codeagentd.cli.main import main
from codeagentd.cli.services.launchd import Launchd
from tests.harness.managers import Systemctl

AGAIN = "codeagentd service install"
Told = Callable[[], list[tuple[str, str, str]]]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "home").mkdir()
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Systemctl:
    systemctl = Systemctl(tmp_path / "bin")
    monkeypatch.setenv("PATH", systemctl.path)
    return systemctl


@pytest.fixture
def told(repo: Path) -> Told:
    return lambda: [
        (finding.level, finding.text, finding.remedy) for finding in service_checks.examine(endpoint_of(repo))
    ]


@pytest.fixture
def template(repo: Path, systemctl: Systemctl) -> Path:
    """The unit of an installed service."""
    assert main(["service", "install", "--repo", str(repo)]) == 0
    return Path(os.environ["HOME"], ".config/systemd/user/codeagentd@.service")


def test_without_a_service_nothing_is_wrong(told: Told, systemctl: Systemctl) -> None:
    assert told() == [(OK, "none: the first window starts the daemon", "")]


def test_a_service_as_it_was_installed_is_fine(told: Told, template: Path) -> None:
    assert told() == [(OK, "kept by systemd", "")]


@pytest.mark.parametrize("program", ["/gone/bin/python", '/with "quotes"/$and/100%/python'])
def test_a_program_that_is_gone_fails_with_the_command_that_renews_it(
    told: Told, repo: Path, systemctl: Systemctl, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    with monkeypatch.context() as before:
        before.setattr("sys.executable", program)
        assert main(["service", "install", "--repo", str(repo)]) == 0
    assert (FAIL, f"it starts {program}, which is not there", AGAIN) in told()
    assert main(["service", "install", "--repo", str(repo)]) == 0
    assert told() == [(OK, "kept by systemd", "")]


def test_units_of_another_environment_are_a_warning(
    told: Told, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEAGENT_OFFLINE", "1")
    ((level, text, remedy),) = told()
    assert (level, remedy) == (WARN, AGAIN)
    assert "not as this version" in text


def test_a_unit_that_was_edited_is_left_and_told(told: Told, template: Path) -> None:
    template.write_text(template.read_text().replace("CPUWeight=30", "CPUWeight=90"))
    assert [(level, text) for level, text, _ in told()] == [(WARN, f"{template} has been edited")]


def test_a_unit_that_is_missing_is_told(told: Told, template: Path) -> None:
    template.unlink()
    assert told() == [(WARN, f"{template} is missing", AGAIN)]


def test_a_unit_that_has_failed_says_where_to_look(told: Told, template: Path, systemctl: Systemctl) -> None:
    systemctl.is_now("failed")
    found = told()
    assert {level for level, _, _ in found} == {FAIL}
    assert all("has failed" in text and "codeagentd logs" in remedy for _, text, remedy in found)


def test_where_no_manager_answers_the_files_are_looked_at_alone(
    told: Told, template: Path, systemctl: Systemctl
) -> None:
    systemctl.fails("show", "show-environment")
    assert told() == [(OK, "kept by systemd", "")]


def test_the_doctor_tells_it(
    repo: Path, template: Path, systemctl: Systemctl, capsys: pytest.CaptureFixture[str]
) -> None:
    systemctl.is_now("failed")
    capsys.readouterr()
    assert main(["doctor", "--json", "--repo", str(repo)]) == 1
    assert "service" in {
        finding["subject"] for finding in json.loads(capsys.readouterr().out) if finding["level"] == FAIL
    }


def test_the_program_of_an_agent_is_read_from_its_property_list(repo: Path) -> None:
    agent = Launchd(endpoint_of(repo), Settings(), {})
    assert agent.program() == ""
    (planned,) = agent.files()
    planned.path.parent.mkdir(parents=True)
    planned.path.write_text(planned.marked())
    assert agent.program() == plistlib.loads(planned.marked().encode())["ProgramArguments"][0]
    planned.path.write_text("<not a list")
    assert agent.program() == ""
