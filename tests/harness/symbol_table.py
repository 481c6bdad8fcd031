"""A symbol table in memory, made of source texts by the real extractor, and the table rows that are tested on it.

The source of a row is text of one language. A line `=== path` begins a file; without one the text is the file `main`
with the language's first extension. `<|>` stands before the name that the row is about. The expected answer is one of

    Case.lend exact                one definition, by the end of its qualified name, and how sure that is
    Shelf.lend(int days) exact     with its signature, where overloads have one name
    a/shelf.ts:Shelf.lend exact    with its file
    A.run, B.run ambiguous         all definitions of an ambiguous or inferred reference
    Shelf.lend                     the definition, however sure
    external:requests.get exact    a definition of another package
    open                           a member of a value of unknown type, which is left for a query to find by its name
    nothing                        no definition, whether or not the reference is left open

The references by which a member overrides others, and by which a call of a type runs a constructor, are apart from
those that a name has by itself: `assert_overrides` and `assert_constructs` are about them. Those by which an operation,
or a call of a value, runs what is not named there are left out.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec
import pytest

from codeagentd.extract.file_facts import extract
from codeagentd.languages.dialects import language_of_source, presumed, sources_among
from codeagentd.languages.language import language_of, languages
from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, Confidence, Origin, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.pipeline.batch.symbol_matching import alternative
from codeagentd.pipeline.rows.index_rows import FileRows, derive_rows, key_of
from codeagentd.pipeline.rows.module_names import module_name
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.symbol_row import (
    BASES,
    BODY,
    FILE,
    FLAGS,
    ID,
    KIND,
    LINE,
    NAME,
    PARENT,
    QUALIFIED,
    RETURNS,
    SHARED,
    SIGNATURE,
    TYPE,
    UID,
    SymbolRow,
    is_stub,
    place,
)
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.resolve.reference_rows import REF_COLUMNS
from codeagentd.resolve.references import Linker, Links
from codeagentd.resolve.symbol_table import Aliases, File, Import, IncludeEdges, Symbol
from codeagentd.scan.projects.detection import detect, is_manifest

CURSOR: Final = "<|>"
_FILE_LINE: Final = re.compile(r"^=== +(\S+)\s*$", re.MULTILINE)
HEAD: Final = -1  # the last column of a row of symbols
_SEPARATOR: Final = re.compile(r"[.:/#]")
_CONFIDENCES: Final = [confidence.name.lower() for confidence in Confidence]
_LOCAL: Final = int(SymbolFlag.LOCAL)
_DISPATCH: Final = {ReferenceKind.OVERRIDE, ReferenceKind.CONSTRUCT}
_CALLABLES: Final = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY}


class InMemorySymbolTable:
    """Implements resolve's SymbolTable over the extracted facts of a few sources."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.include_edges: IncludeEdges = {}
        self._sources = dict(sorted(sources.items()))
        self._projects = _projects(self._sources)
        self._files: dict[int, File] = {}
        self._import_names: dict[int, str] = {}
        self._rows: dict[int, FileRows] = {}
        self._parts: dict[int, list[SymbolRow]] = defaultdict(list)  # by symbol: its declarations, by path and line
        self._ids: dict[bytes, int] = {}
        self.facts: dict[int, FileFacts] = {}
        self.symbol_ids: dict[int, list[int]] = {}  # of a file's symbols, in the order of its facts
        dialects = sources_among(self._sources)
        for path, text in self._sources.items():
            if language := language_of(path):
                self._add(path, presumed(language, path, dialects), text.encode())
        merged = {symbol: self._merged(parts) for symbol, parts in self._parts.items()}
        self._symbol_rows = {row[ID]: row for row in merged.values()}
        self._symbols = {row[ID]: _symbol(row) for row in merged.values()}

    def _add(self, path: str, language: str, source: bytes) -> None:
        file = len(self._files) + 1
        project = self._projects.project_of(path, language)
        module = module_name(path, languages()[language], project, self._sources)
        facts = extract(source, language_of_source(source, language))
        rows = derive_rows(path, project.key, module, facts)
        ids, uids = self._number(path, rows.symbols)
        place(rows.symbols, file, ids, uids)
        for row in rows.symbols:
            self._parts[row[ID]].append(row)
        project_id = self._projects.id_of(project)
        self._files[file] = File(file, path, facts.language, project_id, ids[0], module.qualified)
        self._import_names[file] = module.imported
        self._rows[file], self.facts[file], self.symbol_ids[file] = rows, facts, ids

    def _number(self, path: str, rows: Iterable[SymbolRow]) -> tuple[list[int], list[bytes]]:
        """Ids and uids of one file's symbols: only a symbol that several files share has the id of another one."""
        ids, uids = [], []
        for row in rows:
            uid = row[UID]
            while not row[SHARED] and uid in self._ids:
                uid = alternative(uid, path)
            ids.append(self._ids.setdefault(uid, len(self._ids) + 1))
            uids.append(uid)
        return ids, uids

    def _merged(self, parts: Sequence[SymbolRow]) -> SymbolRow:
        """One row of all declarations of a symbol: a definition comes first, and bases and flags are those of all."""
        ordered = sorted(parts, key=lambda part: not part[BODY] or part[KIND] == SymbolKind.TYPE)
        merged = list(ordered[0])
        for part in ordered[1:]:
            merged[FLAGS] |= part[FLAGS]
        if merged[KIND] in TYPES:
            bases = (base for part in ordered for base in part[BASES].split(","))
            merged[BASES] = ",".join(dict.fromkeys(base for base in bases if base))
        elif merged[KIND] != SymbolKind.NAMESPACE:
            member = next((part for part in ordered if self._kind(part[PARENT]) in TYPES), merged)
            merged[PARENT], merged[KIND], merged[QUALIFIED] = member[PARENT], member[KIND], member[QUALIFIED]
        return merged

    def _kind(self, symbol: int | None) -> int:
        return int(self._parts[symbol][0][KIND]) if symbol else 0

    # -- the protocol
    def file(self, file: int) -> File:
        """A file by id."""
        return self._files[file]

    def file_at(self, path: str) -> File | None:
        """The file with this path."""
        return next((file for file in self._files.values() if file.path == path), None)

    def files_of_module(self, name: str) -> Sequence[File]:
        """Files that this dotted name imports."""
        return [file for file in self._files.values() if name and name in (file.module, self._import_names[file.id])]

    def is_namespace(self, name: str) -> bool:
        """Whether modules exist below this dotted name."""
        modules = [file.module for file in self._files.values()] + list(self._import_names.values())
        return any(module.startswith(f"{name}.") for module in modules)

    def symbol(self, symbol: int) -> Symbol:
        """A symbol by id."""
        return self._symbols[symbol]

    def qualified_name(self, symbol: int) -> str:
        """The whole name of a symbol."""
        return str(self._symbol_rows[symbol][QUALIFIED]) if symbol in self._symbol_rows else ""

    def members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        """The symbols directly inside another, by name."""
        return {name: _accessible(symbols) for name, symbols in self._below.get(parent, {}).items()}

    def has_local_duplicates(self, parent: int, name: str) -> bool:
        """Whether several symbols inside of another have a name, and functions without a name hold some of them."""
        symbols = self._below.get(parent, {}).get(name, [])
        return len(symbols) > 1 and any(symbol.flags & _LOCAL for symbol in symbols)

    @cached_property
    def _below(self) -> dict[int, dict[str, list[Symbol]]]:
        below: dict[int, dict[str, list[Symbol]]] = defaultdict(lambda: defaultdict(list))
        for symbol in sorted(self._symbols.values(), key=lambda symbol: symbol.id):
            below[symbol.parent][symbol.name].append(symbol)
        return below

    def qualified(self, language: str, name: str) -> Sequence[Symbol]:
        """Symbols with this exact qualified name."""
        return _accessible([symbol for symbol in self._of((language,)) if self.qualified_name(symbol.id) == name])

    def is_package(self, name: str) -> bool:
        """Whether a namespace of this name, or below it, is declared somewhere."""
        rows = self._symbol_rows.values()
        names = [row[QUALIFIED] for row in rows if row[KIND] == SymbolKind.NAMESPACE]
        return any(other == name or other.startswith(f"{name}.") for other in names)

    def named(self, name: str, language: str = "") -> Sequence[Symbol]:
        """Symbols with this bare name, in a language or those that share its names; '' for any."""
        family = language_family(language) if language else tuple(languages())
        return [symbol for symbol in self._of(family) if symbol.name == name]

    def named_outside_types(self, name: str, language: str) -> Sequence[Symbol]:
        """Those of `named` that are no members."""
        members = (SymbolKind.FIELD, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR)
        return [symbol for symbol in self.named(name, language) if symbol.kind not in members]

    def may_be_included(self, source: File) -> bool:
        """Whether a file may include this one: that is not looked up here."""
        return True

    def _of(self, family: Sequence[str]) -> list[Symbol]:
        return [symbol for symbol in self._symbols.values() if self._files[symbol.file].language in family]

    def declaring_files(self, symbol: int) -> Sequence[int]:
        """The files that declare a symbol which several files share; empty for others."""
        parts = [part for part in self._parts.get(symbol, ()) if part[SHARED] and not is_stub(part)]
        return list(dict.fromkeys(part[FILE] for part in parts))

    def packages(self, file: int) -> Sequence[str]:
        """The whole names of the namespaces that a file declares, longest first."""
        names = {
            row[QUALIFIED] for row in self._rows[file].symbols if row[KIND] == SymbolKind.NAMESPACE and row[SHARED]
        }
        return sorted(names, key=lambda name: (-len(name), name))

    def imports(self, file: int) -> Sequence[Import]:
        """The file-level imports and exports of a file."""
        return [Import(row.local, row.module, row.name, row.exported) for row in self._rows[file].imports]

    def global_imports(self, file: File) -> Sequence[Import]:
        """Imports that stand in other files and hold for all of a file's project."""
        if not languages()[file.language].symbols.global_imports:
            return []
        others = [
            other.id
            for other in self._files.values()
            if (other.language, other.project) == (file.language, file.project)
        ]
        return [entry for other in others for entry in self.imports(other) if entry.exported]

    def has_member(self, key: int, language: str) -> bool:
        """Whether any type has a member with this name key, in a language or those that share its names."""
        outer = {*SCOPES_OF_NAMES, *_CALLABLES}
        return any(self._kind(symbol.parent) not in outer for symbol in self._keyed(key, language) if symbol.parent)

    def has_value(self, key: int, language: str) -> bool:
        """Whether any type has a member with this name key that is no method."""
        keyed = self._keyed(key, language)
        return any(symbol.kind != SymbolKind.METHOD and self._kind(symbol.parent) in TYPES for symbol in keyed)

    def _keyed(self, key: int, language: str) -> list[Symbol]:
        return [symbol for symbol in self._of(language_family(language)) if key_of(symbol.name) == key]

    def aliases(self, path: str) -> Aliases:
        """Path aliases that hold for a file."""
        return self._projects.aliases(path)

    def entries(self, path: str, language: str) -> Sequence[tuple[str, tuple[str, ...]]]:
        """(name, places) of each name that the manifest around a file maps to another project."""
        return self._projects.project_of(path, language).entries

    def package(self, name: str) -> Sequence[str]:
        """Candidate entry paths of an npm package among the sources."""
        return self._projects.package(name)

    # -- resolution
    @cached_property
    def names(self) -> NameLookup:
        """Name lookup over this table, with its member lookup and type inference."""
        return NameResolver(self)

    def find(self, name: str) -> Symbol:
        """The one symbol whose qualified name is this one, or ends in it."""
        rows = self._symbol_rows.values()
        (row,) = [row for row in rows if _ends_in(row[QUALIFIED], name) and row[KIND] != SymbolKind.FILE]
        return self._symbols[row[ID]]

    def links(self, file: int) -> Links:
        """The references of a file, resolved."""
        return Linker(self.names, key_of).link(self._files[file], self.facts[file], self.symbol_ids[file])

    def answers(self, path: str, line: int, col: int, kind: ReferenceKind | None = None) -> list[Answer]:
        """The definitions that the references at a position lead to; without a kind those of the name itself."""
        file = self.file_at(path)
        assert file, f"{path} has no language"
        links = self.links(file.id)
        rows = [links.numbers[at : at + REF_COLUMNS] for at in range(0, len(links.numbers), REF_COLUMNS)]
        here = [row for row in rows if (row[6], row[7]) == (line, col) and row[5] != Origin.OPERATION]
        return [
            self._answer(links, row[1], row[4]) for row in here if (row[3] if row[3] in _DISPATCH else None) == kind
        ]

    def references(self) -> set[tuple[str, int, int, int, str, int]]:
        """(path, line, column, kind, qualified name of the definition, confidence) of each reference."""
        result = set()
        for file in self._files.values():
            numbers = self.links(file.id).numbers
            for at in range(0, len(numbers), REF_COLUMNS):
                _, target, _, kind, confidence, _, line, col = numbers[at : at + REF_COLUMNS]
                result.add((file.path, line, col, kind, self.qualified_name(target), confidence))
        return result

    def _answer(self, links: Links, target: int, confidence: int) -> Answer:
        sure = Confidence(confidence).name.lower()
        if external := links.outside.get(target):
            return Answer("external", external.name, "", sure)
        if not target:
            return Answer("", "", "", "open")
        row = self._symbol_rows[target]
        return Answer(self._files[row[FILE]].path, row[QUALIFIED], row[SIGNATURE] or "", sure)


class Answer(msgspec.Struct, frozen=True):
    """One definition that a reference leads to; `confidence` is "open" where the receiver's type is unknown."""

    path: str
    qualified: str
    signature: str
    confidence: str

    def is_expected(self, expected: str) -> bool:
        """Whether an expected definition, as a row has it, is this one."""
        name, bracket, rest = expected.partition("(")
        path, colon, tail = name.partition(":")
        if colon and not tail.startswith(":"):
            if path != self.path:
                return False
            name = tail
        return _ends_in(self.qualified, name) and (not bracket or self.signature == bracket + rest)

    def __str__(self) -> str:
        return f"{self.path}:{self.qualified}{self.signature} {self.confidence}"


def _ends_in(qualified: str, name: str) -> bool:
    """Whether a qualified name is this one, or ends in it at a separator."""
    return qualified == name or (qualified.endswith(name) and bool(_SEPARATOR.match(qualified[-len(name) - 1])))


def _symbol(row: SymbolRow) -> Symbol:
    return Symbol(
        row[ID], row[NAME], row[KIND], row[FLAGS], row[PARENT] or 0, row[FILE], row[LINE],
        tuple(row[BASES].split(",")) if row[BASES] else (), row[SIGNATURE] or "", row[RETURNS] or "", row[TYPE],
        row[HEAD],
    )  # fmt: skip


def _accessible(symbols: list[Symbol]) -> list[Symbol]:
    """Of symbols with one name those that no function without a name holds, if there are such."""
    return [symbol for symbol in symbols if not symbol.flags & _LOCAL] or symbols


def _projects(sources: Mapping[str, str]) -> ProjectMap:
    """The projects of the manifests among the sources, which the detection reads from a disk."""
    manifests = {path: text for path, text in sources.items() if is_manifest(path)}
    if not manifests:
        return ProjectMap()
    with tempfile.TemporaryDirectory() as directory:
        for path, text in manifests.items():
            target = Path(directory, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        detected = detect(Path(directory), sources)
    return ProjectMap(detected, {project.key: number for number, project in enumerate(detected.projects, 1)})


# -- rows of tables
def files_of(language: str, text: str) -> dict[str, str]:
    """The files of a row's source."""
    text = textwrap.dedent(text).lstrip("\n")
    first, *others = _FILE_LINE.split(text)
    if not others:
        return {f"main{languages()[language].extensions[0]}": first}
    return {path: body.removeprefix("\n") for path, body in zip(others[::2], others[1::2], strict=True)}


def answers_at_cursor(language: str, text: str, kind: ReferenceKind | None = None) -> list[Answer]:
    """The definitions of the name at the cursor of a row's source."""
    files = files_of(language, text)
    ((path, body),) = [(path, body) for path, body in files.items() if CURSOR in body]
    assert body.count(CURSOR) == 1, "a row is about one name"
    before = body[: body.index(CURSOR)]
    line, col = before.count("\n") + 1, len(before) - before.rfind("\n") - 1
    files[path] = body.replace(CURSOR, "")
    return InMemorySymbolTable(files).answers(path, line, col, kind)


def assert_overrides(language: str, source: str, expected: str) -> None:
    """Assert that the member at the cursor overrides the expected members, and no others."""
    assert_resolves(language, source, expected, ReferenceKind.OVERRIDE)


def assert_constructs(language: str, source: str, expected: str) -> None:
    """Assert that the call at the cursor runs the expected constructors, and no others."""
    assert_resolves(language, source, expected, ReferenceKind.CONSTRUCT)


def assert_resolves(language: str, source: str, expected: str, kind: ReferenceKind | None = None) -> None:
    """Assert that the name at the cursor leads to the expected definitions, and to no others."""
    answers = answers_at_cursor(language, source, kind)
    shown = f"expected {expected}, found {', '.join(map(str, answers)) or 'nothing'}"
    confidences = {answer.confidence for answer in answers}
    if expected == "nothing":
        assert confidences <= {"open"}, shown
        return
    if expected == "open":
        assert confidences == {"open"}, shown
        return
    names, _, confidence = expected.rpartition(" ")
    if confidence in _CONFIDENCES:
        assert confidences == {confidence}, shown
    else:
        names = expected
        assert answers, shown
    expected_names = re.split(r", (?![^(]*\))", names)
    assert all(any(answer.is_expected(name) for answer in answers) for name in expected_names), shown
    assert all(any(answer.is_expected(name) for name in expected_names) for answer in answers), shown


def row(language: str, rule: str, source: str, expected: str) -> object:
    """One row of a table: a rule of a language, as a sentence, and a source that shows it."""
    return pytest.param(language, source, expected, id=f"{language}: {rule}")


def gap(language: str, rule: str, source: str, expected: str) -> object:
    """A row that does not hold yet; it fails once it holds, and is a `row` then."""
    reason = "a known gap of the resolver"
    marks = pytest.mark.xfail(reason=reason, strict=True, raises=AssertionError)
    return pytest.param(language, source, expected, id=f"{language}: {rule}", marks=marks)
