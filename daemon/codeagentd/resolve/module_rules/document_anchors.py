"""Anchors in documents and data files: `#install` is a heading or an id, `#/definitions/shelf` a key."""

from __future__ import annotations

from collections.abc import Iterator

from codeagentd.model.heading_anchors import anchor_of, counted, plain, pointed
from codeagentd.model.kinds import Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, Target

from .document_links import document
from .rule import ModuleRule

SIGN = "#"  # begins a name that is such a place


class DocumentModules(ModuleRule):
    """The module rule of documents: links lead to files, and to anchors in them."""

    def __init__(self) -> None:
        super().__init__(document)

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of the linked file `module`. A `name` that begins with `#` is an anchor; without a
        `module` it is an anchor of `file` itself.
        """
        return (
            _anchor_target(names.world, file, module, name)
            if name.startswith(SIGN)
            else names.imported_from_file(file, module, name, depth)
        )


def _anchor_target(world: SymbolTable, file: File, module: str, name: str) -> Target | None:
    files = document(world, file, module) if module else (file,)
    if not files:
        return EXTERNAL
    look_up = _key_at_pointer if name.startswith("#/") else _anchor
    symbol = look_up(world, files[0], name[1:])
    return Target(symbol, origin=int(Origin.IMPORT if module else Origin.SCOPE)) if symbol else None


def _anchor(world: SymbolTable, file: File, anchor: str) -> int:
    """The id of the symbol that a fragment names: an id as written, else the n-th heading with this anchor.

    A heading with an explicit anchor (`# Install {#setup}`) has it as its type.
    """
    normalized = plain(anchor)
    base, number = counted(normalized)
    headings: list[int] = []
    for symbol in sorted(_descendants(world, file.symbol), key=lambda symbol: symbol.line):
        if symbol.type == f"#{anchor}" or (symbol.kind == SymbolKind.ELEMENT and symbol.name == anchor):
            return symbol.id
        if symbol.kind != SymbolKind.SECTION:
            continue
        own_anchor = anchor_of(symbol.name)
        if own_anchor == normalized:
            return symbol.id
        if own_anchor == base:
            headings.append(symbol.id)
    return headings[number] if 0 < number < len(headings) else 0


def _key_at_pointer(world: SymbolTable, file: File, pointer: str) -> int:
    """The id of the key at a JSON pointer."""
    current = file.symbol
    for part in pointed(pointer):
        members = world.members(current).get(part)
        if not members:
            return 0
        current = members[0].id
    return current


def _descendants(world: SymbolTable, symbol: int) -> Iterator[Symbol]:
    for members in world.members(symbol).values():
        for member in members:
            yield member
            yield from _descendants(world, member.id)
