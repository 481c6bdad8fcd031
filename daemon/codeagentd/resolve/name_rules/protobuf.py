"""Protocol Buffers: names are searched from the innermost scope outwards, whole packages included; imports name files.

Source: Protocol Buffers language guide, "Packages and Name Resolution".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.resolve.targets import Target
from codeagentd.resolve.world import File, Symbol

from .rule import NameRule

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names


class ProtobufNames(NameRule):
    """Messages and enums of the enclosing messages and packages."""

    def free(self, names: Names, file: File, place: Symbol, name: str) -> Target | None:
        """The type with this name in the nearest message or package."""
        return names.in_namespaces(file, place, name)
