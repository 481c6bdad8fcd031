"""What files asked of types: a member that changes concerns those that asked its type for the name, not all that mention the name."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable

from codeagentd.languages.language import languages
from codeagentd.model.ids import asked_hash
from codeagentd.model.parameters import language_family
from codeagentd.resolve.names import NAME_RULES, Names
from codeagentd.resolve.targets import Target
from codeagentd.resolve.world import World
from codeagentd.store.connection import Database

from .derive import key_of


@functools.cache
def asks_types(language: str) -> bool:
    """Whether files of this language find members of types by asking the types alone, so that what is kept beside each is all that it rests on."""
    known = languages()[language]
    rule = NAME_RULES.get(known.rules.names)
    return known.rules.parts == "none" and (rule.asks_types(language) if rule else not known.symbols.members_in_scope)


def with_heirs(database: Database, types: Iterable[int]) -> set[int]:
    """These types and all that inherit from them."""
    found, waiting = set[int](), list(types)
    while waiting:
        symbol = waiting.pop()
        if symbol not in found and database.one("world.symbol_by_id", (symbol,)) is not None:
            found.add(symbol)
            waiting += [heir for (heir,) in database.all("world.heirs", (symbol,))]
    return found


def hashes(types: Iterable[int], key: int) -> frozenset[int]:
    """By what the files are told that asked one of these types for a member."""
    return frozenset(asked_hash(symbol, key) for symbol in types)


def asked(database: Database, owners: Iterable[int], key: int) -> frozenset[int]:
    """The same for these types and their heirs."""
    return hashes(with_heirs(database, owners), key)


def has_others(database: Database, key: int, language: str, changed: Collection[int], values: bool) -> bool:
    """Whether types have members of this name besides those that changed, so that what is asked of unknown things stays open; `values`: others than methods."""
    asked_for = {"key": key, "languages": json.dumps(language_family(language)), "changed": json.dumps([*changed]), "values": values}
    return bool(database.value("world.has_other_member", asked_for))


def asks(world: World, symbol: int, members: Collection[int]) -> bool:
    """Whether the type or result of a symbol rests on one of these members."""
    names = Names(world)  # which remembers nothing: what an answer rests on is asked for anew
    names.values.value(world.symbol(symbol))
    names.values.result(Target(symbol))
    return any(asked_hash(type_id, key_of(name)) in members for type_id, name in names.inheritance.asked)
