"""The locks: every requirement of pyproject.toml is in them, wherever it is installed, and their licences are known."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import lock
import pytest
from lock import Locked
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.harness.installed_packages import installed
from tests.harness.licences import is_allowed, licence_of

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LICENCES: dict[str, str] = json.loads((FOLDER / "licences.json").read_text())
PACKAGES = installed()
ENVIRONMENTS = [
    {
        "python_version": version,
        "python_full_version": f"{version}.1",
        "sys_platform": system,
        "platform_machine": machine,
    }
    for version, (system, machine) in product(
        ("3.11", "3.12", "3.13", "3.14"), (("linux", "x86_64"), ("darwin", "arm64"), ("win32", "AMD64"))
    )
]


def applies(marker: Marker | None, environment: dict[str, str]) -> bool:
    return marker is None or marker.evaluate(environment)


def unmet(requirements: list[str], entries: list[Locked]) -> Iterator[str]:
    """The requirements that a lock does not meet, each with where."""
    for requirement, environment in product(map(Requirement, requirements), ENVIRONMENTS):
        if not applies(requirement.marker, environment):
            continue
        versions = [
            entry.version
            for entry in entries
            if entry.name == canonicalize_name(requirement.name)
            and applies(Marker(entry.marker) if entry.marker else None, environment)
        ]
        if len(versions) != 1 or not requirement.specifier.contains(versions[0]):
            yield f"{requirement}: {versions} on {environment['sys_platform']} with Python {environment['python_version']}"


def wanted(name: str) -> list[str]:
    """The requirements of pyproject.toml that a lock is made of."""
    dependencies: list[str] = PROJECT["project"]["dependencies"]
    groups: dict[str, list[str]] = PROJECT["dependency-groups"]
    others = [*groups["dev"], *groups["docs"], *groups["release"], *groups["workflows"]]
    return [*dependencies, *(others if name == "constraints-dev.txt" else [])]


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-dev.txt"])
def test_the_lock_meets_every_requirement_on_every_platform(name: str):
    assert list(unmet(wanted(name), lock.read(FOLDER / name))) == [], "run `make lock`"


def test_a_requirement_that_the_lock_does_not_meet_is_found():
    entries = [Locked("numpy", "2.4.6", "python_full_version < '3.12'", (), ())]
    assert {text.split(":")[0] for text in unmet(["numpy>=2", "absent"], entries)} == {"numpy>=2", "absent"}
    assert list(unmet(["numpy>=2; python_version < '3.12'"], entries)) == []


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-dev.txt"])
def test_every_file_that_may_be_installed_has_its_hash(name: str):
    text = (FOLDER / name).read_text()
    entries = lock.read(FOLDER / name)
    assert [entry.name for entry in entries if not entry.hashes] == []
    assert len(entries) == len(re.findall(r"^[^\s#]", text, re.MULTILINE))
    assert sum(len(entry.hashes) for entry in entries) == text.count("--hash=")


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-dev.txt"])
def test_a_lock_says_nothing_of_where_it_was_made(name: str):
    assert not re.search(r"://|--(extra-)?index|--find-links", (FOLDER / name).read_text())


def test_users_and_developers_get_the_same_versions():
    pinned = {(entry.name, entry.version) for entry in lock.read(FOLDER / "constraints.txt")}
    assert pinned <= {(entry.name, entry.version) for entry in lock.read(FOLDER / "constraints-dev.txt")}


def test_the_licence_of_every_dependency_is_listed():
    assert sorted({entry.name for entry in lock.read(FOLDER / "constraints.txt")}) == list(LICENCES)


@pytest.mark.parametrize("name", LICENCES)
def test_a_licence_is_the_one_that_the_package_declares(name: str):
    if name not in PACKAGES:
        pytest.skip("not installed on this platform")
    assert licence_of(PACKAGES[name]) == LICENCES[name]


@pytest.mark.parametrize("name", LICENCES)
def test_a_licence_allows_what_a_release_does(name: str):
    assert is_allowed(LICENCES[name])
