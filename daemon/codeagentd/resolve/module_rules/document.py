"""Links: paths relative to the file, or to the top of the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.resolve.world import File, World

_IMPLIED: Final = ("", ".md", ".html", "/README.md", "/index.md", "/index.html")  # what a link may leave out


def document(world: World, file: File, module: str) -> Sequence[File]:
    """Where a link leads: the path as written, with the suffix that readers are spared, or the folder's own page."""
    for path in _paths(file, module.partition("?")[0]):
        for suffix in _IMPLIED:
            if found := world.file_at(f"{path}{suffix}" if path else suffix.lstrip("/")):
                return (found,)
    return ()


def _paths(file: File, module: str) -> Iterator[str]:
    """Candidates below the top of the repository."""
    if not module:
        return
    path = module.lstrip("/") if module.startswith("/") else posixpath.join(posixpath.dirname(file.path), module)
    path = posixpath.normpath(path) if path else ""
    if not path.startswith("../") and path != "..":
        yield "" if path == "." else path
