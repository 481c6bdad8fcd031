"""What an LSP message is about: the path of its document, by which a window with several repositories chooses among
them; and ids and tokens of several servers that their client can tell apart.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

from codeagent_protocol.file_uris import local_path

DID_OPEN: Final = "textDocument/didOpen"
DID_CHANGE: Final = "textDocument/didChange"
DID_CLOSE: Final = "textDocument/didClose"
_MARK: Final = "codeagent-lsp"
# members of `params` that are, or have, the URI of a document; `data` is the server's own, in what is resolved later
_HOLDERS: Final = ("textDocument", "item", "location", "notebookDocument", "data")
_LISTS: Final = ("files", "arguments")  # of which the first entry counts
_URIS: Final = ("uri", "oldUri")


def subject_of(params: Any) -> str | None:
    """Return the real path of the document that a message with these parameters is about; "" when the document is no
    file of this machine, None when the message is about none.
    """
    uri = _uri(params)
    if uri is None:
        return None
    path = local_path(uri)
    return os.path.realpath(path) if path and "\0" not in path else ""


def changed_document(message: Any) -> str | None:
    """Return the URI of the document that a notification opens, changes or closes; None for any other message."""
    if not isinstance(message, dict) or message.get("method") not in (DID_OPEN, DID_CHANGE, DID_CLOSE):
        return None
    return _uri(message.get("params"))


def is_within(path: str, root: str) -> bool:
    """Whether the real path `path` is `root` or below it."""
    inner, outer = os.path.normcase(path), os.path.normcase(root)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def marked(number: int, value: Any) -> str:
    """Return an id or token of the server `number` as one that no other server uses."""
    return f"{_MARK}/{number}/{json.dumps(value)}"


def unmarked(value: Any) -> tuple[int, Any] | None:
    """Return the number and the value that `marked` made `value` of; None when it did not."""
    parts = value.split("/", 2) if isinstance(value, str) else []
    if len(parts) != 3 or parts[0] != _MARK or not parts[1].isdecimal():
        return None
    try:
        return int(parts[1]), json.loads(parts[2])
    except (ValueError, RecursionError):
        return None


def line_of(message: dict[str, Any]) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, separators=(",", ":")).encode()


def _uri(params: Any) -> str | None:
    if not isinstance(params, dict):
        return None
    holders: list[Any] = [params, *(params.get(name) for name in _HOLDERS)]
    holders += [listed[0] for name in _LISTS if isinstance(listed := params.get(name), list) and listed]
    for holder in holders:
        uris = [holder.get(name) for name in _URIS] if isinstance(holder, dict) else [holder]
        if uri := next((uri for uri in uris if isinstance(uri, str)), ""):
            return uri
    return None
