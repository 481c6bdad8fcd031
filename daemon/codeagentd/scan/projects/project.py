"""The facts about one project."""

from __future__ import annotations

import msgspec


class Project(msgspec.Struct, array_like=True, frozen=True):
    """One project. Paths are repository-relative, '' for the top.

    `entries` are (subpath, places) of an npm package: '' is the package itself, at most one `*` in each; of a Go module
    (path of another module, its folder), of a rock (module, its file), of a gem (another one that it needs, the folders
    that it sees of it), of a C# project (namespace or type that all its files use, its alias or '*'). `references` are
    the manifests of other projects that a C# project names, and until all are known the gems that one of Ruby does.
    """

    key: str
    language: str  # kind of project: python, npm, csharp, go, jvm, rust, swift
    name: str
    root: str
    manifest: str = ""  # '' = synthetic
    source_roots: tuple[str, ...] = ()
    entries: tuple[tuple[str, tuple[str, ...]], ...] = ()
    workspaces: tuple[str, ...] = ()  # patterns of folders, relative to `root`
    namespace: str = ""  # C#: RootNamespace
    assembly: str = ""  # C#: AssemblyName
    references: tuple[str, ...] = ()
