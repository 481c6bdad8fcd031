"""Paths of the repository relative to the current directory, and the source lines at places."""

from __future__ import annotations

import os
from typing import Final

from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.paths import read_regular

from .console import plain
from .text_wrapping import cut

ELSEWHERE: Final = ("external:", "boundary:")  # prefixes of places that are no files
MEMBER: Final = "::"  # the separator between another repository of the workspace and a path in it
WIDEST: Final = 1000  # characters of a line of source: longer ones are generated, and would hide the others


class Place:
    """Converts paths of the repository to paths relative to the current directory."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._here = os.getcwd()
        self._is_inside = os.path.commonpath([root, self._here]) == root
        self._lines: dict[str, list[str]] = {}
        self._clean: dict[str, list[str]] = {}

    def __call__(self, path: str, line: int = 0) -> str:
        """`path:line`; the path alone without a line."""
        path = path if path.startswith(ELSEWHERE) or MEMBER in path else self.path(path)
        return plain(f"{path}:{line}" if line else path)

    def path(self, path: str) -> str:
        """Return `path`, of the repository, relative to the current directory, for programs."""
        path = os.path.join(self._root, path)
        return os.path.relpath(path, self._here) if self._is_inside else path

    def source(self, path: str, line: int) -> str:
        """Return the present text of `line` of the file at `path`, without indentation and secrets; '' if it cannot be
        shown.
        """
        lines = self._shown(path)
        return cut(plain(lines[line - 1].strip()), WIDEST) if 0 < line <= len(lines) else ""

    def _shown(self, path: str) -> list[str]:
        """The lines of a file without anything that looks like a secret, which may span several lines; suspicious lines
        are empty.
        """
        if path not in self._clean:
            # the import takes 80 ms, which most commands save
            from codeagentd.secrets.redaction import is_suspect, judged

            own = judged("\n".join(self._read(path)))
            self._clean[path] = ["" if own.is_doubtful and is_suspect(line) else line for line in own.text.split("\n")]
        return self._clean[path]

    def _read(self, path: str) -> list[str]:
        if path not in self._lines:
            content = read_regular(os.path.join(self._root, path), MAX_FILE_BYTES) or b""
            self._lines[path] = content.decode("utf-8-sig", errors="replace").splitlines()
        return self._lines[path]
