"""C# projects: names, references, packages and usings from *.csproj and the MSBuild files that these import."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Final
from xml.parsers import expat

from .manifests import Broken, Manifests, join, name_of
from .project import Project

# MSBuild imports the nearest one above a project: "Customize your build"
SHARED: Final = ("Directory.Build.props", "Directory.Build.targets")
MOST_IMPORTS: Final = 20  # MSBuild files that one project imports
_VALUE: Final = re.compile(r"\$\(([\w.]+)\)")
_HERE: Final = "msbuildthisfiledirectory"
_PROJECT: Final = re.compile(r'^Project\("\{[^}"\n]*\}"\) = "[^"\n]*", "([^"\n]*)"', re.MULTILINE)


def csharp_project(manifests: Manifests, folder: str, name: str) -> Project:
    """Return the project of the .csproj file `name` in `folder`.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    content = _Content()
    content.read(manifests.text(path))
    stem = name.removesuffix(".csproj")
    references = [
        joined
        for include in content.references
        for part in include.split(";")
        if (joined := join(folder, part.strip()))
    ]
    return Project(
        "", "csharp", name_of(stem) or ".", folder, path,
        namespace=content.property_value("RootNamespace") or stem.replace(" ", "_"),
        assembly=content.property_value("AssemblyName") or stem,
        references=tuple(dict.fromkeys(reference for reference in references if reference in manifests)),
        entries=tuple(dict.fromkeys(_usings(manifests, folder, content))),
    )  # fmt: skip


def _usings(manifests: Manifests, folder: str, project: _Content) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List (namespace or type, its alias or '*') of the Using items of a project, and of the MSBuild files that it
    imports; conditions count as true.
    """
    for content in (project, *_imported(manifests, folder, project)):
        for name, alias in content.usings:
            if "$(" not in name:
                yield name, (alias or "*",)


def _imported(manifests: Manifests, folder: str, project: _Content) -> Iterator[_Content]:
    """List the MSBuild files that a project imports, directly or through others, as far as their paths use only
    properties whose values are known.
    """
    values = project.properties()
    waiting = [path for name in SHARED if (path := _nearest(manifests, folder, name))]
    waiting += _places(manifests, folder, project, values)
    seen = set[str]()
    while waiting and len(seen) < MOST_IMPORTS:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        content = _Content()
        try:
            content.read(manifests.text(path))
        except Broken as problem:
            manifests.problems[path] = str(problem)
            continue
        values = content.properties() | values
        yield content
        waiting += _places(manifests, posixpath.dirname(path), content, values)


def _places(manifests: Manifests, folder: str, content: _Content, values: Mapping[str, str]) -> Iterator[str]:
    """List the files that the Import elements of a file in this folder name."""
    known = dict(values) | {_HERE: f"{folder}/" if folder else "./"}
    for declared in content.imports:
        place = _VALUE.sub(lambda match: known.get(match[1].lower(), match[0]), declared)
        path = join("" if _HERE in declared.lower() else folder, place) if "$(" not in place else None
        if path and path in manifests:
            yield path


def _nearest(manifests: Manifests, folder: str, name: str) -> str:
    while True:
        if (path := posixpath.join(folder, name)) in manifests:
            return path
        if not folder:
            return ""
        folder = posixpath.dirname(folder)


def package_references(text: str) -> list[tuple[str, str]]:
    """Return (package, version as written, '' for none) of each PackageReference in `text`, a project file.

    Errors: Broken.
    """
    content = _Content()
    content.read(text)
    return content.packages


def solution_projects(path: str, text: str) -> list[str]:
    """Return the project files that the solution (.sln, .slnx) at `path` names, relative to the solution and as POSIX
    paths.

    Errors: Broken.
    """
    if path.endswith(".slnx"):
        content = _Content()
        content.read(text)
        joined = content.projects
    else:
        joined = _PROJECT.findall(text)
    return [place.replace("\\", "/") for place in joined if place.endswith("proj")]


class _Content:
    """The content of an MSBuild file, collected while its elements are parsed: no tree is built and no entity is
    expanded.
    """

    def __init__(self) -> None:
        self.references: list[str] = []
        self.packages: list[tuple[str, str]] = []
        self.projects: list[str] = []
        self.usings: list[tuple[str, str]] = []  # (namespace or type, alias)
        self.imports: list[str] = []
        self._values: dict[str, str] = {}  # the first of each property, by its name in small letters
        self._element = ""
        self._are_properties = False

    def property_value(self, property_name: str) -> str:
        """Return the first plain value of a property; '' when the value is computed."""
        return name_of(self.properties().get(property_name.lower(), ""))

    def properties(self) -> dict[str, str]:
        """The first plain value of each property, by its name in lower case."""
        return {name: value.strip() for name, value in self._values.items() if "$(" not in value}

    def read(self, text: str) -> None:
        """Read the whole text.

        Errors: Broken.
        """
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = (
            True  # else each line of a text comes alone, and putting a million together takes time by their square
        )
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            raise Broken(f"not XML: {error}") from None

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._element = element.lower() if self._are_properties and element.lower() not in self._values else ""
        self._are_properties |= element == "PropertyGroup"
        if element == "ProjectReference" and "Include" in attributes:
            self.references.append(attributes["Include"])
        if element == "Using" and "Include" in attributes:
            self.usings += [
                (name.strip(), attributes.get("Alias", "")) for name in attributes["Include"].split(";") if name.strip()
            ]
        if element == "Import" and "Project" in attributes:
            self.imports.append(attributes["Project"])
        if element == "PackageReference" and "Include" in attributes:
            self.packages.append((attributes["Include"], attributes.get("Version", "")))
        if element == "Project" and "Path" in attributes:
            self.projects.append(attributes["Path"])

    def _end(self, element: str) -> None:
        self._element = ""
        self._are_properties &= element != "PropertyGroup"

    def _characters(self, text: str) -> None:
        if self._element:
            self._values[self._element] = self._values.get(self._element, "") + text

    def _refuse(self, *_: object) -> None:
        raise Broken("it has a document type, which may hide entities")
