"""The versions of packages that the repository uses, from lock files and from manifests that name one version."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from codeagentd.base.limits import MAX_MANIFEST_BYTES, MAX_MANIFESTS, MAX_PROJECT_NAME, MAX_VERSIONS
from codeagentd.base.text import decode
from codeagentd.scan.projects.manifests import Broken, Manifests

from .readers import READERS, Reader

Package = tuple[str, str]  # ecosystem, normalised name

LOCK_NAMES: Final = tuple(READERS)  # file names; `*` stands for anything

_PATTERNS: Final = tuple(name for name in LOCK_NAMES if "*" in name)
_NAME: Final = re.compile(r"[@\w][\w./:@+~-]*")
_VERSION: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!~_-]*")  # no range, no URL, no path
_NUMBER: Final = re.compile(r"([0-9]+)")
_SEPARATORS: Final = re.compile(r"[-_.]+")

_COMPARED: Final[Mapping[str, Callable[[str], str]]] = {
    "pypi": lambda name: _SEPARATORS.sub("-", name).lower(),
    "cargo": lambda name: name.replace("-", "_"),
    "composer": str.lower,
    "nuget": str.lower,
    "swift": str.lower,
}


def is_lock(path: str) -> bool:
    """Whether `versions` reads the file at `path`, by its name, so that the versions have to be read again when the
    file changes.
    """
    return _reader(path) is not None


def read_versions(path: str, text: bytes) -> Mapping[Package, str]:
    """Return the versions by package from one file, with the content `text`; {} when it is broken, too large or none of
    LOCK_NAMES.
    """
    versions_by_package: dict[Package, set[str]] = {}
    if len(text) <= MAX_MANIFEST_BYTES:
        with suppress(Broken):
            _read_into(versions_by_package, path, decode(text))
    return _joined_versions(versions_by_package)


def versions(root: Path, paths: Iterable[str]) -> Mapping[Package, str]:
    """Return the versions by package, from all the lock files among `paths` (repository-relative), the outermost first;
    files that cannot be read are left out.

    Returns: "1.2.3"; where there are several "1.2.3, 1.10.0", the lowest first; ", …" stands for more than
             MAX_VERSIONS.
    """
    manifests = Manifests(root, filter(is_lock, paths))
    versions_by_package: dict[Package, set[str]] = {}
    for path in sorted(manifests.paths, key=lambda path: (path.count("/"), path))[:MAX_MANIFESTS]:
        with suppress(Broken):
            _read_into(versions_by_package, path, manifests.text(path))
    return _joined_versions(versions_by_package)


def normalised(ecosystem: str, name: str) -> str:
    """Return the package name `name` in the form in which its registry, or an import, compares it.

    Source: PEP 503; The Rust Reference, "Extern crate declarations" (`-` becomes `_`); Composer, "The composer.json
            schema" (lower case); NuGet, ".nuspec File Reference", and Swift Evolution SE-0292 (no case).
    """
    return _COMPARED.get(ecosystem, str)(name)


def _reader(path: str) -> tuple[str, Reader] | None:
    name = posixpath.basename(path)
    return READERS.get(name) or next((READERS[pattern] for pattern in _PATTERNS if fnmatchcase(name, pattern)), None)


def _read_into(versions_by_package: dict[Package, set[str]], path: str, text: str) -> None:
    """Add the versions of one file.

    Errors: Broken.
    """
    known = _reader(path)
    if known is None:
        return
    ecosystem, read = known
    for name, version in read(text):
        if _fits(_NAME, name) and _fits(_VERSION, version):
            versions_by_package.setdefault((ecosystem, normalised(ecosystem, str(name))), set()).add(str(version))


def _fits(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_PROJECT_NAME and pattern.fullmatch(value) is not None


def _joined_versions(versions_by_package: Mapping[Package, set[str]]) -> dict[Package, str]:
    versions_used = {}
    for package, several in versions_by_package.items():
        ordered = sorted(several, key=_order)
        versions_used[package] = ", ".join([*ordered[:MAX_VERSIONS], *(["…"] if len(ordered) > MAX_VERSIONS else [])])
    return versions_used


def _order(version: str) -> tuple[list[str | int], str]:
    """Return a sort key that orders numbers by value: 1.9 comes before 1.10."""
    return [int(part) if part.isdigit() else part for part in _NUMBER.split(version)], version
