"""The packages that a repository provides to others: their versions, and the symbols that a package's name stands for.

A name of a package is resolved as if a file of the repository itself had imported it, so that re-exports are followed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.file_kinds import is_test
from codeagentd.model.kinds import Origin
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.resolve.symbol_table import File
from codeagentd.resolve.targets import Target
from codeagentd.scan.lockfiles.versions import normalised
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.projects.manifests import Broken, Manifests, table
from codeagentd.scan.projects.project import Project
from codeagentd.store.connection import Database

MAX_VERSION: Final = 64  # characters

# kind of project -> family, for kinds whose projects are packages
_BY_KIND: Final = {"npm": "ecmascript", "rust": "rust", "go": "go"}
_VERSIONS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "npm": ((),),
    "rust": (("package",),),
    "python": (("project",), ("tool", "poetry")),
}
_SEPARATORS: Final = {"jvm": ".", "csharp": ".", "php": "\\"}  # families whose packages are namespaces


class Provided(NamedTuple):
    """A package of this repository; `version` is '' if its manifest has none; `is_named`: its name is declared in the
    manifest.
    """

    family: str
    package: str
    project: Project | None
    version: str
    is_named: bool


class Provider:
    """The packages of a repository's index in one state; results of lookups are cached."""

    def __init__(self, root: Path, database: Database) -> None:
        paths = [path for (path,) in database.all("federation.paths")]
        detected = detect(root, paths)
        self._projects = ProjectMap(detected, {key: number for number, key in database.all("writer.projects")})
        self._packages: dict[tuple[str, str], Provided] = {}
        self._symbols: dict[tuple[str, str], int] = {}
        manifests = Manifests(root, paths)
        versions = {project.key: _version(manifests, project) for project in detected.projects}
        for project in detected.projects:
            if family := _BY_KIND.get(project.language):
                self._put(Provided(family, project.namespace or project.name, project, versions[project.key], True))
        projects = {
            project.key: project for project in detected.projects if project.language == "python" and project.manifest
        }
        for path, key, module in database.all("federation.modules", ("python",)):
            if key in projects and not is_test(path):
                self._put_module(projects[key], versions[key], path, module)

    def _put(self, provided: Provided) -> None:
        self._packages.setdefault((provided.family, provided.package), provided)

    def _put_module(self, project: Project, version: str, path: str, module: str) -> None:
        """Add the top-level package of a Python module that a project installs. A module in a single file counts only
        if it has the project's name.
        """
        top = module.partition(".")[0]
        is_named = normalised("pypi", top) == normalised("pypi", project.name)
        if top and top not in sys.stdlib_module_names and (is_named or "." in module or path.endswith("/__init__.py")):
            self._put(Provided("python", top, project, version, is_named))

    def provides(self, database: Database, family: str, package: str) -> Provided | None:
        """Return this repository's package that others import as `package` in languages of `family`; None if it has
        none.
        """
        if provided := self._packages.get((family, package)):
            return provided
        if family == "go":  # a repository may contain several modules, and an import may name a package inside one
            return next(
                (
                    candidate
                    for (_, name), candidate in self._packages.items()
                    if candidate.family == "go" and _is_below(name, package)
                ),
                None,
            )
        separator = _SEPARATORS.get(family)
        if separator and StoredSymbolTable(database, self._projects).is_package(package.replace("\\", separator)):
            return Provided(family, package, None, "", False)
        return None

    def symbols(self, database: Database, package: Provided, names: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Yield (name, symbol id) for those of `names`, qualified names of `package`, that this repository defines."""
        seeker: _Seeker | None = None
        for name in names:
            key = (package.family, name)
            if key not in self._symbols:
                seeker = seeker or _Seeker(database, self._projects, package)
                self._symbols[key] = seeker.symbol(name)
            if self._symbols[key]:
                yield name, self._symbols[key]


def _version(manifests: Manifests, project: Project) -> str:
    """The version that a project's manifest declares as a plain text."""
    try:
        read = manifests.json if project.manifest.endswith(".json") else manifests.toml
        manifest: dict[str, Any] = read(project.manifest) if project.manifest.endswith((".json", ".toml")) else {}
    except Broken:
        return ""
    result = (table(manifest, *keys).get("version") for keys in _VERSIONS.get(project.language, ()))
    return next(
        (
            version
            for version in result
            if isinstance(version, str) and version.isprintable() and len(version) <= MAX_VERSION
        ),
        "",
    )


def _is_below(module: str, package: str) -> bool:
    return module.startswith(f"{package}/") or package.startswith(f"{module}/")


class _Seeker:
    """Finds definitions by the names that other repositories use for them."""

    def __init__(self, database: Database, projects: ProjectMap, package: Provided) -> None:
        self._world = StoredSymbolTable(database, projects)
        self._names = NameResolver(self._world)
        self._database = database
        self._package = package
        self._languages = [
            name for name, language in languages().items() if (language.family or name) == package.family
        ]
        self._from = self._file()

    def symbol(self, name: str) -> int:
        """The number of the symbol with this qualified name; 0 if there is none."""
        if self._from and self._package.family in ("python", "ecmascript", "rust"):
            target = {"python": self._dotted, "ecmascript": self._npm, "rust": self._crate}[self._package.family](name)
            return target.symbol if target and not target.is_external and target.symbol > 0 else 0
        for language in self._languages:
            if result := self._world.qualified(language, name):
                return self._names.first_by_position(result, Origin.IMPORT).symbol
        return 0

    def _file(self) -> File | None:
        """A file of the package's project, from which names are looked up; None if it has none."""
        if self._package.project is None:
            return None
        for language in self._languages:
            if row := self._database.row(
                "federation.first_file", {"language": language, "project": self._package.project.key}
            ):
                return self._world.file(row[0])
        return None

    def _dotted(self, name: str) -> Target | None:
        head, *rest = name.split(".")
        assert self._from
        return self._members(self._names.imported(self._from, head, ""), rest)

    def _crate(self, name: str) -> Target | None:
        project = self._package.project
        root = self._world.file_at(project.source_roots[0]) if project and project.source_roots else None
        return self._members(Target(root.symbol), name.split("::")[1:]) if root else None

    def _npm(self, name: str) -> Target | None:
        """Resolve a name such as `@acme/ui/button.Button.render`: the name does not show where the module's path ends,
        so every dot is tried.
        """
        assert self._from
        rest = name.removeprefix(self._package.package)
        dots = [at for at, letter in enumerate(rest) if letter == "."]
        for end in [*dots[: 1 if not rest.startswith("/") else None], len(rest)]:
            if self._names.files(self._from, module := self._package.package + rest[:end]):
                parts = rest[end + 1 :].split(".") if end < len(rest) else []
                return self._members(self._names.imported(self._from, module, parts[0] if parts else ""), parts[1:])
        return None

    def _members(self, target: Target | None, names: Sequence[str]) -> Target | None:
        assert self._from
        place = self._world.symbol(self._from.symbol)
        for name in names:
            if target is None or target.is_external:
                return None
            target = self._names.member(target, name, place)
        return target
