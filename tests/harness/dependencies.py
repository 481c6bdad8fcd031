"""What an installation consists of: which packages are needed by which, and what each is for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

from tests.harness.installed_packages import Package, normalised

ROOT: Final = Path(__file__).resolve().parents[2]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXPLAINED: Final = ROOT / "docs" / "decisions" / "0001-dependencies.md"

# what those are for that others bring; the reasons of our own are in docs/decisions/0001-dependencies.md
BROUGHT: Final = {
    "annotated-types": "limits of fields, for pydantic",
    "anyio": "the event loop of the SDK and of the HTTP server",
    "attrs": "values of jsonschema",
    "cffi": "the bridge to cryptography's C part",
    "click": "the options of uvicorn's command, which nothing here starts",
    "h11": "HTTP/1.1 on the wire",
    "httpcore2": "connections of the SDK's HTTP client",
    "httpx2": "the SDK's HTTP client, for servers that others run; nothing here connects by it",
    "idna": "names of hosts, for the SDK's HTTP client",
    "jsonschema": "schemas of tools, checked by the SDK",
    "jsonschema-specifications": "the vocabularies of JSON schema",
    "markupsafe": "escaped text in templates",
    "mcp-types": "the messages of MCP",
    "opentelemetry-api": "hooks for traces in the SDK; without its SDK they do nothing",
    "pycparser": "declarations of C, for cffi",
    "pydantic": "the SDK's messages, validated",
    "pydantic-core": "the compiled part of pydantic",
    "pyjwt": "tokens of the SDK's authorization",
    "python-multipart": "forms, for the SDK's HTTP server",
    "pywin32": "processes on Windows, for the SDK",
    "referencing": "references within JSON schemas",
    "rpds-py": "immutable maps of referencing",
    "scipy": "required by graspologic-native on Python 3.14; nothing here uses it",
    "sse-starlette": "events over HTTP, for the SDK",
    "starlette": "routes and responses of the HTTP server",
    "truststore": "the system's certificates, for the SDK's HTTP client",
    "typing-extensions": "newer types for older Pythons",
    "typing-inspection": "types at run time, for pydantic",
    "uvicorn": "the HTTP server",
}


def requirements(*extras: str) -> list[str]:
    """Return what codeagentd requires, with these extras."""
    return [*PROJECT["dependencies"], *(one for extra in extras for one in PROJECT["optional-dependencies"][extra])]


def closure(packages: Mapping[str, Package], *extras: str) -> set[str]:
    """Return the names of the packages among those installed that codeagentd needs here, with these extras."""
    open_ones, found = list(map(Requirement, requirements(*extras))), dict[str, set[str]]()
    while open_ones:
        requirement = open_ones.pop()
        name, asked = normalised(requirement.name), {"", *requirement.extras}
        if not _applies(requirement, {""}) or asked <= found.get(name, set()):
            continue
        found.setdefault(name, set()).update(asked)
        needs = map(Requirement, packages[name].requires)
        open_ones += [_plain(need) for need in needs if _applies(need, asked)]
    return set(found)


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)


def _plain(requirement: Requirement) -> Requirement:
    """The requirement, whose marker applies, without it: it names an extra of the one that requires it."""
    requirement.marker = None
    return requirement


def needed_by(name: str, packages: Mapping[str, Package], among: Iterable[str]) -> list[str]:
    """Return which of the packages `among` need the package `name` here; codeagentd first."""
    own = {normalised(Requirement(line).name) for line in requirements()}
    others = [
        other
        for other in sorted(among)
        if any(
            normalised(need.name) == name and _applies(need, {"", "crypto"})
            for need in map(Requirement, packages[other].requires)
        )
    ]
    return [*(["codeagentd"] if name in own else []), *others]


def purposes() -> dict[str, str]:
    """Return what each package is for, by its name."""
    rows = re.findall(r"(?m)^\| `([\w.-]+)` \| ([^|]+?) \|", EXPLAINED.read_text(encoding="utf-8"))
    return {normalised(name): re.split(r", in `|; |, imported|, installed", told)[0] for name, told in rows} | BROUGHT
