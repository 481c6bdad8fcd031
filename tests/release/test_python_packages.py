"""Wheel, source distribution, lock, manuals: two builds are the same, and each is installed and asked a question."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.harness import installed_programs
from tests.harness.world import World
from tests.release.conftest import build

pytestmark = [pytest.mark.long, pytest.mark.limit(1800)]
PIP = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--progress-bar", "off")


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


@pytest.fixture(scope="module")
def environment(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the locked dependencies, each file checked by its hash, and no codeagentd."""
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    lock = only(release, "*-constraints.txt")
    words = [place / "bin/python", *PIP, "--only-binary", ":all:", "--require-hashes", "--requirement", lock]
    subprocess.run(words, check=True, stderr=subprocess.PIPE)
    return place


def test_two_builds_have_the_same_bytes(release: Path, makeable: list[str], tmp_path: Path):
    again = build(tmp_path / "again", "--only", ",".join(makeable))
    names = sorted(os.listdir(release))
    assert sorted(os.listdir(again)) == names
    assert [name for name in names if (release / name).read_bytes() != (again / name).read_bytes()] == []


def test_the_checksums_are_those_of_the_files(release: Path):
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert len(done.stdout.splitlines()) == len(os.listdir(release)) - 1


@pytest.mark.parametrize("pattern", ["*.whl", "codeagentd-[0-9].[0-9].[0-9].tar.gz"])
def test_an_installed_package_answers(release: Path, environment: Path, world: World, pattern: str):
    words = [environment / "bin/python", *PIP, "--force-reinstall", "--no-deps", only(release, pattern)]
    subprocess.run(words, check=True, stderr=subprocess.PIPE)
    repository = installed_programs.shop(world)
    programs = environment / "bin"
    assert installed_programs.callers(world, repository, programs) == installed_programs.CALLERS
    assert str(programs) in installed_programs.daemon_command(world, repository, programs)
    assert (environment / "share/man/man1/codeagentd-status.1").is_file()
    assert (environment / "share/bash-completion/completions/codeagentd").is_file()


def test_nothing_that_is_installed_is_missing_from_the_bill_of_materials(release: Path, environment: Path):
    listing = subprocess.run(
        [environment / "bin/python", "-m", "pip", "list", "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    installed = {
        (row["name"].lower().replace("_", "-").replace(".", "-"), row["version"]) for row in json.loads(listing.stdout)
    }
    bom = json.loads(only(release, "*.cdx.json").read_text())
    listed = {(component["name"], component["version"]) for component in bom["components"]}
    assert {name for name, _ in installed - listed} <= {"codeagentd", "pip", "setuptools"}


def test_the_source_distribution_has_what_the_wheel_is_made_of_and_no_tests(release: Path):
    with tarfile.open(only(release, "codeagentd-[0-9].[0-9].[0-9].tar.gz")) as tar:
        top = {name.split("/")[1] for name in tar.getnames()}
    assert top == {
        "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "daemon", "generated", "launchd", "packaging", "protocol",
        "pyproject.toml", "shim", "systemd", ".gitignore",
    }  # fmt: skip


def test_the_manuals_are_where_a_system_looks_for_them(release: Path, tmp_path: Path):
    with tarfile.open(only(release, "codeagentd-manuals-*.tar.gz")) as tar:
        tar.extractall(tmp_path, filter="data")
    assert (tmp_path / "share/man/man1/codeagent-mcp.1").is_file()
    script = tmp_path / "share/bash-completion/completions/codeagentd"
    done = subprocess.run(["bash", "-c", f"source {script} && complete -p codeagentd"], capture_output=True, text=True)
    assert done.stdout.startswith("complete "), done.stderr
