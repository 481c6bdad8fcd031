"""The URIs of files, as editors name documents, and paths of the repository."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from urllib.parse import quote

from codeagent_protocol.file_uris import local_path


def uri_of(root: Path, path: str) -> str:
    """Return the URI of the file at `path`, relative to `root`."""
    whole = f"{root}/{path}" if path else str(root)
    if sys.platform == "win32":
        whole = "/" + whole.replace("\\", "/")
    return "file://" + quote(whole, safe="/:~!$&'()*+,;=@")


def file_of(uri: str) -> str:
    """Return the absolute path of the local file that `uri` names; '' for anything else."""
    path = local_path(uri)
    return "" if "\0" in path or not os.path.isabs(path) else os.path.normpath(path)


def path_in(root: Path, uri: str) -> str | None:
    """Return the path relative to `root` of the file that `uri` names; None where it is no file, or lies outside.

    A file that is reached through a symbolic link to the root, or to a folder above it, lies inside.
    """
    file = file_of(uri)
    if not file:
        return None
    for whole in (file, os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))):
        inside = os.path.relpath(whole, root)
        is_outside = inside == os.pardir or inside.startswith(os.pardir + os.sep) or os.path.isabs(inside)
        if inside != os.curdir and not is_outside:
            return inside.replace(os.sep, "/")
    return None
