"""Links in documents: paths relative to the file, or to the top of the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.resolve.symbol_table import File, SymbolTable

_IMPLIED: Final = ("", ".md", ".mdx", ".html", "/README.md", "/index.md", "/index.html")  # what a link may leave out


def document(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file to which the link `module` in `file` leads: the path as written, with a suffix that links leave out, or
    the page of a folder.
    """
    for path in _paths(file.path, module.partition("?")[0]):
        for name in (
            *(f"{path}{suffix}" if path else suffix.lstrip("/") for suffix in _IMPLIED),
            f"{path.removesuffix('.html')}.md",
        ):
            if result := world.file_at(name):
                return (result,)
    return ()


def _paths(path: str, module: str) -> Iterator[str]:
    """Candidates below the top of the repository; a path that begins with a slash begins at the site's root, which is
    one of the folders around the file.
    """
    folders = [posixpath.dirname(path)] if not module.startswith("/") else list(_folders(path))
    for folder in folders if module else ():
        candidate = posixpath.normpath(posixpath.join(folder, module.lstrip("/")))
        if not candidate.startswith("../") and candidate != "..":
            yield "" if candidate == "." else candidate


def _folders(path: str) -> list[str]:
    """The folders around a file, outermost first, '' for the top."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]
