"""Projects of Java, Kotlin and Scala: names from pom.xml, Gradle and sbt files, which are read and never run."""

from __future__ import annotations

import posixpath
import re
from typing import Final
from xml.parsers import expat

from .manifests import Broken, Manifests, name_of
from .project import Project

SETTINGS: Final = ("settings.gradle.kts", "settings.gradle")
JVM_MANIFESTS: Final = ("pom.xml", "build.gradle.kts", "build.gradle", *SETTINGS, "build.sbt")  # best first

# spaces before a name, and no lines: of many blank ones, each would be read from every one above it
_NAMES: Final = {
    "gradle": re.compile(r"^[ \t]*+rootProject\.name\s*=\s*[\"']([^\"'$]+)[\"']", re.MULTILINE),
    "kts": re.compile(r"^[ \t]*+rootProject\.name\s*=\s*\"([^\"$]+)\"", re.MULTILINE),
    "sbt": re.compile(r"^[ \t]*+(?:ThisBuild\s*/\s*)?name\s*:=\s*\"([^\"$]+)\"", re.MULTILINE),
}


def jvm_project(manifests: Manifests, folder: str, name: str) -> Project:
    """Return the project of the manifest `name` in `folder`.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    if name == "pom.xml":
        artifact = _artifact(manifests.text(path))
    else:
        settings = [posixpath.join(folder, file) for file in SETTINGS] if name.startswith("build.gradle") else []
        artifact = next(
            (
                declared_name
                for build_file in (*settings, path)
                if build_file in manifests and (declared_name := _declared_name(manifests.text(build_file), build_file))
            ),
            "",
        )
    return Project("", "jvm", name_of(artifact) or posixpath.basename(folder) or ".", folder, path)


def _declared_name(text: str, path: str) -> str:
    match = _NAMES[path.rpartition(".")[2]].search(text)
    return match[1] if match else ""


def _artifact(text: str) -> str:
    """Return the artifactId that is a direct child of the project element."""
    open_elements: list[str] = []
    declared_name: list[str] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        open_elements.append(element)

    def end(element: str) -> None:
        open_elements.pop()

    def characters(data: str) -> None:
        if open_elements == ["project", "artifactId"]:
            declared_name.append(data)

    def refuse(*_: object) -> None:
        raise Broken("it has a document type, which may hide entities")

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, characters
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise Broken(f"not XML: {error}") from None
    name = "".join(declared_name).strip()
    return "" if "${" in name else name
