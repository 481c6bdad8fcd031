"""The further rows of refs for a call of a type, which runs a constructor, and for a call of a variable or field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import CONSTRUCTED, PLAIN, FileFacts
from codeagentd.model.kinds import TYPES, ReferenceKind
from codeagentd.resolve.types.inference import VALUES
from codeagentd.resolve.usage import Usage, usage_of

from .call_arguments import Arguments
from .dispatch import constructed
from .interface import NameLookup, ReferenceTargets
from .operations import OperationRows
from .packed_references import Reference
from .targets import Target

_CONSTRUCT: Final = int(ReferenceKind.CONSTRUCT)


class CallRows:
    """The further rows for the calls of one file."""

    def __init__(
        self,
        names: NameLookup,
        key_of: Callable[[str], int],
        facts: FileFacts,
        ids: Sequence[int],
        arguments: Arguments,
        operations: OperationRows,
    ) -> None:
        language = languages()[facts.language]
        self._names = names
        self._world = names.world
        self._key_of = key_of
        self._facts = facts
        self._ids = ids
        self._file = names.world.symbol(ids[0]).file
        self._arguments = arguments
        self._call_arguments = facts.call_arguments()
        self._operations = operations
        self._entailing = TYPES | VALUES if language.operations else TYPES  # kinds whose calls run something else
        self._constructor_words = frozenset(language.receivers.self_words + language.receivers.super_words)
        self._constructors: dict[tuple[int, Usage, int, int], Target | None] = {}

    def rows(
        self, targets: ReferenceTargets, index: int, target: Target, row: Sequence[int], use: Usage
    ) -> Iterable[int]:
        """Return the columns of the rows for what the call number `index` of `target` runs."""
        kind = self._world.symbol(target.symbol).kind
        if kind not in self._entailing:
            return ()
        reference = Reference(*row)
        if kind in TYPES:
            return self._constructor_row(targets, index, target, reference, use)
        if reference.receiver == PLAIN and self._world.symbol(target.symbol).file == self._file:
            return ()  # the values of variables of this file are operands
        value = self._names.values.type_of_target(target)
        if value is None or value.is_external:
            return ()
        source = self._ids[reference.source]
        return self._operations.of_called_value(value.inferred(), source, reference.line, reference.col)

    def _constructor_row(
        self, targets: ReferenceTargets, index: int, type_: Target, reference: Reference, use: Usage
    ) -> tuple[int, ...]:
        """The row for the constructor that a call of a type runs, chosen by the types of its arguments where several
        take as many.
        """
        arguments = self._call_arguments.get(index)
        if reference.flags & CONSTRUCTED:
            use = usage_of(reference.kind, reference.flags & ~CONSTRUCTED)
        if arguments and use.is_call:
            types, is_sure = self._arguments.argument_types(
                reference.source, arguments, targets.target_of, targets.local_type
            )
            use = use.with_types(types) if is_sure else use
        caller = self._ids[reference.source]
        is_delegating = self._facts.names[reference.name] in self._constructor_words
        key = (type_.symbol, use, type_.confidence, caller if is_delegating else 0)
        if key not in self._constructors:
            self._constructors[key] = constructed(self._names, type_, key[3], use)
        if (target := self._constructors[key]) is None:
            return ()
        name = self._key_of(self._facts.names[reference.name])
        edge = (name, target.symbol, caller, _CONSTRUCT, target.confidence, target.origin)
        return (*edge, reference.line, reference.col)
