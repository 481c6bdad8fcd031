"""The rows of a file in index.db, derived from its facts and its path."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from codeagentd.languages.language import TypeRules, languages
from codeagentd.languages.module_systems import Reexport
from codeagentd.model.boundaries import Role, pack
from codeagentd.model.facts import (
    CALLBACK_PARAMETER,
    ELEMENT,
    ENTERED,
    EXPECTED,
    EXPECTED_ARGUMENT,
    FILE_SYMBOL,
    PART,
    THROUGH_CALL,
    THROUGH_ITEM,
    FileFacts,
    ImportFact,
    SymbolFact,
)
from codeagentd.model.heading_anchors import mentions_of
from codeagentd.model.identifier_words import words_of
from codeagentd.model.ids import NAME_HASH, derive_uid, name_key, repeated_uid
from codeagentd.model.kinds import ReferenceKind, SymbolFlag, SymbolKind

from .module_names import ModuleName, rust_path
from .symbol_row import BASES, NAME, UID, SymbolRow, row_of

_KEYS: dict[str, int] = {}
# distinguishes a symbol that several files may define from one of the same name that one file defines alone
SHARED_PLACE: Final = "*"
_NAMESPACE: Final = int(SymbolKind.NAMESPACE)
_LOCAL: Final = int(SymbolFlag.LOCAL)
KEYS_LIMIT: Final = 300_000  # cached name keys; about 40 MB

_WRITE: Final = int(ReferenceKind.WRITE)
_TYPE_GROUP: Final = frozenset({4, 5, 6, 7, 8, 17, 19, 20, 21, 27, 29, 30, 33, 34})
_CALL_GROUP: Final = frozenset({9, 10, 11, 12, 18, 22, 32})


class ImportRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One file-level import or export; see the table imports."""

    local: str
    module: str
    name: str
    exported: bool


class FileRows(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """All data that index.db stores of one file besides its references.

    `symbols` are rows of the table (see symbol_row) that `place` completes; `words` has one row of the full-text table
    for each of them.
    """

    symbols: list[SymbolRow]
    words: list[str]
    # (index of the symbol, line_start, line_end, line) of further places in this file
    spans: list[tuple[int, int, int, int]]
    imports: list[ImportRow]
    names: bytes
    boundaries: bytes = b""


def key_of(name: str) -> int:
    """Return the name key of `name`, cached, because a process meets the same names again and again."""
    key = _KEYS.get(name)
    if key is None:
        if len(_KEYS) > KEYS_LIMIT:
            _KEYS.clear()
        key = _KEYS[name] = name_key(name)
    return key


def derive_rows(path: str, project: str, module: ModuleName, facts: FileFacts) -> FileRows:
    """Return the rows of the file at `path`, derived from its facts; `project` is the key of its project in uids.

    Returns: symbols in the order of the facts, the file's own first; their ids are derived, and not yet looked up in
    identities.
    """
    language = languages()[facts.language]
    # a C header declares what a C++ file defines
    family = language.family if language.symbols.shared and language.family else facts.language
    rules, known, scope = language.symbols, _KEYS, "" if language.modules.by_name else path
    name, full = module.own, path if module.is_package else module.qualified or path
    fact = facts.symbols[FILE_SYMBOL]
    kind = int(SymbolKind[rules.file.upper()])
    uid = derive_uid(facts.language, project, full, "file", path)
    qualified, package = [module.qualified], ""
    rows = [row_of(fact, uid, kind, key_of(name), name, full)]
    for fact in islice(facts.symbols, FILE_SYMBOL + 1, None):
        name, kind, outer = fact.name, fact.kind, qualified[fact.parent]
        whole = f"{fact.owner}{rules.separator}{name}" if fact.owner else name
        full = f"{outer}{rules.separator}{whole}" if outer else whole
        # not a second clause of one file, which would be its own parent
        if kind == _NAMESPACE and module.is_package and outer and fact.parent == FILE_SYMBOL:
            # several packages may lie in one folder
            full, package = (f"{outer}_test" if name.endswith("_test") else outer, name)
        is_moved = fact.shared and not fact.body and bool(fact.type) and rules.implementations
        if is_moved:  # a block of members of a type that lies elsewhere
            full = rust_path(module.qualified, fact.type)
        qualified.append(full)
        if rules.path_sign and kind != SymbolKind.NAMESPACE:
            name = name.rpartition(rules.separator)[2]
        group = "type" if kind in _TYPE_GROUP else "call" if kind in _CALL_GROUP else "value"
        place = SHARED_PLACE + package if fact.shared else scope or (path if fact.parent == FILE_SYMBOL else "")
        uid = derive_uid(family, project, full, group, f"{fact.header}\x00{place}")
        head = fact.header.partition("(")[0].strip() if rules.type_arity or rules.bounded else ""
        rows.append(row_of(fact, uid, kind, known.get(name) or key_of(name), name, full, head))
        if is_moved:
            rows[-1][BASES] = ",".join(_from_crate(module.qualified, base) for base in fact.bases)
    _tell_apart(rows, facts.symbols)
    words = [words_of(row[NAME]) for row in rows]
    spans = [
        (index, *lines) for index, fact in enumerate(facts.symbols) if fact.more_lines for lines in fact.more_lines
    ]
    return FileRows(rows, words, spans, _import_rows(facts), _mentioned_hashes(facts), pack(facts.boundaries))


def _tell_apart(rows: list[SymbolRow], facts: Sequence[SymbolFact]) -> None:
    """Give distinct ids to symbols of the same name in different unnamed functions, and to all symbols inside them; the
    first keeps the plain id, unless it is used.
    """
    inner = [False] * len(facts)
    for index, fact in enumerate(facts):
        inner[index] = bool(fact.flags & _LOCAL) or inner[fact.parent] if index else False
    if not any(inner):
        return
    used = {row[UID] for row, is_inner in zip(rows, inner, strict=True) if not is_inner}
    for row, is_inner in zip(rows, inner, strict=True):
        if is_inner:
            plain, times = row[UID], 1
            while row[UID] in used:
                times += 1
                row[UID] = repeated_uid(plain, times)
            used.add(row[UID])


def _import_rows(facts: FileFacts) -> list[ImportRow]:
    language = languages()[facts.language]
    rows = [
        ImportRow(fact.local, fact.module, fact.name, fact.exported)
        for fact in facts.imports
        if fact.source == FILE_SYMBOL or language.modules.inner_imports
    ]
    if language.symbols.closed_modules:
        rows += [row for fact in facts.imports if fact.source != FILE_SYMBOL and (row := _nested_import(facts, fact))]
    # an import in a function binds nothing around it, but is an import of a file as well
    if language.modules.reexport == Reexport.BY_FILE:
        rows += [
            ImportRow("", fact.module, fact.name, False)
            for fact in facts.imports
            if fact.source != FILE_SYMBOL and fact.name != "*"
        ]
    return rows + [ImportRow(exported, "", local, True) for exported, local in facts.exports]


def _nested_import(facts: FileFacts, fact: ImportFact) -> ImportRow | None:
    """Return an import in a module inside the file: its local name has the name of the module before it."""
    names: list[str] = []
    index = fact.source
    while index != FILE_SYMBOL:
        symbol = facts.symbols[index]
        if symbol.kind != SymbolKind.MODULE:
            return None
        names.insert(0, symbol.name)
        index = symbol.parent
    return ImportRow("::".join([*names, fact.local]), fact.module, fact.name, fact.exported)


def _from_crate(module: str, base: str) -> str:
    """Return a base that begins with self or super as a path from the crate."""
    if not base.startswith(("self.", "super.")):
        return base
    crate = rust_path(module, "crate")
    return "crate" + rust_path(module, base.replace(".", "::")).removeprefix(crate).replace("::", ".")


def pack_ids(ids: Sequence[int]) -> bytes:
    """Return `ids`, of symbols, encoded for the column files.symbols."""
    return array("I", ids).tobytes()


def unpack_ids(packed: bytes) -> array[int]:
    """Return the symbol ids in the column value `packed`: the inverse of `pack_ids`."""
    ids = array("I")
    ids.frombytes(packed)
    return ids


_WORD: Final = re.compile(r"[\w$]+")


def words_of_type(text: str) -> list[str]:
    """Return the names in `text`, a type or expression as written, in their order."""
    return _WORD.findall(text)


_NAME: Final = re.compile(r"[^.:\\]+")
_SEGMENT = re.compile(r"[^./\\:]+")


def _mentioned_hashes(facts: FileFacts) -> bytes:
    """Return hashes of every name whose meaning may depend on other files."""
    modules = {fact.module for fact in facts.imports}  # the whole name of a namespace is the name of one symbol
    names = {*facts.names, *[name for fact in facts.imports for name in mentions_of(fact.name)], *modules}
    names.update(*map(_SEGMENT.findall, modules))
    names.update(*[_NAME.findall(base) for symbol in facts.symbols for base in symbol.bases])
    names.update(
        *[
            words_of_type(f"{symbol.type} {symbol.returns or ''}")
            for symbol in facts.symbols
            if symbol.type or symbol.returns
        ]
    )
    names.update(*map(words_of_type, facts.texts))
    names.update([boundary.text for boundary in facts.boundaries if boundary.role == Role.BIND])
    if any(source.how == ENTERED for source in facts.sources):
        names.update(languages()[facts.language].types.enter)
    operations = languages()[facts.language].operations if facts.operation_words else {}
    for operation in facts.operation_words:
        names.update(method for text in operations[operation] for method in _WORD.findall(text))
    names.update(_implicit_methods(facts, languages()[facts.language].types))
    rules = languages()[facts.language].symbols
    if any(source.how == EXPECTED_ARGUMENT for source in facts.sources):
        names.update(rules.constructors)
    if rules.path_sign:
        names.update(_names_in_paths(facts, rules.setter))
    if rules.attribute_suffix:
        names.update(
            {
                reference.name + rules.attribute_suffix
                for reference in facts.references()
                if reference.kind == ReferenceKind.DECORATE
            }
        )
    names.discard("")
    known = _KEYS
    return array("I", sorted([(known.get(name) or key_of(name)) & NAME_HASH for name in names])).tobytes()


def _implicit_methods(facts: FileFacts, types: TypeRules) -> Iterator[str]:
    """List the methods that the language runs implicitly where a value is called, subscripted or iterated."""
    if any(source.how == ELEMENT for source in facts.sources):
        yield from types.iterate
    if types.call or types.item:
        flags = facts.flags() | {
            source.flags
            for source in facts.sources
            if source.how not in (CALLBACK_PARAMETER, EXPECTED_ARGUMENT, PART, EXPECTED)
        }
        yield from types.call if any(flag & THROUGH_CALL for flag in flags) else ()
        yield from types.item if any(flag & THROUGH_ITEM for flag in flags) else ()


def _names_in_paths(facts: FileFacts, setter: str) -> set[str]:
    """Return the names inside of paths, in what other files contribute to shared definitions, of setters, and of the
    possible targets of `super`.
    """
    names = {part for name in facts.names if not name.isidentifier() for part in _NAME.findall(name)}
    names.update(*[_NAME.findall(symbol.name) for symbol in facts.symbols if symbol.shared])
    if setter:
        names.update({facts.names[row[0]] + setter for row in facts.rows() if row[1] == _WRITE})
    if "super" in facts.names:
        names.update([symbol.name for symbol in facts.symbols if symbol.kind in _CALL_GROUP])
    return names
