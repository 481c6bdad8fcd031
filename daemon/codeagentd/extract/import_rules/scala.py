"""The import rule of Scala: imports, with selectors, renamings and wildcards of Scala 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .imported import Imported, Statement, text_of

_RENAMED = ("arrow_renamed_identifier", "as_renamed_identifier")


def scala(statement: Node) -> Statement:
    """Return the imports of the import clause `statement`: import a.b.C; import a.b.{C, D => E, F => _, _}; import
    a.b.*; import a.b.C as D; import a.b, c.d; givens are left out.

    The objects along the path are imported without a name. The parts that are packages are recognised by their case, as
    in Java.
    """
    path: list[Node] = []
    for child in statement.children:
        if child.type == ",":
            yield from _last(path)
            path = []
        elif child.type in ("identifier", "operator_identifier"):
            path.append(child)
        elif child.type == "namespace_wildcard":
            yield from _whole(path, child)
            path = []
        elif child.type in _RENAMED:
            yield from _renamed(path, child)
            path = []
        elif child.type == "namespace_selectors":
            yield from _selected(path, child)
            path = []
    yield from _last(path)


def _last(path: list[Node]) -> Iterator[Imported]:
    if path:
        name = text_of(path[-1]).strip("`")
        yield Imported(_dotted(path[:-1]), name, name, path[-1].start_byte, path[0].start_byte)
        yield from _outer_objects(path[:-1])


def _whole(path: list[Node], wildcard: Node) -> Iterator[Imported]:
    if path and text_of(wildcard) != "given":
        yield Imported(_dotted(path), "*", "", path[0].start_byte, path[0].start_byte)
        yield from _outer_objects(path[:-1])


def _renamed(path: list[Node], node: Node) -> Iterator[Imported]:
    """List the import of a name under another one; `C => _` hides it."""
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if name is not None and alias is not None and alias.type != "wildcard" and text_of(alias) != "_":
        at = path[0].start_byte if path else name.start_byte
        yield Imported(_dotted(path), text_of(name).strip("`"), text_of(alias).strip("`"), name.start_byte, at)


def _selected(path: list[Node], selectors: Node) -> Iterator[Imported]:
    if not any(child.type == "namespace_wildcard" for child in selectors.named_children):
        yield from _outer_objects(path)
    for child in selectors.named_children:
        if child.type in _RENAMED:
            yield from _renamed(path, child)
        elif child.type == "namespace_wildcard":
            yield from _whole(path, child)
        elif child.type in ("identifier", "operator_identifier"):
            name = text_of(child).strip("`")
            yield Imported(
                _dotted(path), name, name, child.start_byte, path[0].start_byte if path else child.start_byte
            )


def _outer_objects(path: list[Node]) -> Iterator[Imported]:
    for count, node in enumerate(path):
        if text_of(node)[:1].isupper():
            yield Imported(_dotted(path[:count]), text_of(node), "", node.start_byte, path[0].start_byte)


def _dotted(path: list[Node]) -> str:
    return ".".join(text_of(node).strip("`") for node in path)
