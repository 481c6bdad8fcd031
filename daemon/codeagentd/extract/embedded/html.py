"""HTML: the scripts and styles of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from .region import Part

_SCRIPTS: Final = {
    "": "javascript",
    "module": "javascript",
    "text/javascript": "javascript",
    "application/javascript": "javascript",
    "text/babel": "javascript",
}
_STYLES: Final = {"": "css", "text/css": "css", "css": "css", "scss": "scss", "postcss": "css"}


def page(root: Node, source: bytes) -> Iterator[Part]:
    """List the scripts and styles of the page `root`. All scripts see each other's names; data blocks (other types) are
    no scripts.

    Source: HTML Living Standard, "The script element".
    """
    for node in elements(root, frozenset({"script_element", "style_element"})):
        is_script = node.type == "script_element"
        language = (_SCRIPTS if is_script else _STYLES).get(attribute(node, "type").lower(), "")
        if language and (text := raw_text(node)):
            yield Part(language, [text.byte_range], is_shared=is_script)


def style(node: Node) -> Iterator[Part]:
    """List the style of the style element `node`; nothing if it is empty or of an unknown language."""
    language = _STYLES.get(attribute(node, "lang").lower(), "")
    if language and (text := raw_text(node)):
        yield Part(language, [text.byte_range])


def elements(root: Node, kinds: frozenset[str]) -> list[Node]:
    """Return all elements of the node types `kinds` below `root`, in document order."""
    results, todo = [], [root]
    while todo:
        node = todo.pop()
        if node.type in kinds:
            results.append(node)
        else:
            todo += reversed(node.named_children)
    return results


def raw_text(element: Node) -> Node | None:
    """Return the text of the script or style `element`; None if it is empty."""
    return next(
        (child for child in element.children if child.type == "raw_text" and child.end_byte > child.start_byte), None
    )


def attribute(element: Node, name: str) -> str:
    """Return the value of the attribute `name` of `element`; '' if it is missing."""
    tag = element.children[0] if element.children else None
    for child in tag.named_children if tag else ():
        if child.type == "attribute" and child.named_children and child.named_children[0].text == name.encode():
            value = child.named_children[-1]
            return (value.text or b"").decode(errors="replace").strip("\"'") if len(child.named_children) > 1 else ""
    return ""
