"""The local variables of one file with all of their occurrences: what the reference collector drops.

An editor needs them, the index does not. They are collected by a pass of their own, so that the hot loop of extraction
does no more than it has to.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Final, NamedTuple

from tree_sitter import Query, QueryCursor

from codeagentd.extract.definitions.draft import CALLABLES
from codeagentd.extract.scopes import LOCAL, Scope
from codeagentd.languages.grammar import grammar
from codeagentd.model.facts import FIRST_REFERENCE

from .bare_names import BareNames
from .member_operators import NO_RECEIVER
from .parsed_file import NameBindings, ParsedFile
from .reference_collector import ReferenceCollector
from .scope_cursor import SKIP, ScopeCursor

_SINGLE: Final = "parameter"  # names of fields, and of captures
_SEVERAL: Final = "parameters"
_LISTS: Final = ("parameters", "parameter_list", "implicit_parameter")
# in the names of nodes that are no parameters of functions
_TYPE: Final = "type_"
_CATCH: Final = "catch"

Occurrence = tuple[int, int, bool]  # (line, column, whether the variable is bound there)


class LocalFact(NamedTuple):
    """A local variable of one file: its name, the lines of its scope, and its occurrences in order. `source` is the
    index of the symbol that its scope belongs to; `binding` is 1 + the index of the source of its value in
    FileFacts.sources, 0 where that is unknown.
    """

    name: str
    line_start: int
    line_end: int
    is_parameter: bool
    places: tuple[Occurrence, ...]
    source: int = 0
    binding: int = 0


class LocalVariables:
    """The local variables of one file. `collector` has collected the references of the same file."""

    def __init__(self, file: ParsedFile, bindings: NameBindings, collector: ReferenceCollector) -> None:
        self._file = file
        self._bindings = bindings
        self._collector = collector
        self._scopes = {
            id(names): scope for scope in reversed(bindings.tree.scopes) for names in (scope.types, scope.names)
        }
        # (the names of a scope, one of them) -> the starts of its occurrences -> whether it is bound there
        self._occurrences: dict[tuple[int, bytes], dict[int, bool]] = {}

    def facts(self) -> list[LocalFact]:
        """Return the variables in the order of their first occurrences."""
        same = self._note_bindings()
        self._note_uses()
        for other, first in same.items():
            if starts := self._occurrences.pop(other, None):
                self._occurrences[first] = self._occurrences.get(first, {}) | starts
        is_parameter, places = _parameters(self._file), self._places()
        entries = sorted((min(own), key) for key, own in self._occurrences.items())
        return [self._fact(key, self._occurrences[key], places, is_parameter) for _, key in entries]

    def _places(self) -> dict[int, tuple[int, int]]:
        """Return the line and column of each occurrence by its start."""
        source, lines, line = self._file.source, self._file.places.starts, 0
        results: dict[int, tuple[int, int]] = {}
        for start in sorted(chain.from_iterable(self._occurrences.values())):
            while line < len(lines) and lines[line] <= start:
                line += 1
            before = source[lines[line - 1] : start]
            results[start] = line, len(before if before.isascii() else before.decode(errors="replace"))
        return results

    def _note_bindings(self) -> dict[tuple[int, bytes], tuple[int, bytes]]:
        """Note the places that bind variables. Returns the variables that are others under another scope."""
        source, same = self._file.source, dict[tuple[int, bytes], tuple[int, bytes]]()
        functions = {draft.name_start for draft in self._bindings.drafts if draft.kind in CALLABLES}
        for start, (end, scopes) in self._bindings.places.items():
            name = source[start:end]
            if scopes[0].names.get(name, 0) > LOCAL or start in functions:
                continue  # declared global, or a symbol too
            key = id(scopes[0].names), name
            self._occurrences.setdefault(key, {})[start] = True
            same.update(((id(scope.names), name), key) for scope in scopes[1:] if scope is not scopes[0])
        return same

    def _note_uses(self) -> None:
        """Note the names that the lookup of bare names finds to be variables."""
        file, bindings, positions = self._file, self._bindings, self._collector.positions
        types, ends, called = self._collector.identifiers.types, self._collector.ends, self._collector.kinds.called
        find = BareNames(file, bindings.since, called).variable
        cursor = ScopeCursor(bindings.tree, file.captures, len(file.source), file.language.symbols)
        source, occurrences, bound_at, edge = file.source, self._occurrences, bindings.places, 0
        names = {name for scope in bindings.tree.scopes for name, bound in scope.names.items() if bound <= LOCAL}
        for start, end in self._collector.identifiers.spans(positions, bindings.variables.destructured):
            name = source[start:end]
            if name not in names or ends.get(end, LOCAL) >= FIRST_REFERENCE:
                continue  # a reference, or nothing that can be a variable
            if edge <= start:
                visible, visible_types, _, region, edge = cursor.stretch(start)
            if region == SKIP or (self._is_bound(start, name) if start in bound_at else start in bindings.skip):
                continue
            if (source[start - 1] == positions.dot or start in positions.irregular) and self._is_member(start, end):
                continue
            if (holder := find(start, end, name, visible_types if start in types else visible)) is not None:
                scope = self._scopes.get(id(holder), bindings.tree.file)
                occurrences.setdefault((id(scope.names), name), {}).setdefault(start, start in bound_at)

    def _is_bound(self, start: int, name: bytes) -> bool:
        return start in self._occurrences.get((id(self._bindings.places[start][1][0].names), name), ())

    def _is_member(self, start: int, end: int) -> bool:
        positions, source = self._collector.positions, self._file.source
        if source[start - 1] == positions.dot and source[start - 2] not in positions.apart:
            return start not in positions.irregular or positions.receiver_end(start, end) != NO_RECEIVER
        if source[start - 1] != positions.dot and start not in positions.irregular:
            return False
        return positions.receiver_end(start, end) != NO_RECEIVER

    def _fact(
        self,
        key: tuple[int, bytes],
        starts: dict[int, bool],
        places: Mapping[int, tuple[int, int]],
        is_parameter: Callable[[int, Scope], bool],
    ) -> LocalFact:
        name, line_of = key[1], self._file.places.line
        scope = self._scopes.get(key[0], self._bindings.tree.file)
        end = max(min(scope.end, len(self._file.source)) - 1, scope.start)
        ordered = sorted(starts)
        return LocalFact(
            name.decode(errors="replace"), line_of(scope.start), line_of(end),
            any(starts[start] and is_parameter(start, scope) for start in ordered),
            tuple((*places[start], starts[start]) for start in ordered),
            scope.symbol, self._bindings.variables.source(scope.names.get(name, LOCAL), ordered[-1] + len(name)),
        )  # fmt: skip


def _parameters(file: ParsedFile) -> Callable[[int, Scope], bool]:
    """Return a function that says whether a name at an offset is a parameter of the function whose scope binds it."""
    query = _parameter_query(file.language.name)
    captures = QueryCursor(query).captures(file.root) if query else {}
    single = [node for node in captures.get(_SINGLE, ()) if node.parent is None or _CATCH not in node.parent.type]
    ranges = sorted(node.byte_range for node in [*captures.get(_SEVERAL, ()), *single])
    starts = [start for start, _ in ranges]

    def is_parameter(start: int, scope: Scope) -> bool:
        at = bisect_right(starts, start) - 1
        while at >= 0 and scope.start <= starts[at]:
            if start < ranges[at][1]:
                return True
            at -= 1
        return False

    return is_parameter


@functools.cache
def _parameter_query(language: str) -> Query | None:
    """Return the query for the parameters of functions in a language: fields and nodes with that name. Lists of
    parameters suffice where the grammar has a field for them.
    """
    known = grammar(language)
    kinds = {
        kind
        for number in range(known.node_kind_count)
        if known.node_kind_is_named(number)
        and known.node_kind_is_visible(number)
        and "parameter" in (kind := known.node_kind_for_id(number) or "")
        and _TYPE not in kind
        and _CATCH not in kind
    }
    if known.field_id_for_name(_SEVERAL) is not None:
        kinds = {kind for kind in kinds if kind.endswith(_LISTS)}
    patterns = [f"({kind}) @{_SEVERAL}" for kind in sorted(kinds)]
    fields = [field for field in (_SINGLE, _SEVERAL) if known.field_id_for_name(field) is not None]
    patterns += [f"(_ {field}: (_) @{field})" for field in fields]
    return Query(known, "\n".join(patterns)) if patterns else None


def in_file(fact: LocalFact, origin: Callable[[int, int], tuple[int, int]] | None) -> LocalFact:
    """Return a variable of a part of a file as one of the file: without the source of its value, whose number is that
    of the part. `origin` maps (line, column) in the part to those in the file; None where these are the same.
    """
    if origin is None:
        return fact._replace(source=0, binding=0)
    places = tuple((*origin(line, column), is_bound) for line, column, is_bound in fact.places)
    return fact._replace(
        line_start=origin(fact.line_start, 0)[0],
        line_end=origin(fact.line_end, 0)[0],
        places=places,
        source=0,
        binding=0,
    )
