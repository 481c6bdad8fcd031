"""C# projects: names, references and packages from *.csproj."""

from __future__ import annotations

import posixpath
import re
from typing import Final
from xml.parsers import expat

from .manifests import Broken, Manifests, join, name_of
from .project import Project

_PROJECT: Final = re.compile(r'^Project\("\{[^}"\n]*\}"\) = "[^"\n]*", "([^"\n]*)"', re.MULTILINE)


def csharp_project(manifests: Manifests, folder: str, name: str) -> Project:
    """The project of one .csproj file.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    content = _Content()
    content.read(manifests.text(path))
    stem = name.removesuffix(".csproj")
    references = [found for include in content.references for part in include.split(";") if (found := join(folder, part.strip()))]
    return Project(
        "", "csharp", name_of(stem) or ".", folder, path, namespace=content.said("RootNamespace") or stem.replace(" ", "_"),
        assembly=content.said("AssemblyName") or stem, references=tuple(dict.fromkeys(reference for reference in references if reference in manifests)),
    )  # fmt: skip


def package_references(text: str) -> list[tuple[str, str]]:
    """(package, version as written, '' for none) of each PackageReference.

    Errors: Broken.
    """
    content = _Content()
    content.read(text)
    return content.packages


def solution_projects(path: str, text: str) -> list[str]:
    """The project files that a solution (.sln, .slnx) names, relative to it and as POSIX paths.

    Errors: Broken.
    """
    if path.endswith(".slnx"):
        content = _Content()
        content.read(text)
        found = content.projects
    else:
        found = _PROJECT.findall(text)
    return [place.replace("\\", "/") for place in found if place.endswith("proj")]


class _Content:
    """What an MSBuild file says, taken from its elements as they pass by: no tree, no entities."""

    def __init__(self) -> None:
        self.references: list[str] = []
        self.packages: list[tuple[str, str]] = []
        self.projects: list[str] = []
        self._values: dict[str, str] = {}
        self._element = ""

    def said(self, property_name: str) -> str:
        """A property's first plain value; '' when it is computed."""
        value = self._values.get(property_name, "").strip()
        return "" if "$(" in value else name_of(value)

    def read(self, text: str) -> None:
        """Read the whole text.

        Errors: Broken.
        """
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True  # else each line of a text comes alone, and putting a million together takes time by their square
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            raise Broken(f"not XML: {error}") from None

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._element = element if element not in self._values else ""
        if element == "ProjectReference" and "Include" in attributes:
            self.references.append(attributes["Include"])
        if element == "PackageReference" and "Include" in attributes:
            self.packages.append((attributes["Include"], attributes.get("Version", "")))
        if element == "Project" and "Path" in attributes:
            self.projects.append(attributes["Path"])

    def _end(self, element: str) -> None:
        self._element = ""

    def _characters(self, text: str) -> None:
        if self._element in ("RootNamespace", "AssemblyName"):
            self._values[self._element] = self._values.get(self._element, "") + text

    def _refuse(self, *_: object) -> None:
        raise Broken("it has a document type, which may hide entities")
