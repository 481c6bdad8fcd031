"""The repository's projects with their ids in the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from codeagentd.resolve.symbol_table import Aliases
from codeagentd.scan.projects.detection import Detected, Projects
from codeagentd.scan.projects.project import Project

_encoder: Final = msgspec.msgpack.Encoder()


class ProjectMap:
    """The project of each file, and the rules of its manifests for imports."""

    def __init__(self, detected: Detected | None = None, ids: Mapping[str, int] | None = None) -> None:
        self.detected = detected or Detected()
        self._projects = Projects(self.detected)
        self._ids = dict(ids or {})

    def with_ids(self, ids: Mapping[str, int]) -> ProjectMap:
        """Return a map of the same projects that has `ids`, by the key of the project."""
        return ProjectMap(self.detected, ids)

    def project_of(self, path: str, language: str) -> Project:
        """Return the project that the file at `path` belongs to, by the manifests of its language."""
        return self._projects.project_of(path, language)

    def id_of(self, project: Project) -> int:
        """Return the id of `project` in the index; 0 if it has none."""
        return self._ids.get(project.key, 0)

    def aliases(self, path: str) -> Aliases:
        """Return the path aliases that apply to the imports of the file at `path`."""
        rules = self._projects.rules_of(path)
        return Aliases(rules.base, rules.paths)

    def package(self, name: str) -> Sequence[str]:
        """Return the paths at which the npm package `name` of this repository may begin; empty if it is none."""
        return self._projects.package(name)

    def pack(self) -> bytes:
        """Encode the map for the workers."""
        return _encoder.encode((self.detected, self._ids))

    @classmethod
    def unpack(cls, packed: bytes) -> ProjectMap:
        """Return the map that `packed` encodes: the inverse of `pack`."""
        return cls(*msgspec.msgpack.decode(packed, type=tuple[Detected, dict[str, int]]))
