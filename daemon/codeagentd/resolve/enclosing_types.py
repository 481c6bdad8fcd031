"""The types that enclose the symbols of one file. `this`, and names without a receiver, refer to their members."""

from __future__ import annotations

from collections.abc import Sequence

from codeagentd.languages.language import languages
from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import TYPES, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.module_rules.cpp import gtest_fixture
from codeagentd.resolve.usage import INSTANCE, STATIC, Side

from .interface import NameLookup
from .symbol_table import Symbol
from .targets import Target


class EnclosingTypes:
    """The types around the symbols of one file. Everywhere `source` is the index of a symbol in the facts
    of the file.
    """

    def __init__(self, names: NameLookup, facts: FileFacts, ids: Sequence[int]) -> None:
        self._names = names
        self._world = names.world
        self._symbols = facts.symbols
        self._ids = ids
        self._is_pasted = languages()[facts.language].modules.is_pasted
        self._file_types = languages()[facts.language].symbols.file_types
        self._known: dict[int, int] = {}

    def type_of(self, source: int) -> int:
        """The id of the innermost type that encloses the symbol `source`, or that an extension around it extends; 0 for
        none.
        """
        if source not in self._known:
            index, symbols = source, self._symbols
            while index > 0 and symbols[index].kind not in TYPES and not symbols[index].bases:
                index = symbols[index].parent
            extended = (
                self._extends(self._world.symbol(self._ids[index]))
                if index > 0 and symbols[index].kind not in TYPES
                else ()
            )
            is_type = symbols[index].kind in TYPES if index > 0 else self._file_types
            inner = self._ids[index] if is_type else 0
            self._known[source] = extended[0] if extended else inner or (0 if index > 0 else self._owner(source))
        return self._known[source]

    def external_type_of(self, source: int) -> Target | None:
        """An instance of the external type that an extension around the symbol `source` extends: the type of `this`
        there. None without such an extension.
        """
        symbols = self._symbols
        while source > 0 and (symbols[source].kind in TYPES or not symbols[source].bases):
            source = symbols[source].parent
        return (
            self._names.values.type_of_annotation(self._world.symbol(self._ids[source]), symbols[source].bases[0])
            if source > 0
            else None
        )

    def member_of_object(self, source: int, name: str) -> Target | None:
        """The member `name` of the object literal in whose method the symbol `source` is: `shelf.lend = function () {
        this.put(); }`.

        The result is inferred, since a caller may pass another object as `this`.
        """
        symbols = self._symbols
        while source > 0 and symbols[source].kind != SymbolKind.METHOD:
            source = symbols[source].parent
        result = self._world.members(self._ids[symbols[source].parent]).get(name) if source > 0 else None
        return self._names.first_by_position(result, Origin.SELF).inferred() if result else None

    def side_of(self, source: int) -> Side:
        """STATIC if `this` is the type itself inside of the symbol `source`, INSTANCE if it is one of its objects."""
        symbols = self._symbols
        while source > 0 and symbols[symbols[source].parent].kind not in TYPES:
            source = symbols[source].parent
        return STATIC if symbols[source].flags & SymbolFlag.STATIC else INSTANCE

    def _extends(self, symbol: Symbol) -> Sequence[int]:
        """The types whose members are visible in the body of a function that is not a member of them."""
        return gtest_fixture(self._names, symbol) if self._is_pasted else self._names.inheritance.bases(symbol).types

    def _owner(self, source: int) -> int:
        """The id of the type of a member that is defined in this file and declared in another one; 0 = none."""
        if not self._symbols[source].shared:
            return 0
        outer = self._world.symbol(self._ids[source]).parent
        return outer if outer and self._world.symbol(outer).kind in TYPES else 0
