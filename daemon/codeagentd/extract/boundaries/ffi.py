"""Foreign functions: definitions without a body, and the names under which native code defines them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import TYPES, SymbolKind

NativeRule = Callable[[FileFacts, Node, bytes], Iterator[tuple[str, Node]]]

_NATIVE: Final = re.compile(rb"\bnative\b[^;{}()]*?(\w+)\s*\(")
_BLOCK: Final = re.compile(rb'extern\s+"(?:C|system|stdcall)"\s*\{')
_MODULE: Final = re.compile(rb"(?:PYBIND11|NB)_MODULE\s*\(\s*(\w+)|#\[pymodule[^\]]*\]\s*(?:pub\s+)?(?:fn|mod)\s+(\w+)")
_PLAIN: Final = re.compile(r"[A-Za-z0-9]")


def modifier(facts: FileFacts, root: Node, source: bytes) -> Iterator[tuple[str, Node]]:
    """List (the native name, the node of the name) of Java's native methods: `native int add(int a)` is
    Java_package_Class_add.

    Source: Java Native Interface Specification, "Resolving Native Method Names".
    """
    symbols = {(symbol.line, symbol.name): symbol for symbol in facts.symbols if symbol.kind == SymbolKind.METHOD}
    for match in _NATIVE.finditer(source):
        node = root.descendant_for_byte_range(*match.span(1))
        symbol = symbols.get((node.start_point[0] + 1, match[1].decode())) if node is not None else None
        if node is None or symbol is None or node.parent is None or node.parent.type != "method_declaration":
            continue
        names, enclosing = [symbol.name], symbol.parent
        while enclosing > 0:
            names.insert(
                0,
                facts.symbols[enclosing].name
                if facts.symbols[enclosing].kind in TYPES
                else facts.symbols[enclosing].name.replace(".", "/"),
            )
            enclosing = facts.symbols[enclosing].parent
        yield "Java_" + "_".join(map(_mangled, names)), node


def _mangled(name: str) -> str:
    return "".join(
        letter if _PLAIN.match(letter) else {"/": "_", "_": "_1"}.get(letter, f"_0{ord(letter):04x}") for letter in name
    )


def block(facts: FileFacts, root: Node, source: bytes) -> Iterator[tuple[str, Node]]:
    """List (the native name, the node of the name) of the functions in Rust's `extern "C"` blocks."""
    for match in _BLOCK.finditer(source):
        node = root.descendant_for_byte_range(match.start(), match.end())
        while node is not None and node.type != "foreign_mod_item":
            node = node.parent
        body = node.child_by_field_name("body") if node is not None else None
        for child in body.named_children if body is not None else ():
            if child.type == "function_signature_item" and (name := child.child_by_field_name("name")) is not None:
                yield (name.text or b"").decode(errors="replace"), name


def module_of(source: bytes) -> str:
    """Return the name of the Python module that `source` defines with pybind11, nanobind or PyO3; '' if it defines
    none, or several.
    """
    names = {(match[1] or match[2]).decode() for match in _MODULE.finditer(source)}
    return names.pop() if len(names) == 1 else ""


NATIVES: Final[dict[str, NativeRule]] = {"modifier": modifier, "block": block}
