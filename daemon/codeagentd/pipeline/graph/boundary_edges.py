"""Edges between languages and processes, kept up to date with the index: all of them are computed again when something
that they depend on has changed.

They are few, and one new route can mean another target for requests anywhere: finding the affected ones would cost more
than computing all of them. A boundary is a symbol of a file of its own (`boundary:http`), with the places where it is
declared; it exists as long as an edge ends or begins at it.
"""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from codeagentd.base.internal_errors import INTERNAL_ERRORS, describe
from codeagentd.base.log import EventLog
from codeagentd.model.boundaries import HOLE, Boundary, Mention, Role, unpack
from codeagentd.model.identifier_words import words_of
from codeagentd.model.ids import derive_uid, numbers_of, outside_number, outside_uid
from codeagentd.model.kinds import Confidence, ReferenceKind, SymbolKind
from codeagentd.pipeline.rows.index_rows import key_of, unpack_ids
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.resolve.boundary_matching import Crossing, Edge, Key, edges_of
from codeagentd.resolve.module_rules.registry import rule_of
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.targets import ExternalSymbol
from codeagentd.store.connection import Database

_log = EventLog(__name__)

FILE: Final = "boundary"  # the status of a boundary's file, and how its path begins
MOST: Final = 4_096  # edges of one file: the last numbers of its range
DUE: Final = "boundaries_due"


class BoundaryEdges:
    """Writes the edges between languages, inside the writer's transactions. `next_symbol` returns the id of a new
    symbol.
    """

    def __init__(self, database: Database, next_symbol: Callable[[], int]) -> None:
        self._database = database
        self._next_symbol = next_symbol
        self._known: dict[int, list[Crossing]] = {}  # by file, since its references were last written
        self._watched: set[int] | None = None  # name keys of definitions that were looked for; not known after a start
        # whether references of any file may lead to definitions that native modules offer
        self._watches_externals = False

    def note_changes(self, files: Collection[int], names: Collection[int], moved: bool) -> None:
        """Mark the edges as due where a change may concern them. References of `files` were written; definitions of the
        name keys `names` were added or removed; `moved`: files were added or removed.
        """
        forgotten = [self._known.pop(file, None) is not None for file in files]
        crossed = (
            any(forgotten)
            or (self._watches_externals and bool(files))
            or any(self._database.value("boundaries.has", (file,)) for file in files)
        )
        if crossed or ((moved or self._watched is None or not self._watched.isdisjoint(names)) and self._has_any()):
            self.require()

    def _has_any(self) -> bool:
        return bool(self._database.value("boundaries.any", (json.dumps([*map(_file, _FAMILIES)]),)))

    @property
    def is_due(self) -> bool:
        """Whether the edges are to be computed again."""
        return bool(self._database.value("writer.meta", (DUE,), 0))

    def require(self) -> None:
        """Mark the edges as due, whatever has changed."""
        self._database.run("writer.put_meta", (DUE, 1))

    def write(self, world: StoredSymbolTable) -> None:
        """Compute the edges again over `world`, and write those that differ. If an internal error prevents that, the
        edges stay as they are, and due.
        """
        lookup = _Lookup(self._database, world)
        try:
            edges = edges_of(self._crossings(), lookup)
        except INTERNAL_ERRORS as error:
            _log.warning("edges between languages stay as they were", reason=describe(error))
            return
        self._watched, self._watches_externals = lookup.watched, lookup.watches_externals
        names = self._write_nodes(
            {(end, edge.kind) for edge in edges for end in (edge.source, edge.target) if isinstance(end, str)}
        )
        self._put_edges(edges, names)
        self._put_places(edges, names)
        self._database.run("writer.put_meta", (DUE, 0))

    # -- what there is
    def _crossings(self) -> list[Crossing]:
        result: list[Crossing] = []
        for file, path, language, symbols, facts in self._database.all("boundaries.facts"):
            if file not in self._known:
                self._known[file] = list(self._of_file(file, path, language, unpack_ids(symbols), unpack(facts)))
            result += self._known[file]
        return result

    def _of_file(
        self, file: int, path: str, language: str, ids: Sequence[int], facts: list[Boundary]
    ) -> Iterator[Crossing]:
        """List the boundaries of one file, with symbols in place of names."""
        targets: dict[tuple[int, int], int] = {
            (line, col): target for line, col, target in self._database.all("boundaries.named_at", numbers_of(file))
        }
        symbols = self._database.all("boundaries.symbols_at", (file,))
        targets |= {(line, col): symbol for line, col, symbol, _ in symbols if symbol != ids[0]}
        outer: dict[int, int | None] = {symbol: parent for _, _, symbol, parent in symbols}
        groups = {(fact.on.name, ids[fact.source]) for fact in facts if fact.role == Role.GROUP and fact.on is not None}

        def key(mention: Mention | None, source: int) -> Key | None:
            if mention is None:
                return None
            if target := targets.get((mention.line, mention.col)):
                return target
            holder: int | None = ids[source]
            # a variable of the innermost function that makes one
            while holder is not None and (mention.name, holder) not in groups:
                holder = outer.get(holder)
            return (file, holder or ids[source], mention.name)

        for fact in facts:
            yield Crossing(
                file,
                path,
                language,
                fact,
                ids[fact.source],
                ids[0],
                key(fact.on, fact.source),
                key(fact.to, fact.source),
            )

    def _nodes(self) -> dict[str, int]:
        return {
            name: number
            for family in _FAMILIES
            for number, name in self._database.all("boundaries.nodes", (_file(family),))
        }

    # -- what there should be
    def _write_nodes(self, boundaries: Collection[tuple[str, int]]) -> dict[str, int]:
        """Write the boundaries that are new, and remove those that are not used. Returns the numbers of boundaries by
        name.
        """
        known = self._nodes()
        names = {name: _family(name, kind) for name, kind in boundaries}
        for name in sorted(known.keys() - names.keys()):
            number = known.pop(name)
            self._database.run("writer.delete_symbol", (number,))
            self._database.run("writer.delete_words", (number,))
        for name in sorted(names.keys() - known.keys()):
            known[name] = self._add(name, names[name])
        return known

    def _add(self, name: str, family: str) -> int:
        file, number = _file(family), self._next_symbol()
        self._database.run("boundaries.put_file", (file, f"{FILE}:{family}"))
        uid = derive_uid(FILE, family, name, "", "")
        row = (
            number,
            uid,
            file,
            None,
            int(SymbolKind.BOUNDARY),
            0,
            key_of(name),
            name,
            name,
            0,
            0,
            0,
            0,
            "public",
            None,
            None,
            None,
            0,
            "",
            "",
            0,
            "",
        )
        self._database.run("writer.put_symbol", row)
        self._database.run("writer.put_words", (number, name, words_of(name), name, None, None))
        if not self._database.value("writer.has_name", (key_of(name),)):
            self._database.run("writer.put_name", (key_of(name), name))
            self._database.run("writer.put_name_trigrams", (key_of(name), name))
        return number

    def _put_edges(self, edges: Iterable[Edge], names: dict[str, int]) -> None:
        """Write the edges of each file. A file that has edges only because of other files is entered in the table of
        files with facts, without facts.
        """
        known: dict[int, int] = dict(self._database.all("boundaries.files"))
        by_file: dict[int, list[tuple[int, ...]]] = {file: [] for file in known}
        for edge in edges:
            ends = tuple(names[end] if isinstance(end, str) else end for end in (edge.target, edge.source))
            by_file.setdefault(edge.file, []).append(
                (key_of(edge.name), *ends, edge.kind, int(Confidence.INFERRED), edge.origin, edge.line, edge.col)
            )
        for file, rows in by_file.items():
            last = numbers_of(file)[1]
            first = last - MOST + 1
            fresh = [(first + number, *row) for number, row in enumerate(rows[:MOST])]
            if self._database.all("boundaries.edges", (first, last)) != fresh:
                self._database.run("writer.delete_refs", (first, last))
                self._database.run_many("writer.put_ref", fresh)
            if not known.get(file):
                self._database.run(*("boundaries.put", (file, b"")) if rows else ("boundaries.drop", (file,)))

    def _put_places(self, edges: Iterable[Edge], names: dict[str, int]) -> None:
        places: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for edge in edges:
            if isinstance(edge.source, str):
                places[names[edge.source]].add((edge.file, edge.line))
        for number in names.values():
            there = set(self._database.all("boundaries.places", (number,)))
            for file, line in sorted(there - places[number]):
                self._database.run("boundaries.drop_place", (number, file, line))
            self._database.run_many(
                "writer.put_span", [(number, file, line, line, line) for file, line in sorted(places[number] - there)]
            )


_FAMILIES: Final = ("http", "grpc", "command")


def _family(name: str, kind: int) -> str:
    return "command" if kind == ReferenceKind.INVOKE else "grpc" if name.startswith("gRPC ") else "http"


def _file(family: str) -> int:
    """Return the number of a boundary's file: below zero, and the same in every index."""
    return outside_number(outside_uid(FILE, family, family))


class _Lookup:
    """The `IndexQueries` of resolve.boundary_matching over the index that is being written.

    `watched` collects the name keys that were looked up, and `watches_externals` becomes true when references to an
    external symbol were looked up: a change of one of these makes the edges due again.
    """

    def __init__(self, database: Database, world: StoredSymbolTable) -> None:
        self._database = database
        self._world = world
        self.watched: set[int] = set()
        self.watches_externals = False

    def symbol(self, symbol: int) -> Symbol:
        return self._world.symbol(symbol)

    def file_symbol_of(self, symbol: int) -> int:
        return self._world.file(self._world.symbol(symbol).file).symbol

    def language_of(self, symbol: int) -> str:
        return self._world.file(self._world.symbol(symbol).file).language

    def module(self, file: int, module: str) -> int:
        here = self._world.file(file)
        result = rule_of(here.language).files(self._world, here, module)
        return result[0].symbol if result else 0

    def script(self, file: int, path: str) -> int:
        here = self._world.file(file).path
        if path.startswith(f"{HOLE}/"):
            return self._ending(path[len(HOLE) :])
        if HOLE in path or path.startswith("/"):
            return 0
        places = (posixpath.normpath(path), posixpath.normpath(posixpath.join(posixpath.dirname(here), path)))
        return next((result.symbol for place in places if (result := self._world.file_at(place)) is not None), 0)

    def _ending(self, suffix: str) -> int:
        if HOLE in suffix:
            return 0
        path = posixpath.normpath(suffix)
        ends = [other for other in self._by_name.get(posixpath.basename(path), ()) if f"/{other}".endswith(path)]
        file = self._world.file_at(ends[0]) if len(ends) == 1 else None
        return file.symbol if file is not None else 0

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The paths of all files by their last part."""
        result: dict[str, list[str]] = defaultdict(list)
        for (path,) in self._database.all("boundaries.paths"):
            result[posixpath.basename(path)].append(path)
        return result

    def members(self, symbol: int) -> Iterable[Symbol]:
        result = [member for several in self._world.members(symbol).values() for member in several]
        self.watched.update(key_of(member.name) for member in result)
        return result

    def place(self, symbol: int) -> tuple[int, int, int]:
        file, line, col = self._database.all("boundaries.place", (symbol,))[0]
        return file, line, col

    def named(self, name: str) -> Sequence[Symbol]:
        self.watched.add(key_of(name))
        return self._world.named(name)

    def external_references(self, outside: ExternalSymbol) -> Iterable[tuple[int, int, int, int]]:
        self.watches_externals = True
        return self._database.all("boundaries.external_references", (outside.number,))
