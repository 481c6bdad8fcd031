"""Dependencies of files on members of types. A member that changes affects the files that have looked its name up on
its type, not all files that mention the name.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable

from codeagentd.languages.language import languages
from codeagentd.model.ids import member_dependency_hash
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.module_rules.registry import rule_of
from codeagentd.resolve.name_lookup import NAME_RULES
from codeagentd.resolve.overloads.csharp_delegates import EXTENDED
from codeagentd.resolve.targets import Target
from codeagentd.store.connection import Database

from .inheritance_index import InheritanceIndex


@functools.cache
def uses_type_lookups_only(language: str) -> bool:
    """Whether files of `language` find members through types alone. The member dependencies of such a file are then
    complete.
    """
    known = languages()[language]
    # others find them by whole names
    return (
        not known.symbols.members_in_scope or rule_of(language).finds_members_by_type or known.rules.names in NAME_RULES
    )


def is_found_by_name(kind: int, owner_kind: int, bases: str, signature: str | None) -> bool:
    """Whether a member with these properties is looked up by its name alone as well: it extends another type, or is a
    constant, which Ruby looks up in all enclosing scopes.

    Args: owner_kind: the kind of its owner; a TYPE may only stand for extensions of a type of another package (Swift).
    """
    return (
        kind == SymbolKind.CONSTANT
        or owner_kind == SymbolKind.TYPE
        or (kind not in TYPES and (bool(bases) or EXTENDED.match(signature or "") is not None))
    )


def member_dependency_hashes(inheritance: InheritanceIndex, owners: Iterable[int], key: int) -> frozenset[int]:
    """Return the hashes of the lookups of the name `key` on one of the types `owners` or on a subtype."""
    return frozenset(member_dependency_hash(symbol, key) for symbol in inheritance.with_subtypes(owners))


def has_others(database: Database, key: int, language: str, changed: Collection[int], values: bool) -> bool:
    """Whether types have members of the name `key` besides those that `changed`, so that a reference on a receiver of
    unknown type stays open; `values`: only members that are no methods count.

    Extensions do not count: such a name may mean them where no type has it.
    """
    query = {
        "key": key,
        "languages": json.dumps(language_family(language)),
        "changed": json.dumps([*changed]),
        "values": values,
    }
    return bool(database.value("world.has_other_member", query))


def depends_on(names: NameLookup, symbol: int, members: Collection[int]) -> bool:
    """Whether the type or result of `symbol` depends on one of `members` (hashes of member dependencies)."""
    with names.queries.recording() as dependencies:
        names.values.type_of_symbol(names.world.symbol(symbol))
        names.values.type_of_call(Target(symbol))
    return any(member_dependency_hash(type_id, key_of(name)) in members for type_id, name in dependencies.each_member())
