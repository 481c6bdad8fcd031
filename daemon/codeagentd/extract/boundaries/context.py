"""The state of one search for boundaries: the tree and facts of a file, its known objects, and the boundaries collected
so far.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node, TreeCursor

from codeagentd.extract.positions import Places
from codeagentd.languages.boundary_table import VERBS, Boundaries, Row
from codeagentd.model.boundaries import ANY, Boundary, Mention, Role
from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import SymbolKind

from .call_shape import ABOVE, Called, last_name, receiver_name, root_of, text_of
from .string_constants import Constants, read_literal

LONGEST_NAME: Final = 200  # bytes
_METHOD: Final = re.compile(rf"(?:Http|Map)?((?i:{'|'.join(VERBS)}))(?![a-z])")
_ALL: Final = frozenset({"all", "any", "use"})
_HOLDERS: Final = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY, SymbolKind.CLASS,
     SymbolKind.STRUCT, SymbolKind.RECORD, SymbolKind.COMPONENT, SymbolKind.TRAIT, SymbolKind.INTERFACE}
)  # fmt: skip


class Scene:
    """The state of the search for boundaries in one file.

    `tags`: the names of known objects -> their tags. `stubs`: the names of gRPC stubs -> their services. `boundaries`:
    those found so far.
    """

    def __init__(self, known: Boundaries, facts: FileFacts, source: bytes, root: Node, places: Places) -> None:
        self.known = known
        self.facts = facts
        self.source = source
        self.root = root
        self.places = places
        self.constants = Constants(source)
        self.imports = {
            fact.local: (fact.module.removeprefix("node:"), fact.name) for fact in facts.imports if fact.local
        }
        self.imports |= {
            _last_of(fact.module): (fact.module, "")
            for fact in facts.imports
            if not fact.local and facts.language == "go"
        }
        self.tags = {local: "library" for local, (module, _) in self.imports.items() if known.is_library(module)}
        self.stubs: dict[str, str] = {}
        self.boundaries: list[Boundary] = []
        self._symbols = {(symbol.line, symbol.col): index for index, symbol in enumerate(facts.symbols) if index}
        self._holders = [
            (symbol.line_start, symbol.line_end, index)
            for index, symbol in enumerate(facts.symbols)
            if index and symbol.kind in _HOLDERS
        ]
        self._cursor: TreeCursor = root.walk()

    def add(
        self, role: Role, protocol: str, text: str, literal: Node, source: int, *, method: str = "",
        on: Mention | None = None, to: Mention | None = None, module: str = "",
    ) -> None:  # fmt: skip
        """Add a boundary with the name or path `text` at the position of `literal`; `source` is the index of the symbol
        that contains it.
        """
        line = self.places.line(literal.start_byte)
        self.boundaries.append(
            Boundary(
                role, protocol, method, text, line, self.places.column(literal.start_byte, line), source, on, to, module
            )
        )

    # -- reading calls
    def callee_key(self, call: Called) -> tuple[str, str]:
        """Return (the receiver in the form that the rows of the table use, the name) of the callee of `call`."""
        name = text_of(call.name)
        if call.receiver is None:
            module, imported = self.imports.get(name, ("", ""))
            return (
                (f"{module}:", "" if imported == "default" else imported)
                if module and self.known.knows(module)
                else ("", name)
            )
        if (path := root_of(call.receiver)) is not None:
            module, imported = self.imports.get(text_of(path[0]), ("", ""))
            if module and self.known.knows(module):
                parts = (imported if imported != "default" else "", path[1])
                return f"{module}:{'.'.join(part for part in parts if part)}", name
        of = receiver_name(call.receiver)
        return (f"@{self.tags[of]}" if of in self.tags else of), name

    def row(self, call: Called) -> Row | None:
        """Return the row of the table that `call` matches, else None."""
        of, name = self.callee_key(call)
        return self.known.row(of, name, call.is_mark)

    def literal(self, row: Row, call: Called) -> Node | None:
        """Return the argument of `call` from which `row` takes the path or name; None if it is missing."""
        return call.argument(row.path, row.names)

    def read(self, node: Node | None) -> str | None:
        """Return the text of the literal `node`; None if it is no literal."""
        return read_literal(node, self.constants)

    def methods(self, row: Row, call: Called) -> list[str]:
        """Return the HTTP methods of a route or request, from the name or an argument of `call`, else from `row`."""
        name = text_of(call.name)
        if match := _METHOD.match(name):
            return [match[1].upper()]
        if name.lower() in _ALL:
            return [ANY]
        node = call.argument(row.method_at, (row.method_name,) if row.method_name else ())
        words = (
            re.findall(r"[A-Z]+", text_of(node).upper())
            if node is not None and node.end_byte - node.start_byte < LONGEST_NAME
            else []
        )
        verbs = [word for word in words if word.lower() in VERBS]
        return list(dict.fromkeys(verbs)) or [ANY if node is not None else row.method or ANY]

    # -- positions
    def node_at(self, start: int) -> tuple[Node, list[Node]]:
        """Return (the innermost node at the byte offset `start`, the nodes around it, the nearest first).

        A cursor finds them at once; Node.parent would search from the root each time.
        """
        cursor = self._cursor
        cursor.reset(self.root)
        while cursor.goto_first_child_for_byte(start) is not None:
            pass
        results = [cursor.node]
        while len(results) <= ABOVE and cursor.goto_parent():
            results.append(cursor.node)
        name, *enclosing = [node for node in results if node is not None]
        return name, enclosing

    def offset(self, line: int, col: int) -> int:
        """Return the byte offset of the position `line` (from 1) and `col` (from 0, in characters)."""
        start: int = self.places.starts[line - 1]
        if self.places.is_ascii:
            return start + col
        return start + len(self.source[start : start + 4 * col].decode(errors="replace")[:col].encode())

    def mention(self, name: Node) -> Mention:
        """Return the text of the node `name` with its position."""
        line = self.places.line(name.start_byte)
        return Mention(text_of(name)[:LONGEST_NAME], line, self.places.column(name.start_byte, line))

    def mention_of(self, node: Node | None) -> Mention | None:
        """Return the last name of the expression `node` with its position; None if it has no name, or one that is too
        long.
        """
        name = last_name(node) if node is not None else None
        return self.mention(name) if name is not None and name.end_byte - name.start_byte <= LONGEST_NAME else None

    def symbol_of(self, name: Node) -> int:
        """Return the index of the symbol whose name is the node `name`, else of the symbol that encloses it."""
        line = self.places.line(name.start_byte)
        return self._symbols.get((line, self.places.column(name.start_byte, line)), 0) or self.enclosing_symbol(name)

    def enclosing_symbol(self, node: Node) -> int:
        """Return the index of the innermost function or type that spans the line of `node`; 0, the file's symbol, if
        there is none.
        """
        line = self.places.line(node.start_byte)
        spans = [(last - first, -index) for first, last, index in self._holders if first <= line <= last]
        return -min(spans)[1] if spans else 0


def _last_of(module: str) -> str:
    """Return the name of a Go package whose import has no alias."""
    parts = [part for part in module.split("/") if not re.fullmatch(r"v\d+", part)]
    return parts[-1] if parts else module
