"""The known types of the arguments of one file's calls, and whether a call needs them to choose an overload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import (
    DECLARED,
    EXPRESSION,
    FIRST_REFERENCE,
    LOCAL,
    NAMED,
    THROUGH_CALL,
    THROUGH_ITEM,
    VALUE,
    WRITTEN,
    FileFacts,
    ValueSource,
)
from codeagentd.model.kinds import TYPES
from codeagentd.resolve.name_rules.extension_members import may_extend
from codeagentd.resolve.overloads.conversion_ranking import written
from codeagentd.resolve.overloads.overload_resolution import FUNCTIONS
from codeagentd.resolve.usage import UNKNOWN, ArgumentType

from .interface import NameLookup
from .symbol_table import File
from .targets import Target

MAX_TYPED_ARGUMENTS: Final = 8  # arguments of a call whose types are looked at


TargetOf = Callable[[int], Target | None]  # the target of a reference
Local = Callable[[int, int], Target | None]  # the value of a source of a definition (model.facts)


class Arguments:
    """The argument types of one file's calls.

    It does not hold a reference to the object that holds it, since workers do not collect reference cycles.
    """

    def __init__(self, names: NameLookup, file: File, facts: FileFacts) -> None:
        self._names = names
        self._world = names.world
        self._language = file.language
        self._facts = facts
        language = languages()[facts.language]
        self._own_types = language.arguments
        self._extends = language.symbols.extensions or language.symbols.extending_parameters
        self._namesakes: dict[tuple[int, int], bool] = {}  # by type or namespace and name
        self._extensions: dict[int, bool] = {}  # by name

    def is_overloaded(self, name: int, target: Target | None) -> bool:
        """Whether a call of the name number `name` has several functions as candidates: members of the type of
        `target`, or extensions.

        The answer depends on nothing that the call itself does not depend on.
        """
        if target is not None and (not target.symbol or self._world.symbol(target.symbol).kind not in FUNCTIONS):
            return False
        return (target is not None and self._has_namesakes(name, target)) or (
            self._extends and self._has_extension(name)
        )

    def _has_namesakes(self, name: int, target: Target) -> bool:
        holder = target.owner or self._world.symbol(target.symbol).parent
        if (holder, name) not in self._namesakes:
            places = (
                self._names.inheritance.mro(holder)
                if holder and self._world.symbol(holder).kind in TYPES
                else (holder,)
                if holder
                else ()
            )
            named = (self._world.members(place).get(self._facts.names[name], ()) for place in places)
            self._namesakes[holder, name] = sum(symbol.kind in FUNCTIONS for group in named for symbol in group) > 1
        return self._namesakes[holder, name]

    def _has_extension(self, name: int) -> bool:
        if name not in self._extensions:
            named = self._names.named(self._facts.names[name], self._language)
            self._extensions[name] = any(may_extend(symbol) for symbol in named)
        return self._extensions[name]

    def argument_types(
        self, source: int, sources: Sequence[int], target_of: TargetOf, local: Local
    ) -> tuple[tuple[ArgumentType, ...], bool]:
        """Return (the types of a call's arguments, whether they are certain); no types if none is known.

        `sources` are the numbers of the arguments' sources and `source` is the index of the symbol with the call.
        `target_of` and `local` look references and local variables up.
        """
        known = [self._argument(source, number, target_of, local) for number in sources[:MAX_TYPED_ARGUMENTS]]
        if all(argument == UNKNOWN for argument in known):
            return (), True
        types = tuple([argument._replace(is_sure=True) for argument in known])
        return types, all(argument.is_sure for argument in known)

    def _argument(self, source: int, number: int, target_of: TargetOf, local: Local) -> ArgumentType:
        """The known type of an argument, by the number of its source."""
        if not number:
            return UNKNOWN
        value_source = self._facts.sources[number - 1]
        text = self._facts.texts[value_source.receiver] if value_source.how == DECLARED else ""
        if text.startswith(WRITTEN):
            word = text.removeprefix(WRITTEN)
            return ArgumentType(name=word, is_sure=word != NAMED)
        value = local(source, number)
        if value is not None and value.symbol:
            return ArgumentType(symbol=value.symbol, is_sure=not value.confidence) if value.instance else UNKNOWN
        if value_source.how == VALUE:
            text = self._written_type_of(value_source, target_of)
        if not text or text.startswith(EXPRESSION) or (value is None and text not in self._own_types):
            return UNKNOWN
        argument = written(self._names, self._language, text)
        return argument._replace(is_sure=not (value and value.confidence)) if argument.name else UNKNOWN

    def _written_type_of(self, value_source: ValueSource, target_of: TargetOf) -> str:
        """The written type of the definition that a value is read from: a local variable, a field, or a function that
        is called.
        """
        if value_source.receiver == LOCAL and value_source.binding and not value_source.flags:
            other = self._facts.sources[value_source.binding - 1]
            return self._facts.texts[other.receiver] if other.how == DECLARED else ""
        target = (
            target_of(value_source.receiver - FIRST_REFERENCE) if value_source.receiver >= FIRST_REFERENCE else None
        )
        if target is None or not target.symbol or value_source.flags & THROUGH_ITEM:
            return ""
        symbol = self._world.symbol(target.symbol)
        return (
            (symbol.returns or symbol.type)
            if (symbol.kind in FUNCTIONS) == bool(value_source.flags & THROUGH_CALL)
            else ""
        )
