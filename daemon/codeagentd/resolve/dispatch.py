"""Dispatch: the members that a member overrides, and the constructor that a call of a type runs.

The rows of these relations are references of the file that declares the overriding member, or that has the call, and
follow changes as others do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import TYPES, Confidence, Origin, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.resolve.overloads.conversion_ranking import have_same_parameters
from codeagentd.resolve.overloads.overload_resolution import FUNCTIONS, applicable
from codeagentd.resolve.usage import CALLED_WITHOUT_ARGUMENTS, Usage

from .interface import NameLookup
from .symbol_table import File, Symbol
from .targets import Target

MOST_ANCESTORS: Final = 500  # more than any type has; bounds the walk when the sources are nonsense

_OVERRIDE: Final = (int(ReferenceKind.OVERRIDE), int(Origin.OVERRIDE))
_INFERRED: Final = int(Confidence.INFERRED)


def override_rows(
    names: NameLookup, key_of: Callable[[str], int], file: File, facts: FileFacts, ids: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield a row of refs for each member that a member of this file overrides, at the name of the overriding one."""
    for index, fact in enumerate(facts.symbols):
        if fact.kind in TYPES or not index:
            continue
        member = names.world.symbol(ids[index])
        if not member.parent or member.file != file.id or names.world.symbol(member.parent).kind not in TYPES:
            continue
        for base, confidence in overridden(names, member):
            yield (key_of(base.name), base.id, member.id, _OVERRIDE[0], confidence, _OVERRIDE[1], fact.line, fact.col)


def overridden(names: NameLookup, member: Symbol) -> list[tuple[Symbol, int]]:
    """The members that a member overrides, each with a confidence: on every way up from its type, the nearest one."""
    if member.kind == SymbolKind.CONSTRUCTOR:
        return []
    result: dict[int, tuple[Symbol, int]] = {}
    seen, level = {member.parent}, [member.parent]
    while level and len(seen) <= MOST_ANCESTORS:
        following: list[int] = []
        for type_id in level:
            for base_id in names.inheritance.bases(names.world.symbol(type_id)).types:
                if base_id in seen:
                    continue
                seen.add(base_id)
                declared = [
                    (base, confidence)
                    for base in names.inheritance.declared(base_id, member.name)
                    if (confidence := _override_confidence(names, member, base)) is not None
                ]
                result |= {base.id: (base, confidence) for base, confidence in declared}
                if not declared:
                    following.append(base_id)
        level = following
    return [*result.values()]


def _override_confidence(names: NameLookup, member: Symbol, base: Symbol) -> int | None:
    """The confidence with which a member overrides one of the same name in a base type; None where it does not."""
    if base.kind in TYPES or base.kind == SymbolKind.CONSTRUCTOR or base.id == member.id:
        return None
    if not languages()[_language_of(names, member.id)].symbols.overloads:
        return int(Confidence.EXACT)
    if (member.flags | base.flags) & SymbolFlag.STATIC or (member.kind in FUNCTIONS) != (base.kind in FUNCTIONS):
        return None
    if member.kind not in FUNCTIONS:
        return int(Confidence.EXACT)
    same = have_same_parameters(names, member, base)
    if same is False:
        return None
    siblings = names.world.members(member.parent).get(member.name, ())
    is_sure = same or not any(
        sibling.id != member.id and have_same_parameters(names, sibling, base) is not False for sibling in siblings
    )
    return int(Confidence.EXACT if is_sure else Confidence.INFERRED)


def constructed(names: NameLookup, target: Target, caller: int, use: Usage) -> Target | None:
    """The constructor that a call of a type runs: its own, or else that of the nearest ancestor with one. None where
    the repository declares none, or the header of the type is its constructor.
    """
    for type_id in names.inheritance.mro(target.symbol):
        declared = [symbol for symbol in names.inheritance.constructors(type_id) if symbol.id != caller]
        header = names.world.symbol(type_id).signature
        if declared or header:
            break
    else:
        return None
    if type_id != target.symbol and languages()[_language_of(names, type_id)].symbols.overloads:
        use = CALLED_WITHOUT_ARGUMENTS  # constructors are not inherited: the default one calls that of the base
    fits = applicable(names, declared, use) if declared else ()
    if not declared or (header and not fits):
        return None
    return names.select_overload(fits or declared, use, Origin.CONSTRUCTOR).capped_by(target)


def _language_of(names: NameLookup, symbol: int) -> str:
    return names.world.file(names.world.symbol(symbol).file).language
