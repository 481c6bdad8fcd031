"""Whether an index says what the marks of a case say; tests/languages/test_cases.py explains the marks."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.extract.file_facts import extract
from codeagentd.languages.dialects import language_of_source, presumed, sources_among
from codeagentd.languages.language import language_of
from codeagentd.model.facts import (
    BUILT_IN_RECEIVER,
    CLASS,
    COMPLEX,
    FIRST_REFERENCE,
    LOCAL,
    PLAIN,
    SELF,
    SUPER,
    THROUGH_CALL,
    FileFacts,
    Reference,
)
from codeagentd.model.ids import name_key
from codeagentd.model.kinds import Confidence, Origin, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.store.connection import Database
from tests.harness.marked_source import Case, Expectation, read_edge
from tests.harness.stored_rows import StoredRows, stored_rows

_RECEIVERS: Final = {
    PLAIN: "plain",
    SELF: "self",
    CLASS: "class",
    SUPER: "super",
    LOCAL: "local",
    COMPLEX: "complex",
    BUILT_IN_RECEIVER: "beyond",
}
_KINDS: Final = frozenset(kind.name.lower() for kind in ReferenceKind)
OUTSIDE: Final = "external"  # begins the path of what is of another package
_SEPARATOR: Final = re.compile(r"[.:/#]")


class Found(msgspec.Struct, frozen=True):
    """One symbol of the index; `lines` are all those on which its name stands in the file asked about."""

    name: str
    qualified: str
    kind: str
    path: str
    lines: tuple[int, ...]
    values: dict[str, str]
    flags: frozenset[str]


_AT_LINE = re.compile(r"@(\d+)$")  # behind the name of a target


class Ref(msgspec.Struct, frozen=True):
    """One row of the table refs."""

    path: str
    line: int
    kind: str
    key: int
    target: str  # qualified name, '' = open
    target_line: int
    target_path: str
    target_is_file: bool
    source: str
    confidence: str
    origin: str

    @property
    def is_outside(self) -> bool:
        """Whether it leads to another package."""
        return self.target_path.startswith(f"{OUTSIDE}:")

    def __str__(self) -> str:
        return f"{self.kind} -> {self.target or 'open'} {self.confidence} {self.origin} from {self.source}"


class MarkedIndex:
    """The index and the facts of one case's files."""

    def __init__(self, index: Path, case: Case) -> None:
        self._case = case
        self._facts: dict[str, FileFacts] = {}
        with contextlib.closing(Database(index)) as database:
            rows = stored_rows(database)
            self._symbols = list(_symbols(rows))
            self._refs = list(_refs(rows))
            self._status = {file.path: file.status for file in rows.files(external=True)}

    def failures(self) -> dict[Expectation, str]:
        """The expectations that do not hold, with what was found instead."""
        found = {expectation: self._judge(expectation) for expectation in self._case.expectations}
        return {expectation: said for expectation, said in found.items() if said}

    def invented(self) -> list[str]:
        """Edges in files marked `only` that no expectation of their line names."""
        expected: dict[tuple[str, int], list[Expectation]] = {}
        for expectation in self._case.expectations:
            if expectation.is_edge:
                expected.setdefault((expectation.path, expectation.line), []).append(expectation)
        found = []
        for ref in self._refs:
            if ref.path in self._case.closed and ref.target and not ref.is_outside:
                edges = [read_edge(expectation) for expectation in expected.get((ref.path, ref.line), ())]
                if not any(
                    edge.kind == ref.kind and any(self._is(target, ref) for target in edge.targets) for edge in edges
                ):
                    found.append(f"{ref.path}:{ref.line}: unexpected {ref}")
        return found

    def _judge(self, expectation: Expectation) -> str:
        """'' when the expectation holds, else what was found."""
        if expectation.is_edge:
            return self._edge(expectation)
        first, *rest = expectation.words
        if first in _KINDS and rest[:1] == ["open"]:
            return self._open(expectation, first, rest[1])
        judges: dict[str, Callable[[Expectation, list[str]], str]] = {
            "def": self._def, "nodef": self._nodef, "ref": self._ref, "absent": self._absent, "import": self._import, "export": self._export,
            "none": self._none, "unasked": self._unasked, "status": self._file_status,
        }  # fmt: skip
        if first not in judges:
            raise ValueError(f"{expectation}: unknown expectation {first!r}")
        return judges[first](expectation, rest)

    # -- definitions
    def _def(self, expectation: Expectation, words: list[str]) -> str:
        kind, name, *conditions = words
        here = [
            symbol for symbol in self._symbols if symbol.path == expectation.path and expectation.line in symbol.lines
        ]
        chosen = [symbol for symbol in here if symbol.kind == kind and _ends_in(symbol.qualified, name)]
        if not chosen:
            return "found " + (", ".join(f"{symbol.kind} {symbol.qualified}" for symbol in here) or "no definition")
        wrong = [said for condition in conditions if (said := _condition(expectation, chosen[0], condition))]
        return ", ".join(wrong)

    def _nodef(self, expectation: Expectation, words: list[str]) -> str:
        here = [
            symbol
            for symbol in self._symbols
            if symbol.path == expectation.path and expectation.line in symbol.lines and symbol.name == words[0]
        ]
        return f"found {here[0].kind} {here[0].qualified}" if here else ""

    # -- occurrences
    def _facts_of(self, path: str) -> FileFacts:
        if path not in self._facts:
            language = language_of(path)
            if language is None:
                raise ValueError(f"{path} has no language")
            source = self._case.files[path].encode()
            self._facts[path] = extract(
                source, language_of_source(source, presumed(language, path, sources_among(self._case.files)))
            )
        return self._facts[path]

    def _occurrences(self, expectation: Expectation) -> Iterator[tuple[str, str, str]]:
        """(kind, name, receiver) of every reference of a line."""
        references = list(self._facts_of(expectation.path).references())
        for reference in references:
            if reference.line == expectation.line:
                yield ReferenceKind(reference.kind).name.lower(), reference.name, _receiver(reference, references)

    def _ref(self, expectation: Expectation, words: list[str]) -> str:
        kind, name = words[:2]
        receiver = words[3] if words[2:3] == ["on"] else None
        found = list(self._occurrences(expectation))
        if any(kind == other and name == text and receiver in (None, on) for other, text, on in found):
            return ""
        return "found " + (", ".join(f"{other} {text} on {on}" for other, text, on in found) or "no reference")

    def _absent(self, expectation: Expectation, words: list[str]) -> str:
        return ", ".join(
            f"found {kind} {name} on {on}" for kind, name, on in self._occurrences(expectation) if name == words[0]
        )

    def _import(self, expectation: Expectation, words: list[str]) -> str:
        wanted = (*words[:3], "exported" in words[3:], "type" in words[3:])
        facts = [
            fact
            for fact in self._facts_of(expectation.path).imports
            if expectation.line in (fact.line, fact.module_line)
        ]
        found = [(fact.module, fact.name, fact.local, fact.exported, fact.type_only) for fact in facts]
        return "" if wanted in found else f"found {found}"

    def _export(self, expectation: Expectation, words: list[str]) -> str:
        exports = self._facts_of(expectation.path).exports
        return "" if (words[0], words[1]) in exports else f"found {exports}"

    # -- edges
    def _is(self, wanted: str, ref: Ref) -> bool:
        if at := _AT_LINE.search(wanted):
            if ref.target_line != int(at[1]):
                return False
            wanted = wanted[: at.start()]
        path, colon, name = wanted.partition(":")
        if colon and path in self._case.files:
            return ref.target_path == path and (
                ref.target_is_file if not name else not ref.target_is_file and _ends_in(ref.target, name)
            )
        if path == OUTSIDE:
            return ref.is_outside and ref.target == name
        return bool(ref.target) and not ref.is_outside and _ends_in(ref.target, wanted)

    def _edge(self, expectation: Expectation) -> str:
        edge = read_edge(expectation)
        here = [ref for ref in self._refs if ref.path == expectation.path and ref.line == expectation.line]
        fitting = [
            ref for ref in here
            if ref.kind == edge.kind and edge.confidence in ("", ref.confidence) and edge.origin in ("", ref.origin)
            and (not edge.source or _ends_in(ref.source, edge.source))
        ]  # fmt: skip
        if all(any(self._is(target, ref) for ref in fitting) for target in edge.targets):
            return ""
        return "found " + ("; ".join(map(str, here)) or "no reference")

    def _open(self, expectation: Expectation, kind: str, name: str) -> str:
        here = [
            ref
            for ref in self._refs
            if ref.path == expectation.path and ref.line == expectation.line and ref.key == name_key(name)
        ]
        return (
            ""
            if any(ref.kind == kind and not ref.target for ref in here)
            else "found " + ("; ".join(map(str, here)) or "no reference")
        )

    def _none(self, expectation: Expectation, words: list[str]) -> str:
        here = [
            ref
            for ref in self._refs
            if ref.path == expectation.path and ref.line == expectation.line and ref.target and not ref.is_outside
        ]
        return "; ".join(f"found {ref}" for ref in here if not words or ref.key == name_key(words[0]))

    def _unasked(self, expectation: Expectation, words: list[str]) -> str:
        here = [
            ref
            for ref in self._refs
            if ref.path == expectation.path and ref.line == expectation.line and ref.key == name_key(words[0])
        ]
        return "; ".join(f"found {ref}" for ref in here if not ref.target)

    def _file_status(self, expectation: Expectation, words: list[str]) -> str:
        found = self._status.get(expectation.path)
        return "" if found == words[0] else f"found {found}"


def _ends_in(qualified: str, wanted: str) -> bool:
    """Whether a qualified name is this one, or ends in it at a separator."""
    return qualified == wanted or (qualified.endswith(wanted) and bool(_SEPARATOR.match(qualified[-len(wanted) - 1])))


def _receiver(reference: Reference, references: list[Reference]) -> str:
    called = "()" if reference.flags & THROUGH_CALL else ""
    if reference.receiver >= FIRST_REFERENCE:
        return references[reference.receiver - FIRST_REFERENCE].name + called
    return _RECEIVERS[reference.receiver] + called


def _condition(expectation: Expectation, symbol: Found, text: str) -> str:
    """'' when one WORD=VALUE, +flag or -flag holds of a symbol."""
    if text[0] in "+-":
        return "" if (text[1:] in symbol.flags) == (text[0] == "+") else f"flags are {','.join(sorted(symbol.flags))}"
    word, equals, value = text.partition("=")
    if not equals or word not in (*symbol.values, "flags"):
        raise ValueError(f"{expectation}: what is {text!r}?")
    if word == "flags":
        return (
            ""
            if symbol.flags == frozenset(filter(None, value.split(",")))
            else f"flags are {','.join(sorted(symbol.flags))}"
        )
    if word == "parent":
        return "" if _ends_in(symbol.values[word], value) else f"parent is {symbol.values[word]}"
    return "" if symbol.values[word] == value else f"{word} is {symbol.values[word]!r}"


def _symbols(rows: StoredRows) -> Iterator[Found]:
    """Every symbol, once for each file that it has a place in."""
    places: dict[int, dict[str, list[int]]] = {}
    for number, path, line in rows.spans():
        places.setdefault(number, {}).setdefault(path, []).append(line)
    for symbol in rows.symbols(external=True):
        spans = places.get(symbol.id, {symbol.path: [symbol.line]})
        values = {
            "access": symbol.access, "signature": symbol.signature or "", "params": "" if symbol.parameters is None else str(symbol.parameters),
            "returns": symbol.returns or "", "type": symbol.type, "bases": symbol.bases, "lines": f"{symbol.line_start}-{symbol.line_end}",
            "spans": str(sum(map(len, spans.values()))), "parent": symbol.parent or "",
        }  # fmt: skip
        flags = SymbolFlag(symbol.flags) & ~SymbolFlag.PRIVATE  # `access` says that
        names = frozenset((flag.name or "").lower() for flag in flags)
        for place, lines in spans.items():
            kind = SymbolKind(symbol.kind).label
            yield Found(symbol.name, symbol.qualified_name, kind, place, tuple(lines), values, names)


def _refs(rows: StoredRows) -> Iterator[Ref]:
    for one in rows.references():
        yield Ref(
            one.path, one.line, ReferenceKind(one.kind).name.lower(), one.key, one.target or "", one.target_line or 0, one.target_path or "",
            bool(one.is_to_file), one.source, Confidence(one.confidence).label, Origin(one.origin).label,
        )  # fmt: skip
