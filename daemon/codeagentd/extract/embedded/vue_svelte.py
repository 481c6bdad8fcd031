"""Vue and Svelte: the scripts, the styles, and the expressions of the template, which see the names of the scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.positions import Places

from .html import attribute, elements, raw_text, style
from .region import Hidden, Part

Range = tuple[int, int]
_LANGUAGES: Final = {"ts": "typescript", "typescript": "typescript", "tsx": "tsx"}
# blocks that bind a name for their content
_NAMING: Final = frozenset({"then_expr", "catch_expr", "snippet_start_expr"})
_NAME: Final = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:(?!:))")  # in a pattern: not the key of a pair
_FOR: Final = re.compile(rb"(.*?)\s+(?:in|of)\s+(.*)", re.DOTALL)
_BRACED: Final = re.compile(rb"\{([^{}]*)\}")
_ACTION: Final = re.compile(rb"(?:use|transition|in|out|animate):([\w$]+)")
_SHORT: Final = re.compile(rb"(?:bind|class|style):([\w$]+)$")


def vue(root: Node, source: bytes) -> Iterator[Part]:
    """List the parts of a single-file component of Vue: scripts, styles, and the expressions of its template.

    Source: Vue documentation, "SFC Syntax Specification", "Template Syntax".
    """
    yield from _component(root, source, _VueTemplate(source))


def svelte(root: Node, source: bytes) -> Iterator[Part]:
    """List the parts of a Svelte component: scripts, styles, and the expressions of its markup. Source: Svelte
    documentation, "Template syntax".
    """
    yield from _component(root, source, _SvelteTemplate(source))


def _component(root: Node, source: bytes, template: _Template) -> Iterator[Part]:
    """List the parts of a component. All scripts form one source; all expressions form another, in which each is a
    statement.
    """
    scripts = [
        node
        for node in elements(root, frozenset({"script_element"}))
        if attribute(node, "lang") in ("", "js", "jsx", "javascript", *_LANGUAGES)
    ]
    language = next(
        (_LANGUAGES[lang] for node in scripts if (lang := attribute(node, "lang")) in _LANGUAGES), "javascript"
    )
    texts = [text.byte_range for node in scripts if (text := raw_text(node)) is not None]
    if texts:
        yield Part(language, texts, is_shared=True, is_component=True, sigil=template.sigil)
    template.visit(root)
    if template.ranges:
        ranges = _apart(template.ranges)
        yield Part(
            language,
            ranges,
            source=bytes(template.text),
            is_shared=True,
            counts=False,
            hidden=template.hidden,
            sigil=template.sigil,
        )
    for node in elements(root, frozenset({"style_element"})):
        yield from style(node)


def _apart(ranges: list[Range]) -> list[Range]:
    """Return the ranges in order, without those that begin inside of others, as in a broken template."""
    results: list[Range] = []
    for start, end in sorted(ranges):
        if not results or results[-1][1] <= start:
            results.append((start, end))
    return results


class _Template:
    """A collector of the expressions of a template. In `text` a separator after each expression ends a statement."""

    sigil = ""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.text = bytearray(source)
        self.ranges: list[Range] = []
        self.hidden: Hidden = {}
        self._places = Places(source)

    def visit(self, root: Node) -> None:
        """Visit all nodes below a node."""
        todo = [root]
        while todo:
            node = todo.pop()
            if node.type not in ("script_element", "style_element"):
                self.look(node)
                todo += reversed(node.named_children)

    def look(self, node: Node) -> None:
        """Collect the expressions of one node; each kind of template has its own."""

    def expression(self, start: int, end: int) -> None:
        """Add a range as a statement; one that begins with a brace is an object, not a block.

        A range that ends with the file was never closed, and is left out.
        """
        if not self.source[start:end].strip() or end + 2 > len(self.text):
            return
        if self.source[start:end].lstrip()[:1] == b"{" and start:
            self.text[start - 1] = ord("(")
            self.text[end : end + 2] = b");"
            self.ranges.append((start - 1, end + 2))
        else:
            self.text[end] = ord(";")
            self.ranges.append((start, end + 1))

    def hide(self, node: Node, pattern: bytes) -> None:
        """Bind the names of a pattern inside of a node, where they hide those of the scripts."""
        between = self._place(node.start_byte), self._place(node.end_byte)
        for name in _NAME.findall(pattern.decode(errors="replace")):
            self.hidden.setdefault(name, []).append(between)

    def _place(self, offset: int) -> tuple[int, int]:
        line = self._places.line(offset)
        return line, self._places.column(offset, line)


class _VueTemplate(_Template):
    """Directives and interpolations."""

    def look(self, node: Node) -> None:
        if node.type == "interpolation":
            for child in node.named_children:
                self.expression(*child.byte_range)
        elif node.type == "directive_attribute":
            self._directive(node)
        elif (
            node.type == "attribute"
            and node.named_children[0].text in (b"slot-scope", b"scope")
            and (value := _value(node))
        ):
            self.hide(_element(node), value.text or b"")

    def _directive(self, node: Node) -> None:
        value = _value(node)
        if value is None:
            return
        text = value.text or b""
        directive = next((child.text for child in node.children if child.type in ("directive_name", "#")), b"")
        if directive in (b"#", b"v-slot"):
            self.hide(_element(node), text)
        elif directive == b"v-for" and (match := _FOR.fullmatch(text)):
            self.hide(_element(node), match[1])
            self.expression(value.start_byte + match.start(2), value.start_byte + match.end(2))
        else:
            self.expression(*value.byte_range)


class _SvelteTemplate(_Template):
    """Expressions in braces, blocks and directives."""

    sigil = "$"  # `$store` is the value of a store

    def look(self, node: Node) -> None:
        kind = node.type
        if kind in ("raw_text_each", "raw_text_await"):
            self.expression(*node.byte_range)
        elif kind == "raw_text_expr":
            self._text(node)
        elif kind == "attribute_value":
            for match in _BRACED.finditer(self.source, *node.byte_range):
                self.expression(*match.span(1))
        elif kind == "attribute_name":
            self._name(node)

    def _text(self, node: Node) -> None:
        """Add an expression, or hide the names that a block binds for its content."""
        outer = node.parent
        enclosing = outer.parent if outer is not None else None
        text = node.text or b""
        if outer is not None and enclosing is not None and outer.type == "each_start_expr":
            self.hide(enclosing, text.partition(b" (")[0])
        elif (
            outer is not None
            and enclosing is not None
            and (
                outer.type in _NAMING
                or (outer.type == "await_start_expr" and node.prev_sibling and node.prev_sibling.type == "then")
            )
        ):
            self.hide(enclosing, text)
        elif outer is not None and enclosing is not None and outer.type == "const_expr":
            name, _, _ = text.partition(b"=")
            self.hide(enclosing, name)
            self.expression(node.start_byte + len(name) + 1, node.end_byte)
        elif node.end_byte < len(self.text):
            start = node.start_byte + (3 if text.startswith(b"...") else 0)
            self.text[node.end_byte] = ord(";")
            self.ranges.append((start, node.end_byte + 1))

    def _name(self, node: Node) -> None:
        text = node.text or b""
        if text.startswith(b"let:"):
            self.hide(_element(node.parent or node), text[4:])
        elif match := _ACTION.match(text) or (_SHORT.match(text) if _value(node.parent or node) is None else None):
            start, end = node.start_byte + match.start(1), node.start_byte + match.end(1)
            self.text[end] = ord(";")
            self.ranges.append((start, end + 1))


def _value(attribute_node: Node) -> Node | None:
    """Return the value of an attribute, without its quotes."""
    for child in attribute_node.named_children:
        if child.type == "quoted_attribute_value":
            return child.named_children[0] if child.named_children else None
        if child.type in ("attribute_value", "expr_attribute_value"):
            return child
    return None


def _element(attribute_node: Node) -> Node:
    """Return the element that an attribute belongs to."""
    tag = attribute_node.parent
    return tag.parent if tag is not None and tag.parent is not None else attribute_node
