"""Drafts: the parts of a symbol while extraction collects them."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeagentd.model.kinds import OUTLINE, TYPES, SymbolKind

CALLABLES: Final = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY, SymbolKind.EVENT}
)
CONTAINERS: Final = TYPES | {SymbolKind.NAMESPACE, SymbolKind.MODULE, SymbolKind.TARGET}
_WITH_BODY: Final = CALLABLES | CONTAINERS | OUTLINE | {SymbolKind.RESOURCE, SymbolKind.INDEX, SymbolKind.TRIGGER}
# kinds that no bare name in an expression refers to
_NAMELESS: Final = OUTLINE | {SymbolKind.CONSTRUCTOR, SymbolKind.TARGET}


class Draft:
    """A symbol whose parts are still being collected."""

    __slots__ = (
        "access", "bases", "body", "closure", "decorators", "documented", "end", "group", "header", "identity", "index",
        "is_adopted", "is_stub", "kind", "modifiers", "more", "name", "name_end", "name_start", "own", "owner",
        "parameters", "parent", "place", "returned", "returns", "sections", "sets", "signatures", "start", "type",
    )  # fmt: skip

    def __init__(self, kind: int, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        # its own range, that of the declaration that it is one of, that where its names are visible
        self.own = self.place = self.body = (start, end)
        self.name = b""
        self.name_start = self.name_end = start
        self.parent: Draft | None = None
        self.index = 0
        self.parameters: Node | None = None
        self.returns: Node | None = None
        self.returned = ""  # the result type, by a comment
        self.type = ""
        self.header = ""  # distinguishes it from others of its name, besides the parameters
        self.identity: str | None = None  # the same, where a rule of the language computes all of it
        self.sections: tuple[tuple[int, str], ...] = ()  # where access sections begin, with their access
        self.group: Draft | None = None
        self.owner = ""  # the type or object that it belongs to, where it is defined outside of that
        self.is_adopted = False  # that owner is in this file
        self.modifiers: tuple[str, ...] = ()
        self.decorators: tuple[str, ...] = ()
        self.bases: tuple[str, ...] = ()
        self.documented = False
        # 1 + the start of the innermost function or object without a name around it, inside of its parent
        self.closure = 0
        self.is_stub = False  # only the name of the owner of members: its definition is in another file
        self.access = ""
        self.more: tuple[Draft, ...] = ()
        self.signatures: list[Node] = []  # its call signatures
        self.sets: list[int] = []  # the starts of its further assignments

    @property
    def is_value(self) -> bool:
        """Whether the symbol is a variable of some kind, and so has no body."""
        return self.kind not in _WITH_BODY

    @property
    def is_named(self) -> bool:
        """Whether the bare name refers to the symbol. A constructor is referred to by the name of its type. An explicit
        interface implementation (header `IShelf.`) is referred to through its interface.
        """
        return self.kind not in _NAMELESS and "." not in self.header
