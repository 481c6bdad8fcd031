"""Bare names: the bindings of names without a receiver."""

from __future__ import annotations

from collections.abc import Mapping

from codeagentd.extract.scopes import LOCAL, Visible, binding_outside_function, outermost, tag_of

from .parsed_file import ParsedFile


class BareNames:
    """The lookup of the bare names of one file.

    `since`: (the names of a scope, one of them) -> the end of its declaration. Before that offset the name refers to a
    declaration of an outer scope. `called`: the ends of names that are called.
    """

    def __init__(self, file: ParsedFile, since: Mapping[tuple[int, bytes], int], called: Mapping[int, int]) -> None:
        source, captures, symbols = file.source, file.captures, file.language.symbols
        # the names under which scopes bind tags of C, and names that are looked up outside of all namespaces
        self._keys = {
            node.start_byte: tag_of(source[node.start_byte : node.end_byte]) for node in captures.get("tag", ())
        } | {
            node.start_byte: outermost(source[node.start_byte : node.end_byte])
            for node in captures.get("outermost", ())
        }
        self._since = since
        self._late = {name for _, name in since}
        self._called = called
        # variables do not hide functions; a name with a sigil shows itself that it is a variable
        self._separate_values = symbols.separate_values and not symbols.sigil
        self._may_pass = bool(since) or self._separate_values

    def bound(self, start: int, end: int, name: bytes, visible: Visible) -> int | None:
        """Return the binding of the bare `name` from `start` to `end`, in the nearest of the scopes `visible` that has
        the name; None if no scope has it.
        """
        key, enclosing = self._keys.get(start, name), visible
        bound: int | None = None
        while enclosing and not bound:
            inside, enclosing = enclosing
            bound = inside.get(key)
        if not self._may_pass or bound is None or (bound > LOCAL and key not in self._late):
            return bound
        if self._separate_values and end in self._called:
            return binding_outside_function(enclosing, key)
        return self._declared_before(start, key, inside, enclosing) if (id(inside), key) in self._since else bound

    def variable(self, start: int, end: int, name: bytes, visible: Visible) -> dict[bytes, int] | None:
        """Return the names of the scope that has the local variable which `bound` finds for the same arguments; None
        where the name is something else.
        """
        key, enclosing = self._keys.get(start, name), visible
        while enclosing:
            inside, enclosing = enclosing
            if not (bound := inside.get(key)) or self._since.get((id(inside), key), 0) > start:
                continue
            return None if bound > LOCAL or (self._separate_values and end in self._called) else inside
        return None

    def _declared_before(self, start: int, key: bytes, inside: dict[bytes, int], enclosing: Visible) -> int | None:
        """Return the binding of a name at an offset, in languages where a local variable is visible only after its
        declaration.
        """
        visible: Visible = (inside, enclosing)
        bound: int | None = None
        while visible and not bound:
            inside, visible = visible
            bound = inside.get(key)
            if bound is not None and self._since.get((id(inside), key), 0) > start:
                bound = None
        return bound
