"""The rows of the table refs that the references of one file become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import FIRST_REFERENCE, THROUGH_ITEM, FileFacts
from codeagentd.model.kinds import TYPES, Origin, ReferenceKind, SymbolKind
from codeagentd.resolve.overloads.overload_resolution import is_uniform_access
from codeagentd.resolve.usage import SET, Usage

from .file_bindings import opened
from .interface import NameLookup
from .packed_references import Reference
from .targets import ExternalSymbol, Target

# of the table refs without its id: key, target (0 = open), source, kind, confidence, origin, line, col
REF_COLUMNS: Final = 8

_CALL: Final = int(ReferenceKind.CALL)
_READ: Final = int(ReferenceKind.READ)
_INHERIT: Final = int(ReferenceKind.INHERIT)
_TYPE: Final = int(ReferenceKind.TYPE)
_IMPORT: Final = int(Origin.IMPORT)
USED_AS_VALUE: Final = (int(ReferenceKind.USE), int(Origin.NAMESPACE))  # kind and origin of a module that is a value
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_CONTRACTS: Final = frozenset({SymbolKind.INTERFACE, SymbolKind.TRAIT})


def _external_numbers(names: NameLookup) -> dict[ExternalSymbol, int]:
    """The numbers of the symbols that stand for external definitions."""
    return {}


class ReferenceRows:
    """Collects the rows of one file. `numbers` has REF_COLUMNS numbers for each row. `outside` has the external
    symbols, by the numbers that stand for them as targets. `modules`: the number of each reference that reads a module,
    and the position of its row in `numbers`.
    """

    def __init__(self, names: NameLookup, key_of: Callable[[str], int], facts: FileFacts, ids: Sequence[int]) -> None:
        self._world = names.world
        self._key_of = key_of
        self._ids = ids
        language = languages()[facts.language]
        self._contracts = _CONTRACTS - {SymbolKind.TRAIT} if language.symbols.mixins else _CONTRACTS
        self._uniform = language.symbols.uniform_access
        self._converts = language.types.conversions
        self._external_numbers = names.state(_external_numbers)
        self.numbers: list[int] = []
        self.outside: dict[int, ExternalSymbol] = {}
        self.modules: list[tuple[int, int]] = []

    def add(self, name: str, target: Target, source: int, kind: int, line: int, col: int) -> None:
        """Add the row of a reference called `name` whose `target` is a symbol, of the repository or a known external
        one. Any other target gives no row.
        """
        number = target.symbol or (self._number_outside(target.outside) if target.outside else 0)
        if number:
            self.numbers += (self._key_of(name), number, source, kind, target.confidence, target.origin, line, col)

    def add_alternatives(self, target: Target, key: int, reference: Reference, use: Usage) -> int:
        """Add the rows of a `target` that is no single symbol: the members of one name that several types have, or an
        external symbol.

        Returns: 1 if rows of members were added, else 0. `key` is the key of the name.
        """
        kind, line, col, source = reference.kind, reference.line, reference.col, self._ids[reference.source]
        for member in target.alternatives:
            edge_kind = self.edge_kind(kind, use, source, member.symbol)
            self.numbers += (key, member.symbol, source, edge_kind, member.confidence, member.origin, line, col)
        # a module that is read has a member read from it, which is counted
        if target.outside is not None and (kind != _READ or target.origin != _IMPORT):
            number = self._number_outside(target.outside)
            self.numbers += (key, number, source, kind, target.confidence, target.origin, line, col)
        return int(bool(target.alternatives))

    def edge_kind(self, kind: int, use: Usage, source: int, target: int) -> int:
        """Return the kind of the edge for a reference of `kind` from the symbol `source` to the symbol `target`; both
        are ids.
        """
        if (kind == _READ and self._uniform) or use is SET:
            return self._access_kind(target, kind)
        if kind == _INHERIT:
            return self._inherit_kind(source, target)
        return _TYPE if kind == _CALL and self._converts and self._world.symbol(target).kind in TYPES else kind

    def _access_kind(self, symbol: int, kind: int) -> int:
        """The kind of a reference that reads or sets by its form alone: where a method answers, it is a call."""
        result = self._world.symbol(symbol)
        return _CALL if (is_uniform_access(result) if kind == _READ else result.kind in _FUNCTIONS) else kind

    def _inherit_kind(self, source: int, target: int) -> int:
        """A class implements an interface, an interface extends one, everything else inherits."""
        if self._world.symbol(target).kind not in self._contracts:
            return _INHERIT
        is_contract = self._world.symbol(source).kind in self._contracts
        return int(ReferenceKind.EXTEND if is_contract else ReferenceKind.IMPLEMENT)

    def mark_values(self, facts: FileFacts) -> None:
        """Let the rows of modules that are read be uses of the whole module, unless members are read from it there."""
        if not self.modules:
            return
        sources = {source.receiver - FIRST_REFERENCE for source in facts.sources if not source.flags & THROUGH_ITEM}
        used = opened(facts, ()) | sources  # the members of a variable that holds it are resolved where they are read
        for index, at in self.modules:
            if index not in used:
                self.numbers[at + 3], self.numbers[at + 5] = USED_AS_VALUE[0], USED_AS_VALUE[1]

    def _number_outside(self, symbol: ExternalSymbol) -> int:
        if (number := self._external_numbers.get(symbol)) is None:
            number = self._external_numbers[symbol] = symbol.number
        self.outside[number] = symbol
        return number
