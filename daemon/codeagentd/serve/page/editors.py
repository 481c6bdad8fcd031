"""Addresses that open a place of a file in an editor of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

# name, and the form of its addresses: {path} is absolute and quoted
EDITORS: Final = (
    ("VS Code", "vscode://file{path}:{line}"),
    ("JetBrains", "jetbrains://idea/navigate/reference?path={path}:{line}"),
    ("Zed", "zed://file{path}:{line}"),
)


class EditorLink(NamedTuple):
    """The name of an editor, and the address that opens the place there."""

    name: str
    url: str


def editor_links(file: Path, line: int) -> list[EditorLink]:
    """Return the addresses of a line of `file` for each editor."""
    path = quote(file.as_posix())
    path = path if path.startswith("/") else f"/{path}"
    return [EditorLink(name, form.format(path=path, line=line)) for name, form in EDITORS]
