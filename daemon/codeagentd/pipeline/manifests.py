"""From the repository's manifests to its projects."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .projects import ProjectMap


def detect(root: Path, files: Iterable[str]) -> ProjectMap:
    """The projects that the manifests among `files` declare."""
    return ProjectMap.empty()
