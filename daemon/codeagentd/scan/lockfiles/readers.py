"""Readers of lock files: one per format, and a table of them by file name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from codeagentd.scan.projects.csharp import package_references
from codeagentd.scan.projects.go import directives
from codeagentd.scan.projects.manifests import from_json, from_toml, table

PackageVersions = Iterator[
    tuple[object, ...]
]  # (name, version), neither of them checked: a reader only finds where they stand
Reader = Callable[[str], PackageVersions]  # raises Broken

# Possessive where two parts could take the same characters: a line of a megabyte takes no more than its length
_PIN: Final = re.compile(r"\s*+([A-Za-z0-9][\w.-]*+)\s*+(?:\[[^\]]*+\]\s*+)?+===?\s*+([\w.+!-]++)\s*+(?:$|[;#\\]|--)")
_YARN_KEY: Final = re.compile(r'(?:\? )?"?(@?[^@"\s]+)@')
_YARN_VERSION: Final = re.compile(r'  version:? "?([^"\s]+)')
_OWN: Final = "0.0.0-use.local"  # what Yarn writes for the packages of the repository itself
_PNPM_KEY: Final = re.compile(r"""  ['"]?/?((?:@[^@/\s'":]+/)?[^@/\s'":]+)[@/]([0-9][0-9A-Za-z.+-]*)[(_:'"]""")
_GEM: Final = re.compile(r" {4}(\S+) \(([^\s()-]++)[^\s()]*+\)")
_GRADLE: Final = re.compile(r"([^:=#\s]+:[^:=\s]+):([^:=\s]+)=")
_ROCK: Final = re.compile(r"""["']([\w./-]+)\s*==\s*([\w.-]+)["']""")
_LUA_COMMENT: Final = re.compile(r"--[^\n]*")


def _rows(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _groups(pattern: re.Pattern[str], text: str) -> PackageVersions:
    return (match.group(1, 2) for line in text.splitlines() if (match := pattern.match(line)))


def _package_tables(text: str) -> PackageVersions:
    """Read arrays of `package` tables (Poetry, "Installing with poetry.lock"; uv, "The lockfile"; PDM, "Lock file"; The
    Cargo Book, "Cargo.toml vs Cargo.lock").
    """
    for package in _rows(from_toml(text).get("package")):
        yield package.get("name"), package.get("version")


def _pipfile(text: str) -> PackageVersions:
    """Read a table of packages per category, beside `_meta` (Pipenv, "Pipfile & Pipfile.lock")."""
    for category, packages in from_json(text).items():
        for name, package in table(packages).items() if category != "_meta" else ():
            yield name, _text(table(package).get("version")).removeprefix("==")


def _requirements(text: str) -> PackageVersions:
    """Read lines that allow exactly one version (pip, "Requirements File Format"; PyPA, "Version specifiers": `==`,
    `===`).
    """
    return _groups(_PIN, text)


def _npm(text: str) -> PackageVersions:
    """Read the packages of the outermost node_modules: `packages` by path since version 2, `dependencies` before (npm,
    "package-lock.json").
    """
    lock = from_json(text)
    for place, package in table(lock, "packages").items():
        name = place.removeprefix("node_modules/")
        if name != place and "/node_modules/" not in name:
            yield name, table(package).get("version")
    for name, package in table(lock, "dependencies").items():
        yield name, table(package).get("version")


def _yarn(text: str) -> PackageVersions:
    """Read `name@range, …:` and a version below it (Yarn Classic, "yarn.lock"; Yarn, "Lexicon": descriptor)."""
    name = ""
    for line in text.splitlines():
        # a key of more than 1,024 characters ends in a line of its own, which begins with ':'
        if line[:1] not in ("", " ", "#", ":"):
            key = _YARN_KEY.match(line)
            name = key[1] if key else ""
        elif name and (version := _YARN_VERSION.match(line)) and version[1] != _OWN:
            yield name, version[1]


def _pnpm(text: str) -> PackageVersions:
    """Read the keys of `packages`: /name/1.2.3, /name@1.2.3(peers) or name@1.2.3 (pnpm/spec, "lockfile", versions 5 to
    9).
    """
    inside = False
    for line in text.splitlines():
        if line[:1] not in ("", " ", "#"):
            inside = line.startswith("packages:")
        elif inside and (key := _PNPM_KEY.match(line)):
            yield key.group(1, 2)


def _go(text: str) -> PackageVersions:
    """Read the modules that go.mod requires; replacements are not followed (Go Modules Reference, "require
    directive").
    """
    for verb, words in directives(text):
        if verb == "require" and len(words) > 1:
            yield words[0], words[1]


def _gems(text: str) -> PackageVersions:
    """Read `name (version-platform)` below `specs:`; deeper lines are the dependencies of that gem (Bundler, class
    LockfileParser).
    """
    return _groups(_GEM, text)


def _composer(text: str) -> PackageVersions:
    """Read lists of packages (Composer, "Basic usage": composer.lock)."""
    lock = from_json(text)
    for package in (*_rows(lock.get("packages")), *_rows(lock.get("packages-dev"))):
        yield package.get("name"), package.get("version")


def _nuget(text: str) -> PackageVersions:
    """Read a table of packages per target framework (NuGet, "PackageReference in project files": locking
    dependencies).
    """
    for packages in table(from_json(text), "dependencies").values():
        for name, package in table(packages).items():
            yield name, table(package).get("resolved")


def _csproj(text: str) -> PackageVersions:
    """Read versions that are written out: "1.2.3", "[1.2.3]", no range and no property (NuGet, "Package
    versioning").
    """
    for name, version in package_references(text):
        yield name, version.strip().removeprefix("[").removesuffix("]")


def _gradle(text: str) -> PackageVersions:
    """Read `group:artifact:version=configurations` (Gradle User Manual, "Dependency Locking")."""
    return _groups(_GRADLE, text)


def _swift(text: str) -> PackageVersions:
    """Read pins by identity, which version 1 of the format leaves to the URL (Swift Package Manager, "Resolving Package
    Versions"; SE-0292).
    """
    lock = from_json(text)
    for pin in _rows(lock.get("pins")) or _rows(table(lock, "object").get("pins")):
        place = _text(pin.get("repositoryURL")).rstrip("/").removesuffix(".git")
        yield pin.get("identity") or posixpath.basename(place), table(pin, "state").get("version")


def _rockspec(text: str) -> PackageVersions:
    """Read dependencies "name == version" (LuaRocks, "Rockspec format")."""
    yield from _ROCK.findall(_LUA_COMMENT.sub("", text))


READERS: Final[Mapping[str, tuple[str, Reader]]] = {
    "poetry.lock": ("pypi", _package_tables),
    "uv.lock": ("pypi", _package_tables),
    "pdm.lock": ("pypi", _package_tables),
    "Pipfile.lock": ("pypi", _pipfile),
    "requirements*.txt": ("pypi", _requirements),
    "package-lock.json": ("npm", _npm),
    "npm-shrinkwrap.json": ("npm", _npm),
    "yarn.lock": ("npm", _yarn),
    "pnpm-lock.yaml": ("npm", _pnpm),
    "Cargo.lock": ("cargo", _package_tables),
    "go.mod": ("go", _go),
    "Gemfile.lock": ("gem", _gems),
    "composer.lock": ("composer", _composer),
    "packages.lock.json": ("nuget", _nuget),
    "*.csproj": ("nuget", _csproj),
    "gradle.lockfile": ("maven", _gradle),
    "Package.resolved": ("swift", _swift),
    "*.rockspec": ("luarocks", _rockspec),
}
