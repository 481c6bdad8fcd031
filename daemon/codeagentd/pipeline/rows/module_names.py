"""Module names of files by their paths: one named rule per module system, chosen in language.toml."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection
from typing import Final

from codeagentd.languages.language import Language
from codeagentd.pipeline.rows.module_naming.module_name import ModuleName
from codeagentd.scan.projects.project import Project

from .module_naming import documents, haskell, ocaml, php, swift

__all__ = ["RULES", "ModuleName", "module_name", "rust_path"]

Rule = Callable[[str, Project, Collection[str]], ModuleName]  # (path, project, paths of all files)


def python(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the Python file at `path`: the dotted path below the project's source root. Imports use the
    name from the topmost package on.
    """
    stem = posixpath.splitext(_below(path, project))[0]
    parts = stem.split("/")
    imported = _from_package(path, paths)
    if parts[-1] == "__init__":
        parts = parts[:-1] or [project.name]
    qualified = ".".join(parts)
    return ModuleName(parts[-1], qualified, "" if imported == qualified else imported)


def _from_package(path: str, paths: Collection[str]) -> str:
    """Return the dotted name that begins at the topmost folder that is a package (has __init__.py)."""
    folder, _, file = path.rpartition("/")
    name = file.partition(".")[0]
    parts = [] if name == "__init__" else [name]
    while folder and f"{folder}/__init__.py" in paths:
        folder, _, last = folder.rpartition("/")
        parts.insert(0, last)
    return ".".join(parts)


def _below(path: str, project: Project) -> str:
    """Return the path below the innermost source root of the project that contains it."""
    roots = sorted((*project.source_roots, project.root), key=len, reverse=True)
    for root in roots:
        if root and path.startswith(f"{root}/"):
            return path[len(root) + 1 :]
    return path


def path(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the module name of the ECMAScript file at `path`: the path without its extension."""
    stem = path
    for suffix in (".d.ts", ".d.mts", ".d.cts"):
        stem = stem.removesuffix(suffix)
    if stem == path:
        stem = posixpath.splitext(path)[0]
    return ModuleName(posixpath.basename(stem), stem)


def rust(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the module name of the Rust file at `path`: the crate, then the folders and the file below its root (The
    Rust Reference, "Module source filenames").

    Programs, tests, examples and benchmarks are crates of their own, named `bin::tool`, `tests::lending`; without a
    Cargo.toml folders are crates.
    """
    below = path[len(project.root) :].lstrip("/") if project.manifest else path
    for root in project.source_roots[1:]:
        if posixpath.dirname(root) and path.startswith(f"{posixpath.dirname(root)}/"):
            return _below_root(path, root, below)
    folder, *rest = below.split("/")
    if folder in _CRATE_FOLDERS and len(rest) > 0:
        return _rust_name(path, [folder, *rest])
    if folder == "src" and rest[:1] == ["bin"] and len(rest) > 1:
        return _rust_name(path, rest)
    crate = (project.namespace or project.name).replace("-", "_") if project.manifest else ""
    library = project.source_roots[0] if project.source_roots else ""
    sources = f"{posixpath.dirname(library)}/".lstrip("/")
    if path == library:
        return ModuleName(crate, crate)
    parts = (
        path[len(sources) :].split("/")
        if library and path.startswith(sources)
        else rest
        if folder == "src" and rest
        else [folder, *rest]
    )
    if parts == ["main.rs"] and posixpath.join(posixpath.dirname(path), "lib.rs") in paths:
        return ModuleName(crate, f"bin::{crate}" if crate else "bin")
    return _rust_name(path, [crate, *parts] if crate else parts)


def _below_root(path: str, root: str, below: str) -> ModuleName:
    """Return the name of a file of the crate whose root the manifest names."""
    outer, stem = posixpath.dirname(root), posixpath.splitext(posixpath.basename(root))[0]
    kind = below.partition("/")[0]
    crate = [
        kind if kind in _CRATE_FOLDERS else "bin",
        posixpath.basename(outer) if stem in ("main", "mod", "lib") else stem,
    ]
    return (
        ModuleName(crate[1], "::".join(crate))
        if path == root
        else _rust_name(path, [*crate, *path[len(outer) + 1 :].split("/")])
    )


_CRATE_FOLDERS: Final = frozenset({"tests", "examples", "benches"})


def _rust_name(path: str, parts: list[str]) -> ModuleName:
    stem = posixpath.splitext(parts[-1])[0]
    names = parts[:-1] if stem in ("mod", "lib", "main") else [*parts[:-1], stem]
    return ModuleName(names[-1] if names else stem, "::".join(names))


def rust_path(module: str, path: str) -> str:
    """Return the Rust `path` as it is valid everywhere, without crate, self or super at its beginning; `module` is
    where it is written.
    """
    head, *rest = path.split("::")
    scope = module.split("::")
    if head == "crate":
        scope = scope[: 2 if scope[0] in (*_CRATE_FOLDERS, "bin") else 1]
    while head == "super":
        scope = scope[:-1]
        head, *rest = rest or [""]
        rest = [head, *rest] if head and head != "super" else rest
    return "::".join(filter(None, [*scope, *rest]))


def none(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the file at `path`, in a language whose names do not depend on files. The file's symbol is
    its path, and its definitions have no prefix.
    """
    return ModuleName(posixpath.basename(path), "")


def include(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the C or C++ file at `path`. It is included by the end of its path, and its definitions have
    no prefix.
    """
    name = posixpath.basename(path)
    return ModuleName(name, "", name)


def go(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the Go file at `path`: the import path of its folder, below the module's path or, without a
    go.mod, after `src` (GOPATH). A path with `vendor` counts from the last one on.
    """
    folder = posixpath.dirname(path)
    for outer in ("vendor/",) if project.manifest else ("vendor/", "src/"):
        _, separator, tail = f"/{folder}".rpartition(f"/{outer}")
        if separator:
            return ModuleName(posixpath.basename(path), tail, is_package=True)
    below = folder[len(project.root) :].lstrip("/") if project.manifest else folder
    name = project.name if project.manifest else ""
    return ModuleName(posixpath.basename(path), "/".join(filter(None, (name, below))), is_package=True)


def lua(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the Lua file at `path`. Its definitions have no prefix; a file that a rock installs as a
    module is required by that name.
    """
    installed = next((name for name, places in project.entries if path in places), "")
    return ModuleName(posixpath.basename(path), "", installed)


RULES: Final[dict[str, Rule]] = {
    "bash": none,
    "clojure": none,
    "dart": none,
    "document": documents.document,
    "elixir": none,
    "erlang": none,
    "files": none,
    "fortran": none,
    "generic": none,
    "go": go,
    "haskell": haskell.haskell,
    "include": include,
    "lua": lua,
    "make": documents.document,
    "none": none,
    "notebook": documents.notebook,
    "ocaml": ocaml.ocaml,
    "path": path,
    "php": php.php,
    "protobuf": none,
    "python": python,
    "r": none,
    "ruby": none,
    "rust": rust,
    "sass": documents.document,
    "swift": swift.swift,
    "terraform": documents.terraform,
    "zig": none,
}


def module_name(path: str, language: Language, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the file at `path` by the rule of its language; `paths` are all files of the repository."""
    return RULES[language.rules.module](path, project, paths)
