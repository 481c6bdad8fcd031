"""Dispatch: the members that a member overrides, and the constructor that a call of a type runs.

The rows of these relations are references of the file that declares the overriding member, or that has the call, and
follow changes as others do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import HEIRS, TYPES, Confidence, Origin, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.resolve.overloads.constructors import base_class, constructor
from codeagentd.resolve.overloads.conversion_ranking import have_same_parameters
from codeagentd.resolve.overloads.csharp_delegates import explicit_interface
from codeagentd.resolve.overloads.overload_resolution import FUNCTIONS, applicable, is_uniform_access, labels
from codeagentd.resolve.syntax.signatures import parameters_in, takes
from codeagentd.resolve.usage import CALLED, CALLED_WITHOUT_ARGUMENTS, TYPE, Usage

from .interface import NameLookup
from .symbol_table import File, Symbol
from .targets import Target

CONSTRUCTION: Final = "()"  # the name by which the constructors of a type are looked up, whatever they are called
MOST_ANCESTORS: Final = 500  # more than any type has; bounds the walk when the sources are nonsense

_OVERRIDE: Final = (int(ReferenceKind.OVERRIDE), int(Origin.OVERRIDE))
_EXACT: Final = int(Confidence.EXACT)
_INFERRED: Final = int(Confidence.INFERRED)
_HIDDEN: Final = frozenset({SymbolKind.FIELD, SymbolKind.CONSTANT})  # where parameters distinguish members
_CONTRACTS: Final = frozenset({SymbolKind.INTERFACE, SymbolKind.TRAIT})
_METHODS: Final = FUNCTIONS | {SymbolKind.PROPERTY}  # what is called, or stands for a call
_VIRTUAL: Final = SymbolFlag.VIRTUAL | SymbolFlag.ABSTRACT | SymbolFlag.OVERRIDE


def override_rows(
    names: NameLookup, key_of: Callable[[str], int], file: File, facts: FileFacts, ids: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield a row of refs for each member that a member of this file overrides, at the name of the overriding one."""
    for index, fact in enumerate(facts.symbols):
        if fact.kind in TYPES or not index:
            continue
        member = names.world.symbol(ids[index])
        if not member.parent or member.file != file.id or names.world.symbol(member.parent).kind not in HEIRS:
            continue
        for base, confidence in overridden(names, member):
            yield (key_of(base.name), base.id, member.id, _OVERRIDE[0], confidence, _OVERRIDE[1], fact.line, fact.col)


def overridden(names: NameLookup, member: Symbol) -> list[tuple[Symbol, int]]:
    """The members that a member overrides, each with a confidence: on every way up from its type, the nearest one."""
    # where types implement interfaces by structure, a method hides one of an embedded type: no call of that leads to it
    if member.kind == SymbolKind.CONSTRUCTOR or languages()[_language_of(names, member.id)].symbols.structural:
        return []
    result: dict[int, tuple[Symbol, int]] = {}
    seen, level = {member.parent}, [member.parent]
    while level and len(seen) <= MOST_ANCESTORS:
        following: list[int] = []
        for type_id in level:
            for base_id in names.inheritance.bases(names.world.symbol(type_id)).types:
                if base_id in seen or _is_companion(names, type_id, base_id):
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


def _is_companion(names: NameLookup, type_id: int, base_id: int) -> bool:
    """Whether a base is the companion object of a type (Kotlin): its members are beside those of the type."""
    base = names.world.symbol(base_id)
    return base.parent == type_id and bool(base.flags & SymbolFlag.STATIC)


def _override_confidence(names: NameLookup, member: Symbol, base: Symbol) -> int | None:
    """The confidence with which a member overrides one of the same name in a base type; None where it does not."""
    if base.kind in TYPES or base.kind == SymbolKind.CONSTRUCTOR or base.id == member.id:
        return None
    rules = languages()[_language_of(names, member.id)].symbols
    if base.flags & SymbolFlag.PRIVATE:
        return None
    if rules.headers == "arity":
        return _EXACT if _asks_for(names, base) and _implements(member, base) else None
    if not rules.overloads:
        are_apart = rules.separate_values and (member.kind in _METHODS) != (base.kind in _METHODS)
        return None if are_apart else _EXACT
    if not _may_override(names, member, base) or _is_hidden(names, rules.overriding, member, base):
        return None
    if member.kind not in FUNCTIONS or base.kind not in FUNCTIONS:
        are_alike = (member.kind in FUNCTIONS) == (base.kind in FUNCTIONS)
        return _EXACT if are_alike or (rules.uniform_access and is_uniform_access(base)) else None
    same = have_same_parameters(names, member, base)
    if same is False or (rules.labels and labels(member.signature) != labels(base.signature)):
        return None
    siblings = names.world.members(member.parent).get(member.name, ())
    is_sure = same or not any(
        sibling.id != member.id and have_same_parameters(names, sibling, base) is not False for sibling in siblings
    )
    return _EXACT if is_sure else _INFERRED


def _asks_for(names: NameLookup, base: Symbol) -> bool:
    """Whether other modules have to define a function: the callback of a behaviour, or a function of a protocol."""
    return bool(base.flags & SymbolFlag.ABSTRACT) or names.world.symbol(base.parent).kind == SymbolKind.INTERFACE


def _implements(member: Symbol, base: Symbol) -> bool:
    """Whether a function takes as many arguments as the one that is asked for."""
    return takes(member.signature, len(parameters_in(f"({base.signature.removeprefix('(').removesuffix(')')})")))


def _may_override(names: NameLookup, member: Symbol, base: Symbol) -> bool:
    """Whether a member of this kind can override another one, whatever their parameters are: fields are hidden, and a
    static member only fulfils a requirement, or is marked as overriding.
    """
    if member.kind in _HIDDEN or base.kind in _HIDDEN or (member.flags ^ base.flags) & SymbolFlag.STATIC:
        return False
    is_static = bool(member.flags & SymbolFlag.STATIC)
    if is_static and not (base.flags & SymbolFlag.ABSTRACT or member.flags & SymbolFlag.OVERRIDE):
        return False
    only = explicit_interface(member)
    return not explicit_interface(base) and (not only or names.world.symbol(base.parent).name == only)


def _is_hidden(names: NameLookup, overriding: str, member: Symbol, base: Symbol) -> bool:
    """Whether a member hides one of a class, in languages that tell hiding and overriding apart (`SymbolRules`)."""
    if not overriding or member.flags & SymbolFlag.OVERRIDE or names.world.symbol(base.parent).kind in _CONTRACTS:
        return False
    if overriding == "modifier" or base.flags & _VIRTUAL:
        return overriding == "modifier"
    return not any(
        other.flags & _VIRTUAL and have_same_parameters(names, base, other)
        for ancestor in names.inheritance.mro(base.parent)[1:]
        for other in names.inheritance.declared(ancestor, base.name)
    )


def constructed(names: NameLookup, target: Target, caller: int, use: Usage) -> Target | None:
    """The constructor that a call of a type runs: its own, or else that of the nearest ancestor with one. None where
    the repository declares none, or the header of the type is its constructor.

    `caller`: the constructor that calls another one of its type; 0 for other calls.
    """
    names.inheritance.declared(target.symbol, CONSTRUCTION)  # notes the dependency on them
    for type_id in names.inheritance.mro(target.symbol):
        declared = [symbol for symbol in names.inheritance.constructors(type_id) if symbol.id != caller]
        own = names.world.symbol(type_id)
        if declared or own.signature:
            break
    else:
        return None
    rules = languages()[_language_of(names, type_id)].symbols
    if type_id != target.symbol and rules.overloads and not rules.inherited_constructors:
        use = CALLED_WITHOUT_ARGUMENTS  # the default constructor calls that of the base
    elif use is TYPE:
        use = CALLED  # an attribute: its arguments are not known
    if own.signature:  # the header is one more constructor
        declared.append(msgspec.structs.replace(own, kind=int(SymbolKind.CONSTRUCTOR)))
    fits = applicable(names, declared, use)
    result = names.select_overload(fits or declared, use, Origin.CONSTRUCTOR).capped_by(target)
    return None if result.symbol == type_id else result if fits else result.inferred()


def delegated(names: NameLookup, type_id: int, caller: int, use: Usage, above: bool) -> Target | None:
    """The constructor of the type `type_id` that the constructor `caller` calls by `this(…)`, or with `above` by
    `super(…)` that of the class which the type inherits from: where constructors are inherited, the nearest one.
    """
    if not above or languages()[_language_of(names, type_id)].symbols.overloads:
        return constructor(names, type_id, caller, use, above)
    base = base_class(names, type_id)
    result = constructed(names, Target(base), caller, use) if base else None
    return result.with_origin(Origin.SUPER) if result else None


def _language_of(names: NameLookup, symbol: int) -> str:
    return names.world.file(names.world.symbol(symbol).file).language
