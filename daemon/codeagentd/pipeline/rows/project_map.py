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
        """Return the same projects with their ids."""
        return ProjectMap(self.detected, ids)

    def project_of(self, path: str, language: str) -> Project:
        """Return the project that a file belongs to."""
        return self._projects.project_of(path, language)

    def id_of(self, project: Project) -> int:
        """Return the index's id of a project; 0 = none."""
        return self._ids.get(project.key, 0)

    def aliases(self, path: str) -> Aliases:
        """Return the path aliases that apply to a file."""
        rules = self._projects.rules_of(path)
        return Aliases(rules.base, rules.paths)

    def package(self, name: str) -> Sequence[str]:
        """Return the candidate entry paths of an npm package of this repository."""
        return self._projects.package(name)

    def pack(self) -> bytes:
        """Encode the map for the workers."""
        return _encoder.encode((self.detected, self._ids))

    @classmethod
    def unpack(cls, packed: bytes) -> ProjectMap:
        """Return the map of an encoded one: the inverse of `pack`."""
        return cls(*msgspec.msgpack.decode(packed, type=tuple[Detected, dict[str, int]]))
