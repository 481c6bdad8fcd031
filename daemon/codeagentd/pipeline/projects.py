"""The repository's projects, by path and by what their manifests say about imports."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.resolve.world import Aliases


class Project(msgspec.Struct, array_like=True, frozen=True):
    """One project. `root` is repository-relative, '' for the top."""

    key: str
    language: str
    name: str
    root: str
    source_roots: tuple[str, ...] = ()
    aliases: Aliases = Aliases()
    entries: tuple[str, ...] = ()


_encoder: Final = msgspec.msgpack.Encoder()


class ProjectMap:
    """Finds a file's project: the nearest one of its language family, else the synthetic one at the top."""

    def __init__(self, projects: Iterable[Project], ids: Mapping[str, int]) -> None:
        self.all = tuple(projects)
        self._ids = dict(ids)
        self._by_id = {ids[project.key]: project for project in self.all if project.key in ids}
        self._by_place = {(project.language, project.root): project for project in self.all}
        self._packages = {project.name: project for project in self.all if project.language == "npm"}

    @classmethod
    def empty(cls) -> ProjectMap:
        """No project at all yet."""
        return cls((), {})

    def with_ids(self, ids: Mapping[str, int]) -> ProjectMap:
        """The same projects with the ids that the index gave them."""
        return ProjectMap(self.all, ids)

    def project_of(self, path: str, language: str) -> Project:
        """The project that a file belongs to."""
        family = languages()[language].family or language
        kind = {"ecmascript": "npm"}.get(family, family)
        folder = posixpath.dirname(path)
        while True:
            if found := self._by_place.get((kind, folder)):
                return found
            if not folder:
                return Project(f"{family}:.", kind, ".", "")
            folder = posixpath.dirname(folder)

    def id_of(self, project: Project) -> int:
        """The index's id of a project; 0 = none."""
        return self._ids.get(project.key, 0)

    def aliases(self, project: int) -> Aliases:
        """Path aliases of a project by id."""
        found = self._by_id.get(project)
        return found.aliases if found else Aliases()

    def package(self, name: str) -> Sequence[str]:
        """Candidate entry paths for an import of a package of this repository, or of something inside it."""
        return ()

    def pack(self) -> bytes:
        """For the workers."""
        return _encoder.encode((self.all, self._ids))

    @classmethod
    def unpack(cls, packed: bytes) -> ProjectMap:
        """The inverse of `pack`."""
        projects, ids = msgspec.msgpack.decode(packed, type=tuple[tuple[Project, ...], dict[str, int]])
        return cls(projects, ids)
