"""The facts about one project."""

from __future__ import annotations

import msgspec


class Project(msgspec.Struct, array_like=True, frozen=True):
    """One project. Paths are repository-relative, '' for the top.

    `entries` depend on the kind: for an npm package (subpath, places), where '' is the package itself, with at most one
    `*` in each; for a Go module (path of another module, its folder); for a rock (module, its file); for a gem (another
    gem that it needs, the folders of that gem that it sees); for a C# project (namespace or type that all its files
    use, its alias or '*'). `references` are the manifests of other projects that a C# project names; for a Ruby project
    they are, until all projects are known, the gems that it names.
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
