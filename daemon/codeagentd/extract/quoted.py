"""Names in quotes: Python's forward references, which the grammar takes for strings."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from .symbols import Captures

_NAME: Final = re.compile(rb"[^\W\d]\w*")
_TYPE: Final = re.compile(rb"[\w\s.,|\[\]]+")
_VALUES: Final = (b"Literal", b"Annotated")  # whose arguments in quotes are texts


def quoted_names(captures: Captures, source: bytes) -> dict[int, int]:
    """Where the names in quoted types stand -> where they end (Python Language Reference, "Annotations"; PEP 484, "Forward references")."""
    found: dict[int, int] = {}
    for node in captures.get("quoted", ()):
        if _TYPE.fullmatch(source, *node.byte_range) and not _is_text(node):
            found.update(match.span() for match in _NAME.finditer(source, *node.byte_range))
    return found


def _is_text(content: Node) -> bool:
    """Whether a string stands among the arguments of a type that takes texts."""
    around = content.parent
    while around is not None and around.type in ("string", "type", "type_parameter"):
        around = around.parent
    head = around.child(0) if around is not None and around.type in ("generic_type", "subscript") else None
    return head is not None and head.text is not None and head.text.endswith(_VALUES)
