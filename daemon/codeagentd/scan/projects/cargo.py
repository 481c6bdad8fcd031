"""Cargo packages: crate names and the crates of the same repository that they depend on, from Cargo.toml."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Broken, Manifests, join, name_of, table
from .project import Project

_DEPENDENCIES: Final = ("dependencies", "dev-dependencies", "build-dependencies")


def cargo_project(manifests: Manifests, folder: str) -> Project | None:
    """Return the package of `folder`, which has a Cargo.toml; None for a workspace without a package.

    Errors: Broken.
    """
    path = posixpath.join(folder, "Cargo.toml")
    content = manifests.toml(path)
    name = name_of(table(content, "package").get("name"))
    if not name:
        return None
    library = table(content, "lib")
    crate = (name_of(library.get("name")) or name).replace("-", "_")
    root = join(folder, str(library.get("path") or "src/lib.rs")) or ""
    return Project(
        "", "rust", name, folder, path, source_roots=(root, *_further_roots(folder, content)), namespace=crate
    )


def _further_roots(folder: str, content: dict[str, Any]) -> list[str]:
    """Return the crate roots of programs and tests in unusual places (The Cargo Book, "Cargo Targets").

    The other programs and tests of a folder are crates of their own, unless the package declares that only the targets
    that it names are.
    """
    roots = []
    for kind, usual in _TARGETS.items():
        is_listed = table(content, "package").get(f"auto{kind}s" if kind != "bench" else "autobenches") is False
        targets = content.get(kind)
        for target in targets if isinstance(targets, list) else ():
            path = target.get("path") if isinstance(target, dict) else None
            place = join(folder, path) if isinstance(path, str) else None
            if place and (is_listed or not place.startswith(tuple(posixpath.join(folder, below) for below in usual))):
                roots.append(place)
    return roots[:MAX_ENTRIES]


# kind -> where its roots are looked for
_TARGETS: Final = {"bin": ("src/",), "test": ("tests/",), "example": ("examples/",), "bench": ("benches/",)}


def with_crates(manifests: Manifests, projects: list[Project]) -> list[Project]:
    """Return `projects`, where each Cargo package has got the roots of the crates of this repository that it depends
    on.
    """
    packages = {project.name: project for project in reversed(projects) if project.language == "rust"}
    by_root = {project.root: project for project in packages.values()}
    return [
        _linked(manifests, project, packages, by_root) if project.language == "rust" else project
        for project in projects
    ]


def _linked(
    manifests: Manifests, project: Project, packages: Mapping[str, Project], by_root: Mapping[str, Project]
) -> Project:
    roots = {project.namespace: project.source_roots[:1]}
    for name, package, place in _dependencies(manifests, project):
        known = by_root.get(place) if place is not None else packages.get(package)
        if known is not None:
            roots[name.replace("-", "_") if name != known.name else known.namespace] = known.source_roots[:1]
    return msgspec.structs.replace(project, entries=tuple(roots.items())[:MAX_ENTRIES])


def _dependencies(manifests: Manifests, project: Project) -> Iterator[tuple[str, str, str | None]]:
    """List (name in the sources, package, folder) of every dependency, of every target."""
    content = manifests.toml(project.manifest)
    shared = _shared(manifests, project)
    tables = [content, *(value for value in table(content, "target").values() if isinstance(value, dict))]
    for section in tables:
        for kind in _DEPENDENCIES:
            for name, declared in table(section, kind).items():
                declared_path: dict[str, Any] = declared if isinstance(declared, dict) else {}
                root: str | None = None
                if declared_path.get("workspace") is True:
                    root, declared_path = shared.get(name, (None, {}))
                package, path = declared_path.get("package"), declared_path.get("path")
                place = join(project.root if root is None else root, path) if isinstance(path, str) else None
                yield name, package if isinstance(package, str) else name, place


def _shared(manifests: Manifests, project: Project) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return (folder of the workspace, declaration) of the dependencies that the workspace around a package declares
    for all of its members.
    """
    folder = project.root
    while True:
        path = posixpath.join(folder, "Cargo.toml")
        if path in manifests:
            try:
                declared = table(manifests.toml(path), "workspace", "dependencies")
            except Broken:
                declared = {}
            if declared:
                return {name: (folder, value if isinstance(value, dict) else {}) for name, value in declared.items()}
        if not folder:
            return {}
        folder = posixpath.dirname(folder)
