"""Edges of structural subtyping, kept up to date with the index: a type implements an interface whose methods it has,
and these methods override those of the interface.

This applies only to languages whose data have `structural`. A type implements an interface if it has every method of
it, declared or promoted from an embedded type; methods with pointer receivers count. Types in signatures are compared
by the meanings of their names: `exact` when all are the same, `inferred` when some cannot be decided.

The rows are references of the origin STRUCTURE at the name of the type or method, and lie below the edges between
languages in the range of its file. A batch compares only the types and interfaces that it may concern; what has changed
is noted by triggers. After a first index, or many changes, all are compared.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from codeagentd.base.internal_errors import INTERNAL_ERRORS, describe
from codeagentd.base.log import EventLog
from codeagentd.languages.language import languages
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import INHERITS, TYPES, Origin, ReferenceKind, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.pipeline.graph.boundary_edges import MOST as BOUNDARY_EDGES
from codeagentd.store.connection import Database

from .method_sets import MatchedMethods, MethodRequirements, TypeRow, TypeTable, fits
from .signature_types import Meanings

_log = EventLog(__name__)

MOST_TYPES: Final = 400  # types compared with an interface whose every method more types have: 5 ms
SAME_PLACE: Final = 20  # types of one name and path, which only sources with errors have
MOST_HEIRS: Final = 4_000  # types that have a method, declared or promoted, and are compared with one interface
MOST_CHANGES: Final = 100_000  # rows noted; above, all types are compared: the notes are kept in memory
MOST_ROWS: Final = 1 << 17  # rows of one file: the numbers below those of the edges between languages
CACHED_TYPES: Final = 20_000  # about 40 MB
DUE: Final = "structures_due"

_METHOD: Final = int(SymbolKind.METHOD)
_INTERFACE: Final = int(SymbolKind.INTERFACE)
_KINDS: Final = {"method": _METHOD, "interface": _INTERFACE}
_IMPLEMENT: Final = int(ReferenceKind.IMPLEMENT)
_OVERRIDE: Final = int(ReferenceKind.OVERRIDE)
_STRUCTURE: Final = int(Origin.STRUCTURE)


class Pair(NamedTuple):
    """A type that implements an interface, the confidence, and by number of each method that the interface itself
    declares, the methods that implement it.
    """

    type: int
    interface: int
    confidence: int
    methods: dict[int, MatchedMethods]


class StoredRow(NamedTuple):
    """A row of refs: the columns of writer.put_ref."""

    id: int
    key: int
    target: int
    source: int
    kind: int
    confidence: int
    origin: int
    line: int
    col: int


class Changes(NamedTuple):
    """The types and interfaces that the noted changes may concern."""

    types: set[int]  # interfaces excepted
    interfaces: set[int]
    gone: set[int]  # symbols
    bases: set[int]  # types that are no longer embedded by some type
    rewritten: set[int]  # types that came, went or are others
    methods: list[tuple[int, int, int]]  # that came or went: type, key of the name, how many more there are


class Limit(NamedTuple):
    """The limit of an interface that too many types have the methods of: a row of structural_limits."""

    method: str
    types: int
    last_name: str
    last_path: str

    def includes(self, type_: TypeRow) -> bool:
        """Whether a type that declares all methods is compared with the interface."""
        return not self.last_name or type_.place <= (self.last_name, self.last_path)


def structural_languages() -> list[str]:
    """The languages whose types implement interfaces by their methods alone."""
    return [name for name, language in languages().items() if language.symbols.structural]


class StructuralEdges:
    """Writes the edges, inside the writer's transactions; used by the indexer's thread alone."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_watching = False  # since the rows were last complete
        self._is_paused = False  # a first index is written, without the indexes that queries need
        self._written: set[int] = set()  # files whose symbols were written since
        self._languages = json.dumps(structural_languages())

    def begin(self) -> None:
        """Note changes from now on. To be called before a batch, and at the end of a first index."""
        self._is_paused = False
        if not self._is_watching:
            self._database.run("structural.begin")
            self._database.run("structural.forget")
            self._written.clear()
            self._is_watching = not self.is_due

    def stop_following(self) -> None:
        """Stop noting changes while a first index is written: all types are compared at the first `write` after
        `begin`.
        """
        self._database.run("structural.end")
        self._is_watching, self._is_paused = False, True
        self.require()

    @property
    def is_due(self) -> bool:
        """Whether the rows are to be computed again, because of changes of earlier transactions."""
        return bool(self._database.value("writer.meta", (DUE,), 0))

    def require(self) -> None:
        """Mark the rows as due, so that another process computes all of them if this one ends before `write`."""
        if not self.is_due:
            self._database.run("writer.put_meta", (DUE, 1))

    def note_written(self, files: Iterable[int]) -> None:
        """Record files whose symbols were written: their rows follow the names to other lines."""
        self._written.update(files)

    def write(self) -> None:
        """Compute the rows again that changes may concern, and write those that differ. If an internal error prevents
        that, the rows stay as they are, and due.
        """
        if self._is_paused:
            return
        try:
            if not self._is_watching or self._database.value("structural.noted") > MOST_CHANGES:
                self._write_all()
            else:
                self._write_changed()
        except INTERNAL_ERRORS as error:
            _log.warning("types that implement interfaces by their methods stay as they were", reason=describe(error))
            self._is_watching = False
            self.require()
            return
        if self.is_due:
            self._database.run("writer.put_meta", (DUE, 0))
        self._is_watching = False
        self.begin()

    @property
    def has_changes(self) -> bool:
        """Whether changes were noted that are not written yet."""
        return self._is_watching and bool(self._written or self._database.value("structural.noted"))

    # -- everything
    def _write_all(self) -> None:
        parameters = {"interface": _INTERFACE, "languages": self._languages}
        interfaces = {number for (number,) in self._database.all("structural.all_interfaces", parameters)}
        stored = [StoredRow(*row) for row in self._database.all("structural.all_rows")]
        if not interfaces and not stored:
            return
        self._database.run("structural.drop_limits")
        comparison = _Comparison(self._database)
        rows: list[tuple[int, StoredRow]] = []
        for interface in sorted(interfaces):
            pairs = comparison.implementers(interface)
            rows += comparison.implement_rows(pairs)
            rows += comparison.override_rows(_surest(pairs))
            comparison.trim()
        self._replace(stored, rows)

    # -- what changes may concern
    def _write_changed(self) -> None:
        for file in sorted(self._written):
            self._database.run("structural.move_rows", _range(file))
        if not self._database.value("structural.noted"):
            return
        changes = self._changes()
        if not any(changes):
            return
        comparison = _Comparison(self._database)
        types, interfaces = changes.types, changes.interfaces | self._shifted(changes, comparison)
        able = comparison.able(types)
        self._database.run_many("structural.drop_limit", [(number,) for number in types | changes.gone])
        both = types | interfaces
        methods = comparison.methods_of(both)
        before = self._rows("structural.rows_from", both | comparison.methods_of(interfaces) | changes.gone)
        before += self._rows("structural.rows_to", both | methods | changes.gone)
        pairs = [pair for interface in sorted(interfaces) for pair in comparison.implementers(interface)]
        after = [*comparison.implement_rows(pairs), *comparison.override_rows(_surest(pairs))]
        of_types = comparison.implemented(able, interfaces)
        after += comparison.implement_rows(of_types)
        # rows from methods of the types and of what they embed: other types may embed these as well
        sources = comparison.methods_of(comparison.table.with_bases(types | changes.bases))
        overriding = [row for row in self._rows("structural.rows_from", sources) if row.kind == _OVERRIDE]
        before += overriding
        surest = _surest(of_types)
        owners: dict[int, int] = dict(
            self._database.all("structural.parents", (_json_list(row.target for row in overriding),))
        )
        cells = {(row.source, row.target) for row in overriding if owners.get(row.target, 0) not in interfaces}
        rechecked = comparison.rechecked(cells | surest.keys(), surest, types, interfaces)
        after += comparison.override_rows(rechecked)
        self._replace(before, after)

    def _changes(self) -> Changes:
        database = self._database
        symbols = database.all("structural.changed_symbols", (self._languages,))
        refs = database.all("structural.changed_refs", (self._languages,))
        inherits = [row for row in refs if (INHERITS >> row[2]) & 1]
        renamed = {row[0] for row in symbols if row[2] in TYPES}
        mentioning = {row[0] for row in database.all("structural.mentioning", (_json_list(renamed),))}
        methods = {row[0] for row in refs if not (INHERITS >> row[2]) & 1} | mentioning
        touched = {parent for _, parent, *_ in symbols} | renamed | {row[0] for row in inherits}
        touched |= {parent for _, parent in database.all("structural.parents", (_json_list(methods),))}
        heirs = [row[0] for row in database.all("structural.heirs", _inheriting(touched))]
        kinds = {row[0]: row[1] for row in database.all("structural.types", {"types": _json_list(heirs)})}
        known = {row[0] for row in database.all("writer.known_symbols", (_json_list(row[0] for row in symbols),))}
        return Changes(
            {number for number, kind in kinds.items() if kind in TYPES and kind != _INTERFACE} | (renamed - known),
            {number for number, kind in kinds.items() if kind == _INTERFACE},
            {row[0] for row in symbols} - known,
            {row[1] for row in inherits if row[3] < 0 and row[1] and row[1] > 0},
            renamed,
            [(parent, key, sign) for _, parent, kind, key, sign in symbols if kind == _METHOD],
        )

    def _shifted(self, changes: Changes, comparison: _Comparison) -> set[int]:
        """The interfaces that too many types have the methods of, now or before the changes, where others are compared
        now.
        """
        names: dict[int, int] = defaultdict(int)
        went: dict[int, set[int]] = defaultdict(set)
        for type_, key, more in changes.methods:
            names[key] += more
            went[type_].add(key)
        declared = {type_: went[type_] | comparison.keys_of(type_) for type_ in went.keys() | changes.rewritten}
        keys = set[int]().union(names, *(declared[type_] for type_ in changes.rewritten))
        parameters = {"keys": _json_list(keys), "limit": MOST_TYPES + 1 + len(changes.methods), "method": _METHOD}
        counts: dict[int, int] = dict(self._database.all("structural.counts", parameters))
        common = {key for key, count in counts.items() if max(count, count - names[key]) > MOST_TYPES}
        crossing = {key for key in common if min(counts[key], counts[key] - names[key]) <= MOST_TYPES}
        if not common:
            return set()
        result = self._asking(crossing)
        for interface in self._asking(common - crossing) - result:
            limit = comparison.limit_of(interface)
            required = comparison.table.required(interface) if limit is not None else None
            if limit is None or required is None:
                continue
            concerned = [type_ for type_, keys in declared.items() if keys >= set(required.declared)]
            if any(
                type_ in changes.rewritten or not limit.last_name or limit.includes(comparison.table.types[type_])
                for type_ in concerned
            ):
                result.add(interface)
        return result

    def _asking(self, keys: Collection[int]) -> set[int]:
        """The interfaces that ask for methods of some names, also by embedding others."""
        if not keys:
            return set()
        parameters = {"keys": _json_list(keys), "family": self._languages, **_KINDS}
        named = [row[0] for row in self._database.all("structural.interfaces_naming", parameters)]
        rows = self._database.all("structural.heirs", _inheriting(named))
        kinds = self._database.all("structural.types", {"types": _json_list(row[0] for row in rows)})
        return {row[0] for row in kinds if row[1] == _INTERFACE}

    def _rows(self, statement: str, symbols: Collection[int]) -> list[StoredRow]:
        return [StoredRow(*row) for row in self._database.all(statement, (_json_list(symbols),))] if symbols else []

    def _replace(self, before: Iterable[StoredRow], after: Iterable[tuple[int, StoredRow]]) -> None:
        """Write rows in place of others; `after` has the file of each, and no numbers."""
        stored = {(row.id >> 20, *row[1:]): row.id for row in before}
        fresh = {(file, *row[1:]): None for file, row in after}
        self._database.run_many(
            "structural.drop_row", [(number,) for row, number in stored.items() if row not in fresh]
        )
        by_file: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for row in fresh:
            if row not in stored:
                by_file[row[0]].append(row[1:])
        for file, rows in sorted(by_file.items()):
            numbers = self._free_numbers(file)
            self._database.run_many(
                "writer.put_ref", [(number, *row) for number, row in zip(numbers, rows, strict=False)]
            )

    def _free_numbers(self, file: int) -> Iterator[int]:
        first, last = _range(file)
        used = {number for (number,) in self._database.all("structural.used_ids", (first, last))}
        return (number for number in range(first, last + 1) if number not in used)


class _Comparison:
    """Compares types with interfaces; reads each type once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.table = TypeTable(database)
        self._meanings = Meanings(database)
        self._declaring: dict[tuple[str, str], list[tuple[int, str, str]]] = {}  # by keys and family

    def trim(self) -> None:
        """Drop what was read when it becomes much."""
        if self.table.size > CACHED_TYPES:
            self.table, self._meanings = TypeTable(self._database), Meanings(self._database)

    def implementers(self, interface: int) -> list[Pair]:
        """The types that implement an interface: among those that have its rarest method or embed a type that has it;
        where too many have each method, among the first that declare all of them. The index records which case it is.
        """
        required = self.table.required(interface)
        keys = required.declared if required is not None else []
        if required is None or not keys:
            self._database.run("structural.drop_limit", (interface,))
            return []
        counts = self._database.all(
            "structural.counts", {"keys": json.dumps(keys), "limit": MOST_TYPES + 1, "method": _METHOD}
        )
        count, key = min((count, key) for key, count in counts)
        parameters: dict[str, Any] = {
            "key": key,
            "keys": _json_list(keys),
            "inherits": INHERITS,
            "family": _family(self.table.types[interface].language),
            **_KINDS,
        }
        if count > MOST_TYPES:
            first = self._first_declaring(parameters)
            last = first[MOST_TYPES - 1][1:] if len(first) >= MOST_TYPES else ("", "")
            candidates = [number for number, *place in first if not last[0] or tuple(place) <= last]
            limit = Limit(required.methods[key].name, MOST_TYPES, *last)
            self._database.run("structural.put_limit", (interface, *limit))
        else:
            rows = self._database.all("structural.carriers", parameters | {"limit": MOST_HEIRS})
            candidates = [number for (number,) in rows]
            self._database.run("structural.drop_limit", (interface,))
        return self._pairs([(interface, required, candidates)])

    def _first_declaring(self, parameters: dict[str, Any]) -> list[tuple[int, str, str]]:
        """The first types that declare all methods of some names: as many as are compared, and some more, since types
        of the last one's name and path have one place. Many interfaces ask for the same.
        """
        question = (parameters["keys"], parameters["family"])
        if question not in self._declaring:
            limited = parameters | {"limit": MOST_TYPES + SAME_PLACE}
            self._declaring[question] = self._database.all("structural.declaring", limited)
        return self._declaring[question]

    def able(self, types: Iterable[int]) -> dict[int, list[int]]:
        """The interfaces that types may implement, by type: those whose methods have the names of the type's."""
        result: dict[int, list[int]] = {}
        for number in sorted(types):
            keys = {method.key for base in self.table.with_bases([number]) for method in self.table.methods(base)}
            row = self.table.types.get(number)
            if row is not None and keys:
                parameters = {"keys": _json_list(keys), "inherits": INHERITS, "family": _family(row.language), **_KINDS}
                result[number] = [each for (each,) in self._database.all("structural.interfaces", parameters)]
        return result

    def limit_of(self, interface: int) -> Limit | None:
        """The limit of an interface that is compared with some of the types alone."""
        row = self._database.row("structural.limit", (interface,))
        return None if row is None else Limit(*row)

    def keys_of(self, type_: int) -> set[int]:
        """The keys of the methods that a type declares."""
        return {method.key for method in self.table.methods(type_)}

    def methods_of(self, types: Collection[int]) -> set[int]:
        """The methods that types declare."""
        self.table.load(types)
        return {method.id for number in types for method in self.table.methods(number)}

    def implemented(self, able: Mapping[int, list[int]], without: Collection[int]) -> list[Pair]:
        """The interfaces, except some, that types implement, of those that they may implement."""
        by_interface: dict[int, list[int]] = defaultdict(list)
        for number, interfaces in able.items():
            for interface in interfaces:
                if interface not in without:
                    by_interface[interface].append(number)
        self.table.load(by_interface)
        asked = []
        for interface, candidates in sorted(by_interface.items()):
            required = self.table.required(interface)
            if required is None or not required.declared:
                continue
            limit, keys = self.limit_of(interface), set(required.declared)
            if limit is not None:
                candidates = [
                    number
                    for number in candidates
                    if keys <= self.keys_of(number) and limit.includes(self.table.types[number])
                ]
            asked.append((interface, required, candidates))
        return self._pairs(asked)

    def _pairs(self, asked: Iterable[tuple[int, MethodRequirements, list[int]]]) -> list[Pair]:
        """The types that implement an interface, of those that are candidates for it.

        Names are compared first, since comparing types takes longer.
        """
        named: list[tuple[int, MethodRequirements, int, dict[int, MatchedMethods]]] = []
        for interface, required, candidates in asked:
            self.table.prepare(candidates, required.methods)
            for number in candidates:
                methods = self.table.matched(number, required)
                if methods is not None:
                    named.append((interface, required, number, methods))
        self._meanings.load(
            method
            for _, required, _, methods in named
            for method in (*required.methods.values(), *(each for match in methods.values() for each in match.methods))
        )
        return [
            Pair(number, interface, confidence, _of_declared(interface, required, methods))
            for interface, required, number, methods in named
            if (confidence := fits(required, methods, self._meanings)) is not None
        ]

    def rechecked(
        self,
        cells: Collection[tuple[int, int]],
        surest: Mapping[tuple[int, int], int],
        compared: Collection[int],
        without: Collection[int],
    ) -> dict[tuple[int, int], int]:
        """Pairs of a method and one of an interface that it overrides, with the confidence: what follows from the
        types `compared` is in `surest`, the rest from the rows of other types that embed the method's type.

        Args: without: interfaces whose rows are known.
        """
        result: dict[tuple[int, int], int] = {}
        owners: dict[int, int] = dict(
            self._database.all("structural.parents", (_json_list(number for cell in cells for number in cell),))
        )
        members = {
            method.id: method
            for number in {owners[source] for source, _ in cells if source in owners}
            for method in self.table.methods(number)
        }
        interfaces_of: dict[int, dict[int, dict[int, int]]] = {}
        for source, target in sorted(cells):
            if source not in members or target not in owners or owners[target] in without:
                continue
            method, interface = members[source], owners[target]
            others = interfaces_of.get(method.type)
            if others is None:
                others = interfaces_of[method.type] = self._implemented_by_heirs(method.type, compared)
            best = surest.get((source, target))
            for number, confidence in others.get(interface, {}).items():
                if best is not None and best <= confidence:
                    continue
                match = self.table.find(number, method.key)
                if match is not None and any(each.id == source for each in match.methods):
                    best = confidence
            if best is not None:
                result[source, target] = best
        return result

    def _implemented_by_heirs(self, type_: int, compared: Collection[int]) -> dict[int, dict[int, int]]:
        """The interfaces that a type and those that embed it implement by the stored rows: the confidence by interface
        and type.
        """
        heirs = [row[0] for row in self._database.all("structural.heirs", _inheriting([type_]))]
        others = [number for number in heirs if number not in compared]
        result: dict[int, dict[int, int]] = defaultdict(dict)
        for row in self._database.all("structural.rows_from", (_json_list(others),)) if others else []:
            stored = StoredRow(*row)
            if stored.kind == _IMPLEMENT:
                result[stored.target][stored.source] = stored.confidence
        return result

    # -- rows
    def implement_rows(self, pairs: Iterable[Pair]) -> list[tuple[int, StoredRow]]:
        """The rows of types that implement interfaces, each with its file."""
        result = []
        for pair in pairs:
            row = self.table.types[pair.type]
            result.append(
                (
                    row.file,
                    StoredRow(
                        0,
                        row.key,
                        pair.interface,
                        pair.type,
                        _IMPLEMENT,
                        pair.confidence,
                        _STRUCTURE,
                        row.line,
                        row.col,
                    ),
                )
            )
        return result

    def override_rows(self, surest: Mapping[tuple[int, int], int]) -> list[tuple[int, StoredRow]]:
        """The rows of methods that override those of interfaces, each with its file."""
        owners: dict[int, int] = dict(
            self._database.all("structural.parents", (_json_list(source for source, _ in surest),))
        )
        self.table.load(set(owners.values()))
        methods = {method.id: method for number in set(owners.values()) for method in self.table.methods(number)}
        result = []
        for (source, target), confidence in surest.items():
            method = methods[source]
            result.append(
                (
                    method.file,
                    StoredRow(
                        0, method.key, target, source, _OVERRIDE, confidence, _STRUCTURE, method.line, method.col
                    ),
                )
            )
        return result


def _of_declared(
    interface: int, required: MethodRequirements, methods: Mapping[int, MatchedMethods]
) -> dict[int, MatchedMethods]:
    return {
        requirement.id: methods[key]
        for key, requirement in required.methods.items()
        if requirement.type == interface and not requirement.is_standard
    }


def _surest(pairs: Iterable[Pair]) -> dict[tuple[int, int], int]:
    """The methods that override methods of interfaces, each with the confidence of the surest pair."""
    result: dict[tuple[int, int], int] = {}
    for pair in pairs:
        for target, match in pair.methods.items():
            for method in match.methods:
                if method.type_kind != _INTERFACE:
                    cell = (method.id, target)
                    result[cell] = min(pair.confidence, result.get(cell, pair.confidence))
    return result


def _range(file: int) -> tuple[int, int]:
    """The first and the last number of a file's rows."""
    last = numbers_of(file)[1] - BOUNDARY_EDGES
    return last - MOST_ROWS + 1, last


def _family(language: str) -> str:
    return json.dumps(language_family(language))


def _inheriting(types: Iterable[int]) -> dict[str, Any]:
    return {"types": _json_list(types), "inherits": INHERITS}


def _json_list(numbers: Iterable[int]) -> str:
    return json.dumps(sorted(set(numbers)))
