"""The bases of types as they are stored with each file. They tell which types have other bases since, and which are
the subtypes of a type.
"""

from __future__ import annotations

import functools
from array import array
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping

from codeagentd.languages.language import languages
from codeagentd.resolve.interface import Bases, NameLookup
from codeagentd.resolve.name_lookup import NAME_RULES
from codeagentd.store.connection import Database


class InheritanceIndex:
    """The inheritance between types at the time when their files were resolved. It is read when it is first needed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @functools.cached_property
    def bases(self) -> Mapping[int, tuple[int, ...]]:
        """The ids of each type's bases, by the id of the type."""
        files = (_unpacked(known) for (known,) in self._database.all("world.all_heritage"))
        return {symbol: bases.types for by_type in files for symbol, bases in by_type.items()}

    @functools.cached_property
    def _subtypes(self) -> Mapping[int, list[int]]:
        subtypes: dict[int, list[int]] = defaultdict(list)
        for symbol, bases in self.bases.items():
            for base in bases:
                subtypes[base].append(symbol)
        return subtypes

    def with_subtypes(self, types: Iterable[int]) -> set[int]:
        """Return the ids of `types` and all their subtypes."""
        result, waiting = set[int](), list(types)
        while waiting:
            symbol = waiting.pop()
            if symbol not in result:
                result.add(symbol)
                waiting += self._subtypes.get(symbol, ())
        return result


def heritage(database: Database, names: NameLookup, file: int) -> bytes:
    """Encode the bases of each type of `file` that names bases, or may have some without naming them. Each type has, in
    numbers of 8 bytes: its id, the count of its bases with three bits about them, and the ids of its bases.
    """
    result = array("q")
    rule = NAME_RULES.get(languages()[names.world.file(file).language].rules.names)
    has_further_bases = rule is not None and rule.has_further_bases
    for (symbol,) in database.all("world.classes_of_file", (file, has_further_bases)):
        bases = names.inheritance.bases(names.world.symbol(symbol))
        result.extend(
            (
                symbol,
                len(bases.types) << 3 | bases.are_settled << 2 | bases.are_known << 1 | bases.are_outside,
                *bases.types,
            )
        )
    return result.tobytes()


def types_with_changed_bases(
    database: Database, names: NameLookup, files: Iterable[int], written: Container[int] = ()
) -> set[int]:
    """Return the ids of the types in `files` that have other bases than when the files were resolved, without the new
    types of files that were just `written`.
    """
    result: set[int] = set()
    for file in files:
        before = _unpacked(database.value("world.heritage", (file,)) or b"")
        now = _unpacked(heritage(database, names, file))
        result.update(
            symbol for symbol, bases in now.items() if before.get(symbol, bases if file in written else None) != bases
        )
    return result


def _unpacked(packed: bytes) -> dict[int, Bases]:
    numbers, result, at = memoryview(packed).cast("q"), dict[int, Bases](), 0
    while at < len(numbers):
        known, first = numbers[at + 1], at + 2
        result[numbers[at]] = Bases(
            tuple(numbers[first : first + (known >> 3)]), bool(known & 2), bool(known & 1), bool(known & 4)
        )
        at = first + (known >> 3)
    return result
