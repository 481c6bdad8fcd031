"""The bill of materials: it has every locked release with its hashes, its licence and who asks for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bill_of_materials
import lock
import pytest

ROOT = Path(__file__).resolve().parents[3]
CONSTRAINTS = ROOT / "packaging/constraints.txt"


@pytest.fixture
def text(tmp_path: Path) -> str:
    return bill_of_materials.write(ROOT, tmp_path, "1.2.3", "MIT AND Apache-2.0").read_text()


@pytest.fixture
def bom(text: str) -> Any:
    return json.loads(text)


def test_it_lists_every_locked_release_with_the_hashes_of_its_files(bom: Any):
    listed = {
        (component["name"], component["version"]): {
            entry["content"] for entry in component["externalReferences"][0]["hashes"]
        }
        for component in bom["components"]
    }
    assert listed == {(entry.name, entry.version): set(entry.hashes) for entry in lock.read(CONSTRAINTS)}


def test_it_says_licence_package_url_and_where_a_release_is_installed(bom: Any):
    pywin32 = next(component for component in bom["components"] if component["name"] == "pywin32")
    assert pywin32["licenses"] == [{"license": {"id": "PSF-2.0"}}]
    assert pywin32["purl"] == f"pkg:pypi/pywin32@{pywin32['version']}"
    assert pywin32["properties"] == [{"name": "python:environment-marker", "value": "sys_platform == 'win32'"}]


def test_it_is_about_this_version(bom: Any):
    product = bom["metadata"]["component"]
    assert (product["name"], product["version"], product["licenses"]) == (
        "codeagentd", "1.2.3", [{"expression": "MIT AND Apache-2.0"}],
    )  # fmt: skip


def test_everything_in_it_is_reached_from_the_product(bom: Any):
    graph = {entry["ref"]: entry.get("dependsOn", []) for entry in bom["dependencies"]}
    reached, rest = set[str](), ["pkg:pypi/codeagentd@1.2.3"]
    while rest:
        if (ref := rest.pop()) not in reached:
            reached.add(ref)
            rest += graph[ref]
    assert reached == {component["bom-ref"] for component in bom["components"]} | {"pkg:pypi/codeagentd@1.2.3"}


def test_the_same_lock_makes_the_same_bytes_and_another_version_another_serial_number(text: str, tmp_path: Path):
    again = bill_of_materials.write(ROOT, tmp_path, "1.2.3", "MIT AND Apache-2.0").read_text()
    other = bill_of_materials.write(ROOT, tmp_path, "1.2.4", "MIT AND Apache-2.0").read_text()
    assert again == text
    assert json.loads(other)["serialNumber"] != json.loads(text)["serialNumber"]
