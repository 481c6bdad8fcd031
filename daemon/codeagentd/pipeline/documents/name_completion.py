"""Completions: the names that may be written at a place of a document.

What the name at the place is read from, and the scopes around it, say which names may be there. Where no letter of it
is written yet, and in imports, a name that nobody uses is put there, and the document is parsed with that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from codeagentd.extract.document_structure import structure_of
from codeagentd.languages.language import languages
from codeagentd.model.documents import LOCAL_VARIABLE, Completion, DocumentText, Place
from codeagentd.model.facts import PLAIN
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.resolve.packed_references import Reference, references_of
from codeagentd.resolve.symbol_table import Symbol

from .document_resolver import DocumentResolver, ParsedDocument
from .receiver_members import ReceiverMembers, completion_of

PLACEHOLDER: Final = "zzcodeagentzz"  # a name in every language, which is no type, constant or variable with a sign
LEAST_PREFIX: Final = (
    3  # letters of a name, from which on names of the whole repository are offered: those of a trigram
)
MOST_OF_REPOSITORY: Final = 200  # names that no import has brought into the file
SCANNED: Final = 4  # names that are looked at for each of them: most have no definition that others can import
MOST: Final = 2_000  # names of an answer; an editor filters them by what is typed next
_WORD: Final = re.compile(r"[^\W\d][\w$]*\Z")
_JOINED: Final = re.compile(r"(?:[\w$)\]}\"'!?]\s*\.|\?\.|->|::)\s*\Z")
_REST: Final = re.compile(r"[\w$]*")
_BODIES: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})
_OUTER: Final = frozenset({SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.NAMESPACE})
_HIDDEN: Final = frozenset({"private", "protected"})
_NO_CODE: Final = ("comment", "string", "char_literal", "heredoc")  # parts of the types of leaves that are no names


def completions_at(resolver: DocumentResolver, text: DocumentText, line: int, column: int) -> list[Completion]:
    """Return the names that may be written at a place of a document, the nearest first. After a member operator these
    are the members of the receiver's type, and none where the type is not known.
    """
    lines = text.text.removeprefix("\ufeff").split("\n")
    if not 0 < line <= len(lines):
        return []
    written = lines[line - 1][:column]
    prefix = word[0] if (word := _WORD.search(written)) else ""
    start, rest = column - len(prefix), lines[line - 1][column:]
    rest = _REST.sub("", rest, count=1)
    is_member = _JOINED.search(written[:start]) is not None
    if prefix and (document := resolver.parse(text)) and not _imports_on(document, line):
        if not _is_code(document, text, Place(line, start)):
            return []
        return _Completer(resolver, document, line, start, "").completions(prefix, is_member=is_member)[:MOST]
    # a line that ends here may go on with the next one, unless something ends the statement
    for ending in ("", ";") if is_member and not rest.strip() else ("",):
        lines[line - 1] = f"{written[:start]}{PLACEHOLDER}{ending}{rest}"
        probe = DocumentText(text.path, text.language, "\n".join(lines))
        document = resolver.parse(probe)
        if document is None or not _is_code(document, probe, Place(line, start)):
            return []
        completer = _Completer(resolver, document, line, start, PLACEHOLDER)
        if results := completer.completions(prefix, is_member=is_member):
            return results[:MOST]
    return []


def _imports_on(document: ParsedDocument, line: int) -> bool:
    """Whether an import is written on a line."""
    return any(line in (fact.line, fact.module_line) for fact in document.facts.imports)


def _is_code(document: ParsedDocument, text: DocumentText, place: Place) -> bool:
    """Whether a place is neither in a comment nor in a literal."""
    structure = structure_of(text.text.removeprefix("\ufeff").encode(errors="replace"), document.facts.language)
    leaf = structure.leaf(place) if structure is not None else _NO_CODE[0]
    return not any(part in leaf for part in _NO_CODE)


class _Completer:
    """The names at one place of a document. `placeholder`: the name that was put there; '' for what is written."""

    def __init__(
        self, resolver: DocumentResolver, document: ParsedDocument, line: int, column: int, placeholder: str
    ) -> None:
        self._placeholder = placeholder
        self._resolver = resolver
        self._document = document
        self._facts = document.facts
        self._symbols = document.names.world
        self._line = line
        self._column = column
        self._rules = languages()[document.facts.language].symbols
        self._source = self._innermost()
        self._members = ReceiverMembers(resolver, document, self._source)

    def completions(self, prefix: str, *, is_member: bool) -> list[Completion]:
        """Return the names, each once."""
        reference = self._reference()
        if reference is not None and reference.receiver != PLAIN:
            return _distinct(self._members.of_reference(reference))
        if is_member:
            return []
        written = self._placeholder
        if module := next((fact.module for fact in self._facts.imports if fact.name == written and written), ""):
            return _distinct(self._of_module(module))
        return _distinct([*self._in_scope(), *self._of_repository(prefix)])

    def _reference(self) -> Reference | None:
        place = (self._line, self._column)
        return next(
            (reference for reference in references_of(self._facts) if (reference.line, reference.col) == place), None
        )

    def _innermost(self) -> int:
        """Return the index of the innermost definition around the place."""
        enclosing = [
            index
            for index, fact in enumerate(self._facts.symbols)
            if index and fact.line_start <= self._line <= fact.line_end and fact.name != self._placeholder
        ]
        return max(enclosing, key=lambda index: (self._facts.symbols[index].line_start, index), default=0)

    # -- names in scope
    def _in_scope(self) -> Iterator[Completion]:
        yield from self._variables()
        index = self._source
        while index > 0:
            fact = self._facts.symbols[index]
            if fact.kind in _BODIES or fact.kind in _OUTER:
                yield from self._inside(index)
            elif fact.kind in TYPES and self._rules.members_in_scope:
                yield from self._members.of_type(self._document.symbols.ids[index], is_instance=True)
            index = fact.parent
        yield from self._inside(0)
        yield from self._imports()

    def _variables(self) -> Iterator[Completion]:
        """List the local variables whose scopes contain the place, and which are not declared after it; the innermost
        first.
        """
        place = (self._line, self._column)
        visible = [
            fact
            for fact in self._document.variables
            if fact.line_start <= self._line <= fact.line_end
            and fact.name != self._placeholder
            and fact.places[0][:2] < place
        ]
        visible.sort(key=lambda fact: (fact.line_end - fact.line_start, fact.places[0]))
        type_of = self._document.resolver.local_type
        for fact in visible:
            type_ = type_of(fact.source, fact.binding) if fact.binding else None
            detail = self._symbols.symbol(type_.symbol).name if type_ is not None and type_.symbol > 0 else ""
            yield Completion(fact.name, LOCAL_VARIABLE, 0, detail)

    def _inside(self, parent: int) -> Iterator[Completion]:
        """List the definitions directly inside of a definition of the document."""
        for index, fact in enumerate(self._facts.symbols):
            if index and fact.parent == parent and fact.name != self._placeholder:
                yield completion_of(self._symbols.symbol(self._document.symbols.ids[index]))

    def _imports(self) -> Iterator[Completion]:
        names = self._document.names
        for fact in self._facts.imports:
            if not fact.local or fact.local == self._placeholder:
                continue
            target = names.imported(self._document.symbols.file, fact.module, fact.name)
            if target is not None and target.symbol > 0:
                yield completion_of(self._symbols.symbol(target.symbol), fact.local)
            else:
                kind = SymbolKind.VARIABLE if fact.name else SymbolKind.MODULE
                yield Completion(fact.local, int(kind), 0, fact.module)

    # -- names of other files
    def _of_module(self, module: str) -> Iterator[Completion]:
        """List what can be imported from a module of the repository."""
        target = self._document.names.imported(self._document.symbols.file, module, "")
        if target is not None and target.symbol > 0:
            yield from self._members.of_module(self._symbols.symbol(target.symbol))

    def _of_repository(self, prefix: str) -> Iterator[Completion]:
        """List exported names of other files that begin with the prefix, of whatever case."""
        if len(prefix) < LEAST_PREFIX:
            return
        count, language = 0, self._facts.language
        for name in self._resolver.index.names_beginning(prefix, MOST_OF_REPOSITORY * SCANNED):
            for symbol in self._symbols.named(name, language):
                if self._is_offered(symbol):
                    yield completion_of(symbol)
                    count += 1
                    break
            if count == MOST_OF_REPOSITORY:
                return

    def _is_offered(self, symbol: Symbol) -> bool:
        """Whether another file may import a symbol, or see it without that."""
        if symbol.file == self._document.symbols.file.id or not symbol.parent:
            return False
        if self._symbols.symbol(symbol.parent).kind not in _OUTER:
            return False
        if languages()[self._symbols.file(symbol.file).language].rules.exports == "declared":
            return bool(symbol.flags & SymbolFlag.EXPORTED)
        return self._resolver.index.access(symbol.id) not in _HIDDEN


def _distinct(completions: Iterable[Completion]) -> list[Completion]:
    results: dict[str, Completion] = {}
    for completion in completions:
        if completion.name.isprintable() and completion.name:
            results.setdefault(completion.name, completion)
    return list(results.values())
