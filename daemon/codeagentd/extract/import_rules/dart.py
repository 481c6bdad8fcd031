"""The import rule of Dart: imported and exported libraries, with the names that they show, and parts of a library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from .imported import Imported, Statement, text_of

_EXPORT: Final = "library_export"
_SHOW: Final = "show"


def dart(statement: Node) -> Statement:
    """Return the imports of `statement`: import "a.dart" as a show B, export "a.dart" show B, part "a.dart", part of
    "a.dart". What the file of a part defines is also a name of the library.
    """
    uri = next(_below(statement, "uri"), None)
    if uri is None:
        return
    module, at = text_of(uri).strip("'\""), uri.start_byte + 1
    if statement.type == "part_directive":
        yield Imported(module, "*", "", at, at)
    exported = statement.type == "part_directive" or next(_below(statement, _EXPORT), None) is not None
    shown = [
        name
        for combinator in _below(statement, "combinator")
        if any(child.type == _SHOW for child in combinator.children)
        for name in combinator.named_children
    ]
    specification = next(_below(statement, "import_specification"), None)
    prefix = (
        next((child for child in specification.named_children if child.type == "identifier"), None)
        if specification
        else None
    )
    if prefix is not None:
        yield Imported(module, "", text_of(prefix), prefix.start_byte, at)
    elif shown:
        yield from (
            Imported(module, text_of(name), text_of(name), name.start_byte, at, exported=exported) for name in shown
        )
    else:
        yield Imported(module, "*", "", at, at, exported=exported)


def _below(statement: Node, kind: str) -> Iterator[Node]:
    """List the nodes of a kind in a statement, which is as deep as the grammar makes it."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if node.type == kind:
            yield node
        waiting += reversed(node.named_children)
