"""The packages of an environment by their metadata; as a program, `python -I installed_packages.py`, it prints those of
the Python that runs it as JSON. It imports the standard library alone, so that an environment needs nothing for it.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Package:
    """A package that is installed. `licence` is what its metadata says, '' for nothing; `commands` are those that it
    puts on the path; `bundled` has the licence of each thing that it says to contain.
    """

    name: str
    version: str
    licence: str
    size: int
    requires: list[str]
    commands: list[str]
    bundled: list[str]


def installed() -> dict[str, Package]:
    """Return the packages of this environment by their normalised names."""
    return {normalised(found.metadata["Name"]): _package(found) for found in distributions()}


def normalised(name: str) -> str:
    """Return the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _package(found: Distribution) -> Package:
    files = [Path(str(found.locate_file(file))) for file in found.files or []]
    fields: dict[str, Any] = found.metadata.json
    return Package(
        name=normalised(fields["name"]),
        version=found.version,
        licence=_licence(fields),
        size=sum(file.stat().st_size for file in {*files} if file.is_file()),
        requires=found.requires or [],
        commands=sorted(point.name for point in found.entry_points if point.group == "console_scripts"),
        bundled=[*_grammars(fields), *(licence for file in files for licence in _components(file))],
    )


def _licence(fields: dict[str, Any]) -> str:
    """The expression, or the older field where it is a name and no text, or the classifiers."""
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in fields.get("classifier", [])
        if classifier.startswith("License :: ")
    ]
    lines = str(fields.get("license", "")).strip().splitlines()
    return str(fields.get("license_expression", "")) or (lines[0] if lines else "") or " AND ".join(classifiers)


def _grammars(fields: dict[str, Any]) -> list[str]:
    """The licences of tree-sitter grammars, which a package of many lists in its description."""
    return re.findall(r"(?m)^- \[\w+\]\(https://\S+\) - (.+)$", str(fields.get("description", "")))


def _components(file: Path) -> list[str]:
    """The licences of the components that a bill of materials (CycloneDX) lists, if `file` is one."""
    if "sboms" not in file.parts or file.suffix != ".json":
        return []
    listed: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")).get("components", [])
    # what is optional or excluded there may not be inside, and what a tool of wheels has found has no licence
    inside = [component for component in listed if component.get("scope") not in {"optional", "excluded"}]
    licences = [entry for component in inside for entry in component.get("licenses") or []]
    return [entry.get("expression") or entry["license"].get("id") or entry["license"]["name"] for entry in licences]


if __name__ == "__main__":
    json.dump([asdict(package) for package in installed().values()], sys.stdout)
