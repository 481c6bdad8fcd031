"""The service unit and the container image of `codeagentd serve`: what they start exists, and they keep what they say."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codeagentd.cli.main import parsed, parser_of

ROOT = Path(__file__).parents[3]
UNIT = ROOT / "systemd/codeagentd-serve.service"
CONTAINERFILE = ROOT / "packaging/container/Containerfile"


def directives(text: str) -> dict[str, str]:
    """The settings of a unit; of a repeated one, all values."""
    result: dict[str, str] = {}
    for line in text.splitlines():
        if re.match(r"\w+=", line):
            name, _, value = line.partition("=")
            result[name] = f"{result[name]} {value}" if name in result else value
    return result


def instructions() -> dict[str, list[str]]:
    """The values of each instruction of the container file, with continued lines joined."""
    text = re.sub(r"\\\n\s*", "", CONTAINERFILE.read_text())
    result: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition(" ")
            result.setdefault(name, []).append(value)
    return result


def served(words: list[str]) -> argparse.Namespace:
    """What `codeagentd serve` understands of these words. Options that do not exist are an error."""
    assert words[1] == "serve"
    return parsed(parser_of("serve"), words[2:])


def variables_are_known(variables: list[str]) -> bool:
    sources = "".join(path.read_text() for part in ("protocol", "daemon") for path in (ROOT / part).rglob("*.py"))
    names = [variable.partition("=")[0] for variable in variables if variable.startswith("CODEAGENT_")]
    return bool(names) and all(name in sources for name in names)


def test_the_unit_starts_a_command_that_exists():
    unit = directives(UNIT.read_text())
    arguments = served(shlex.split(unit["ExecStart"]))
    assert (arguments.words, arguments.http, arguments.keep_bytes) == (["/srv/git"], "127.0.0.1:8765", 20 * 10**9)
    assert arguments.users == "/var/lib/codeagentd-serve/users.jsonl"  # without it, a proxy would let everybody in
    assert unit["Type"] == "notify"
    assert variables_are_known(unit["Environment"].split())


def test_the_unit_lets_nothing_be_written_but_its_own_directories():
    unit = directives(UNIT.read_text())
    assert unit["ReadOnlyPaths"] == "/srv/git"
    assert (unit["ProtectSystem"], unit["DynamicUser"], unit["NoNewPrivileges"]) == ("strict", "yes", "yes")
    assert "ReadWritePaths" not in unit
    places = {"/var/cache/": "CacheDirectory", "/var/lib/": "StateDirectory", "/run/": "RuntimeDirectory"}
    for variable in unit["Environment"].split():
        name, _, place = variable.partition("=")
        if name.endswith("_DIR"):
            assert any(place == stem + unit[directory] for stem, directory in places.items()), variable


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze here")
def test_systemd_accepts_the_unit(tmp_path: Path):
    command = Path(sys.executable).parent / "codeagentd"
    place = tmp_path / UNIT.name
    place.write_text(UNIT.read_text().replace("/usr/local/bin/codeagentd", str(command)))
    done = subprocess.run(
        ["systemd-analyze", "--man=no", "verify", str(place)], capture_output=True, text=True,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert complaints == []


def test_the_image_starts_a_command_that_exists_as_no_root():
    image = instructions()
    words = json.loads(image["ENTRYPOINT"][0]) + json.loads(image["CMD"][0])
    arguments = served(words)
    assert (arguments.words, arguments.http) == (["/repositories"], "0.0.0.0:8765")
    assert image["USER"] == ["10001"]
    assert variables_are_known(image["ENV"][0].split())


def test_all_that_the_image_keeps_is_in_its_one_volume():
    image = instructions()
    assert json.loads(image["VOLUME"][0]) == ["/data"]
    places = dict(variable.split("=") for variable in image["ENV"][0].split())
    directories = {name: place for name, place in places.items() if name.endswith("_DIR")}
    assert set(directories) == {f"CODEAGENT_{name}_DIR" for name in ("CACHE", "CONFIG", "DATA", "RUNTIME")}
    assert all(Path(place).is_relative_to("/data") for place in directories.values())


def test_the_image_installs_what_is_locked_and_the_wheel_without_looking_elsewhere():
    installed = next(value for value in instructions()["RUN"] if "pip install" in value)
    commands = re.findall(r"pip install (.*?) &&", re.sub(r" +", " ", installed))
    assert ["--require-hashes" in command for command in commands] == [True, False]
    assert ["--no-index" in command and "--no-deps" in command for command in commands] == [False, True]


def test_the_image_is_healthy_while_the_server_answers():
    check = json.loads(instructions()["HEALTHCHECK"][0].partition("CMD ")[2])
    assert check[:2] == ["python", "-c"]
    compile(check[2], "HEALTHCHECK", "exec")
    assert "127.0.0.1:8765/healthz" in check[2]
