"""Operations: the rows of refs for the methods that syntax runs on an operand, and for values that are called.

Source: The Python Language Reference, "Special method names", "Calls", "The raise statement".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from codeagentd.languages.language import CALLING, RAISING, languages
from codeagentd.model.facts import CLASS, FIRST_BOUND, PLAIN, FileFacts
from codeagentd.model.kinds import TYPES, Origin, ReferenceKind, SymbolKind
from codeagentd.resolve.usage import CALLED

from .dispatch import constructed
from .interface import NameLookup, ReferenceTargets
from .packed_references import Receiver
from .targets import Target

_CALL: Final = int(ReferenceKind.CALL)
_CONSTRUCT: Final = int(ReferenceKind.CONSTRUCT)
_OPERATION: Final = int(Origin.OPERATION)
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


class _Methods(NamedTuple):
    """The methods of which an operation runs the first that the operand has, and one that it runs on the result."""

    alternatives: tuple[str, ...]
    following: str = ""


def _methods_of(text: str) -> _Methods:
    """Return the methods that the languages' data name with `text`."""
    alternatives, _, following = text.partition(">")
    return _Methods(tuple(alternatives.split("|")), following)


class OperationRows:
    """The rows for the operations of one file."""

    def __init__(self, names: NameLookup, key_of: Callable[[str], int], facts: FileFacts, ids: Sequence[int]) -> None:
        self._names = names
        self._world = names.world
        self._key_of = key_of
        self._facts = facts
        self._ids = ids
        self._known = languages()[facts.language].operations
        self._keys: dict[str, int] = {}

    def rows(self, targets: ReferenceTargets) -> Iterator[int]:
        """Yield the columns of the rows one after the other. `targets` are those of the file's references."""
        methods = [self._methods(word) for word in self._facts.operation_words]
        for number, line, col, source, receiver, binding, flags, is_sure in self._facts.operation_rows():
            word = self._facts.operation_words[number]
            if not methods[number] and word not in (CALLING, RAISING):
                continue
            base = (
                Target(self._ids[binding - FIRST_BOUND])
                if receiver == PLAIN
                else targets.receiver_target(source, Receiver(receiver, binding, flags))
            )
            value = self._names.values.type_of_target(base) if base is not None else None
            if value is None or value.is_external:
                continue
            if word in (CALLING, RAISING):
                called = value.inferred() if receiver == CLASS or not is_sure else value
                yield from self.of_called_value(called, self._ids[source], line, col, raised=word == RAISING)
            else:
                yield from self._of_methods(methods[number], value, self._ids[source], line, col)

    def of_called_value(
        self, value: Target, source: int, line: int, col: int, *, raised: bool = False
    ) -> Iterator[int]:
        """Yield the columns of the rows for a call of `value`, of whose name there is no row: of a type, also for its
        constructor.
        """
        for target in value.alternatives or (value,):
            if not target.symbol:
                continue
            symbol = self._world.symbol(target.symbol)
            if target.instance:
                yield from self._of_methods(self._methods(CALLING), target, source, line, col) if not raised else ()
            elif symbol.kind in TYPES:
                # what is declared as a type may be a subtype
                target = target.inferred() if target.origin == Origin.TYPE else target
                yield from self._row(target, source, _CALL, line, col)
                if constructor := constructed(self._names, target, 0, CALLED):
                    yield from self._row(constructor.capped_by(target), source, _CONSTRUCT, line, col)
            elif symbol.kind in _FUNCTIONS and not raised:
                yield from self._row(target, source, _CALL, line, col)

    def _methods(self, word: str) -> list[_Methods]:
        """The methods that an operation runs, if a type of the repository has any of them."""
        groups = [_methods_of(text) for text in self._known.get(word, ())]
        return [group for group in groups if any(self._has_member(name) for name in group.alternatives)]

    def _has_member(self, name: str) -> bool:
        return self._world.has_member(self._key(name), self._facts.language)

    def _of_methods(
        self, methods: Sequence[_Methods], value: Target, source: int, line: int, col: int
    ) -> Iterator[int]:
        for target in value.alternatives or (value,):
            if not target.symbol or not target.instance:
                continue
            for group in methods:
                candidates = (self._names.inheritance.member(target.symbol, name) for name in group.alternatives)
                method = next((member for member in candidates if member is not None and member.symbol), None)
                if method is None or self._world.symbol(method.symbol).kind not in _FUNCTIONS:
                    continue
                bound = method.bound_to(target.symbol, target.confidence, Origin.TYPE)
                name = self._world.symbol(method.symbol).name
                yield from self._row(bound, source, _CALL, line, col, name)
                if group.following and (result := self._names.values.type_of_call(bound)) is not None:
                    yield from self._of_methods([_Methods((group.following,))], result, source, line, col)

    def _row(self, target: Target, source: int, kind: int, line: int, col: int, name: str = CALLING) -> tuple[int, ...]:
        return self._key(name), target.symbol, source, kind, target.confidence, _OPERATION, line, col

    def _key(self, name: str) -> int:
        if name not in self._keys:
            self._keys[name] = self._key_of(name)
        return self._keys[name]
