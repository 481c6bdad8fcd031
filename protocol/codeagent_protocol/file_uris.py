"""The paths that `file:` URIs name. The import of `urllib.parse` would cost every window milliseconds."""

from __future__ import annotations

import os
import re
import sys
from typing import Final

_SCHEME: Final = "file://"
_ESCAPED: Final = re.compile(rb"%([0-9a-fA-F]{2})")


def local_path(uri: object) -> str:
    """Return the path that the `file:` URI `uri` names, with its escapes decoded; "" for any other value. The name of a
    host counts on Windows only, for shares.
    """
    if not isinstance(uri, str) or uri[: len(_SCHEME)].lower() != _SCHEME:
        return ""
    host, slash, path = re.split(r"[?#]", uri[len(_SCHEME) :], maxsplit=1)[0].partition("/")
    return _decoded(host, slash + path) if sys.platform == "win32" else _unescaped(slash + path)


def _decoded(host: str, path: str) -> str:
    """The path on Windows: `/c:/folder` has a drive, and a host is the server of a share."""
    text = _unescaped(path).replace("/", "\\")
    if host and host != "localhost":
        return f"\\\\{host}{text}"
    return text[1:] if re.match(r"\\[A-Za-z]:", text) else text


def _unescaped(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    return os.fsdecode(_ESCAPED.sub(lambda match: bytes((int(match[1], 16),)), raw))
