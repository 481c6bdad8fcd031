"""Detection of the projects of a repository, and of the project of each file: from manifests, which are data and never
run.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.limits import MAX_MANIFESTS
from codeagentd.languages.language import languages

from .cargo import cargo_project, with_crates
from .csharp import csharp_project
from .go import GO_MANIFESTS, go_project, with_workspaces
from .jvm import JVM_MANIFESTS, jvm_project
from .lua import lua_project
from .manifests import Broken, Manifests
from .npm import candidates, npm_project
from .php import php_project
from .project import Project
from .python import PYTHON_MANIFESTS, python_project
from .ruby import ruby_project, with_gems
from .swift import MANIFEST as SWIFT_MANIFEST
from .swift import swift_project
from .tsconfig import CONFIG_NAMES, PathRules, path_rules

KINDS: Final = {"ecmascript": "npm"}  # language family -> kind of project, where it is not the family's own name
TOP: Final = "."  # name of the synthetic project for the files that belong to no other


class Detected(msgspec.Struct, array_like=True, frozen=True):
    """The result of the detection of projects.

    `rules` are the path rules of each folder with a tsconfig.json; `problems` are (manifest, why it was ignored).
    """

    projects: tuple[Project, ...] = ()
    rules: tuple[PathRules, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()


class Projects:
    """Lookups in the detected projects."""

    def __init__(self, detected: Detected) -> None:
        self.detected = detected
        self._by_place = {(project.language, project.root): project for project in detected.projects}
        self._rules = {rules.folder: rules for rules in detected.rules}
        self._packages = {project.name: project for project in reversed(detected.projects) if project.language == "npm"}

    def project_of(self, path: str, language: str) -> Project:
        """Return the nearest project around the file at `path` of the kind of `language`, else the synthetic project at
        the top.
        """
        kind = kind_of(language)
        for folder in _folders(path):
            if project := self._by_place.get((kind, folder)):
                return project
        return top_project(language)

    def rules_of(self, path: str) -> PathRules:
        """Return the path rules that apply to the file at `path`: those of the nearest tsconfig.json around it."""
        return next((project for folder in _folders(path) if (project := self._rules.get(folder))), PathRules(""))

    def package(self, module: str) -> tuple[str, ...]:
        """Return the possible targets of an import of `module` from an npm package of this repository, best first:
        files, or stems without extension.
        """
        parts = module.split("/")
        split = 2 if module.startswith("@") else 1
        project = self._packages.get("/".join(parts[:split]))
        return candidates(project, "/".join(parts[split:])) if project else ()


def kind_of(language: str) -> str:
    """Return the kind of project that files of `language` belong to."""
    family = languages()[language].family or language
    return KINDS.get(family, family)


def top_project(language: str) -> Project:
    """Return the project of those files of `language` that have no manifest in a folder around them."""
    return Project(f"{languages()[language].family or language}:{TOP}", kind_of(language), TOP, "")


def is_manifest(path: str) -> bool:
    """Whether detection reads the file at `path`, by its name, so that it has to be repeated when the file changes."""
    if not path.endswith(_ENDINGS):  # nearly all files
        return False
    name = path.rpartition("/")[2]
    if name in PYTHON_MANIFESTS or name in JVM_MANIFESTS or name in GO_MANIFESTS or name in _MANIFESTS:
        return True
    return name.endswith(_SUFFIXES) or _is_tsconfig(name)


_MANIFESTS: Final = frozenset(
    {"package.json", "jsconfig.json", "Cargo.toml", SWIFT_MANIFEST, "composer.json", "Gemfile"}
)
_SUFFIXES: Final = (".csproj", ".props", ".targets", ".gemspec", ".rockspec")
_ENDINGS: Final = (*PYTHON_MANIFESTS, *JVM_MANIFESTS, *GO_MANIFESTS, *_MANIFESTS, *_SUFFIXES, ".json")


def _is_tsconfig(name: str) -> bool:
    return name.startswith("tsconfig") and name.endswith(".json")


def detect(root: Path, files: Iterable[str]) -> Detected:
    """Return the projects that the manifests among `files` (repository-relative) declare.

    Returns: projects in order of depth and path, with keys that are unique; unusable manifests are listed, not raised.
    """
    manifests = Manifests(root, files)
    folders = _by_folder(manifests)
    projects: list[Project] = []
    for folder, names in sorted(folders.items(), key=lambda item: (item[0].count("/") + bool(item[0]), item[0])):
        for make in (_python, _npm, _csharp, _go, _jvm, _cargo, _swift, _php, _ruby, _lua):
            projects += make(manifests, folder, names)
    projects = with_workspaces(
        manifests,
        with_crates(manifests, with_gems(projects)),
        [folder for folder, names in folders.items() if "go.work" in names],
    )
    projects = _unique(projects)
    packages = {project.name: project.root for project in reversed(projects) if project.language == "npm"}
    rules = [
        found_rules for folder, names in folders.items() if (found_rules := _rules(manifests, folder, names, packages))
    ]
    return Detected(tuple(projects), tuple(rules), tuple(sorted(manifests.problems.items())))


def _by_folder(manifests: Manifests) -> dict[str, list[str]]:
    """Group the names of manifests by folder."""
    folders: dict[str, list[str]] = {}
    chosen = [path for path in manifests.paths if is_manifest(path)]
    for path in sorted(chosen, key=lambda path: (path.count("/"), path))[:MAX_MANIFESTS]:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    if len(chosen) > MAX_MANIFESTS:
        manifests.problems["*"] = f"only the first {MAX_MANIFESTS} of {len(chosen)} manifests were read"
    return folders


def _attempt(manifests: Manifests, path: str, make: Callable[[], Project | None]) -> Iterator[Project]:
    try:
        if project := make():
            yield project
    except Broken as problem:
        manifests.problems[path] = str(problem)


def _python(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if chosen := next((name for name in PYTHON_MANIFESTS if name in names), ""):
        yield from _attempt(manifests, posixpath.join(folder, chosen), lambda: python_project(manifests, folder))


def _npm(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if "package.json" in names:
        path = posixpath.join(folder, "package.json")
        yield from _attempt(manifests, path, lambda: npm_project(manifests, folder))
        return
    config = next((name for name in CONFIG_NAMES if name in names), "")
    if config and not any(posixpath.join(outer, "package.json") in manifests for outer in _folders(folder)):
        yield Project("", "npm", posixpath.basename(folder) or TOP, folder, posixpath.join(folder, config))


def _csharp(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    chosen, *others = sorted(
        (name for name in names if name.endswith(".csproj")), key=lambda name: (len(name), name)
    ) or [""]
    if chosen:
        yield from _attempt(
            manifests, posixpath.join(folder, chosen), lambda: csharp_project(manifests, folder, chosen)
        )
    for name in others:
        manifests.problems[posixpath.join(folder, name)] = f"{chosen} stands for this folder"


def _go(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if "go.mod" in names:
        yield from _attempt(manifests, posixpath.join(folder, "go.mod"), lambda: go_project(manifests, folder))


def _jvm(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if chosen := next((name for name in JVM_MANIFESTS if name in names), ""):
        yield from _attempt(manifests, posixpath.join(folder, chosen), lambda: jvm_project(manifests, folder, chosen))


def _swift(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if SWIFT_MANIFEST in names:
        yield from _attempt(manifests, posixpath.join(folder, SWIFT_MANIFEST), lambda: swift_project(manifests, folder))


def _cargo(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if "Cargo.toml" in names:
        yield from _attempt(manifests, posixpath.join(folder, "Cargo.toml"), lambda: cargo_project(manifests, folder))


def _php(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    if "composer.json" in names:
        yield from _attempt(manifests, posixpath.join(folder, "composer.json"), lambda: php_project(manifests, folder))


def _ruby(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    chosen = next(
        (name for name in sorted(names, key=lambda name: (len(name), name)) if name.endswith(".gemspec")),
        "Gemfile" if "Gemfile" in names else "",
    )
    if chosen:
        yield from _attempt(manifests, posixpath.join(folder, chosen), lambda: ruby_project(manifests, folder, chosen))


def _lua(manifests: Manifests, folder: str, names: list[str]) -> Iterator[Project]:
    chosen = next(
        (name for name in sorted(names, key=lambda name: (len(name), name)) if name.endswith(".rockspec")), ""
    )
    if chosen:
        yield from _attempt(manifests, posixpath.join(folder, chosen), lambda: lua_project(manifests, folder, chosen))


def _rules(manifests: Manifests, folder: str, names: list[str], packages: dict[str, str]) -> PathRules | None:
    chosen = next((name for name in CONFIG_NAMES if name in names), "")
    path = posixpath.join(folder, chosen)
    try:
        return path_rules(manifests, path, packages) if chosen else None
    except Broken as problem:
        manifests.problems[path] = str(problem)
        return None


def _unique(rules: list[Project]) -> list[Project]:
    """Return the same projects with a key each; of projects with the same name, the outermost has the name as
    its key.
    """
    names: set[str] = set()
    named = []
    for project in rules:
        key = f"{project.language}:{project.name}"
        if key in names:
            key = f"{key}:{project.root}"
        names.add(key)
        named.append(msgspec.structs.replace(project, key=key))
    return named


def _folders(path: str) -> Iterator[str]:
    """List the folders around a path, innermost first, '' for the top."""
    while path:
        path = posixpath.dirname(path)
        yield path
