"""The analysis of documents: their facts, resolved against one index by the resolution of indexed files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from codeagentd.base.limits import MAX_FILE_BYTES, TEXT_SAMPLE_BYTES
from codeagentd.base.text import is_binary
from codeagentd.extract.file_facts import extract_document
from codeagentd.extract.occurrences.local_variables import LocalFact
from codeagentd.languages.dialects import language_of_source, presumed
from codeagentd.languages.language import OTHER, is_parsed, language_of, languages
from codeagentd.model.documents import REFUSED, Definition, DocumentAnalysis, DocumentText, LocalVariable, NameUse
from codeagentd.model.facts import FileFacts
from codeagentd.pipeline.batch.repository_macros import openings_for
from codeagentd.pipeline.rows.index_rows import FileRows, derive_rows, key_of
from codeagentd.pipeline.rows.module_names import ModuleName, module_name
from codeagentd.pipeline.rows.shebang import language_by_first_line
from codeagentd.pipeline.rows.symbol_row import QUALIFIED
from codeagentd.pipeline.workers.file_reader import reason_against_parsing
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.resolve.reference_rows import REF_COLUMNS
from codeagentd.resolve.references import FileResolver
from codeagentd.resolve.symbol_table import File
from codeagentd.resolve.targets import Target
from codeagentd.scan.secret_files import is_secret_file, is_secret_text

from .imported_names import imported_names
from .index_state import IndexState
from .overlay_symbol_table import OverlaySymbolTable
from .overlay_symbols import FIRST_TEMPORARY, DocumentSymbols, definitions_of, symbols_of

VERSIONS: Final = 2  # of a document whose lookups are kept: that of the editor, and one with a name to be completed
WARM_DOCUMENTS: Final = 8  # whose lookups are kept; an editor changes one at a time, and asks about some


class PlacedDocument(NamedTuple):
    """A document with its place in the repository: its file, as which it is resolved, and the name of its module."""

    text: DocumentText
    file: File
    project: str
    module: ModuleName


class ParsedDocument(NamedTuple):
    """A document that was parsed, with everything that its names are looked up by."""

    place: PlacedDocument
    facts: FileFacts
    variables: list[LocalFact]
    rows: FileRows
    symbols: DocumentSymbols
    names: NameResolver
    resolver: FileResolver


class _Lookups(NamedTuple):
    """The lookups of one document, which stay valid while its definitions do."""

    definitions: object
    symbols: DocumentSymbols
    names: NameResolver


class DocumentResolver:
    """Analyses documents against one state of the index."""

    def __init__(self, index: IndexState, max_file_bytes: int = MAX_FILE_BYTES) -> None:
        self.index = index
        self._max_file_bytes = max_file_bytes
        self._warm: OrderedDict[str, list[_Lookups]] = OrderedDict()
        self._last: ParsedDocument | None = None
        self.has_dropped = False  # lookups, which refer to themselves: only the collector frees them

    def analyse(self, text: DocumentText) -> DocumentAnalysis:
        """Return the analysis of a document."""
        document = self.parse(text)
        if document is None:
            return DocumentAnalysis(text.language, REFUSED)
        return DocumentAnalysis(
            document.facts.language,
            document.facts.status,
            _definitions(document),
            sorted(_uses(document.resolver.links().numbers), key=_place),
            _variables(document),
        )

    def parse(self, text: DocumentText) -> ParsedDocument | None:
        """Return a document whose names can be looked up; None for a text that is not parsed. The last one is kept:
        after an analysis, completions are asked for.
        """
        if self._last is None or self._last.place.text != text:
            self._last = self._parse(text)
        return self._last

    def _parse(self, text: DocumentText) -> ParsedDocument | None:
        place = self.placed(text)
        if place is None:
            return None
        openings = openings_for(text.path, self.index.openings)
        facts, variables = extract_document(source_of(text), place.file.language, openings)
        rows = derive_rows(text.path, place.project, place.module, facts)
        _, symbols, names = self._lookups(place, facts, rows)
        resolver = FileResolver(names, key_of, symbols.file, facts, symbols.ids)
        return ParsedDocument(place, facts, variables, rows, symbols, names, resolver)

    def language(self, text: DocumentText) -> str:
        """Return the language of a document."""
        source = source_of(text)
        return language_of_source(source, self._planned_language(text, source))

    def placed(self, text: DocumentText) -> PlacedDocument | None:
        """Return the document with its place; None where no parser gets such a text."""
        source = source_of(text)
        sample = source[:TEXT_SAMPLE_BYTES]
        if (
            len(source) > self._max_file_bytes
            or is_secret_file(text.path)
            or is_secret_text(sample)
            or is_binary(sample)
        ):
            return None
        planned = self._planned_language(text, source)
        language = language_of_source(source, planned)
        if is_parsed(language) and reason_against_parsing(source, sample, language):
            return None
        stored = self.index.table.file_at(text.path)
        project = self.index.projects.project_of(text.path, planned)
        module = module_name(text.path, languages()[planned], project, self.index.paths)
        file = File(
            stored.id if stored else FIRST_TEMPORARY,
            text.path,
            language,
            stored.project if stored else self.index.projects.id_of(project),
            stored.symbol if stored else FIRST_TEMPORARY,
            stored.module if stored else module.qualified,
        )
        return PlacedDocument(text, file, project.key, module)

    def _planned_language(self, text: DocumentText, source: bytes) -> str:
        """Return the language of a document as the planner of files finds it, by its path or its first line, else that
        of the editor. The content may be in a dialect.
        """
        known = language_of(text.path) or language_by_first_line(text.path, source)
        named = text.language if text.language in languages() else OTHER
        return presumed(known or named, text.path, self.index.dialect_sources)

    def _lookups(self, place: PlacedDocument, facts: FileFacts, rows: FileRows) -> _Lookups:
        """Return the lookups for a document: those of an earlier version with the same definitions, else new ones."""
        path, definitions = place.text.path, (facts.language, definitions_of(rows))
        known = self._warm.pop(path, [])
        lookups = next((lookups for lookups in known if lookups.definitions == definitions), None)
        if lookups is None:
            symbols = symbols_of(self.index, place.file, facts, rows)
            lookups = _Lookups(
                definitions, symbols, NameResolver(OverlaySymbolTable(self.index, place.module, symbols))
            )
        others = [other for other in known if other is not lookups]
        self._warm[path] = [lookups, *others[: VERSIONS - 1]]
        self.has_dropped |= len(others) >= VERSIONS
        while len(self._warm) > WARM_DOCUMENTS:
            self._warm.popitem(last=False)
            self.has_dropped = True
        return lookups


def source_of(text: DocumentText) -> bytes:
    """Return the bytes of a text as the index would read them from a file."""
    return text.text.removeprefix("\ufeff").encode(errors="replace")


def target_number(symbol: int) -> int:
    """Return a symbol of resolution as a target of model.documents."""
    return FIRST_TEMPORARY - 1 - symbol if symbol >= FIRST_TEMPORARY else symbol


def _uses(numbers: Sequence[int]) -> Iterator[NameUse]:
    """List the uses that rows of references stand for; what leads out of the repository is left out."""
    for _, target, _, kind, confidence, _, line, column in zip(*[iter(numbers)] * REF_COLUMNS, strict=True):
        if target >= 0:
            yield NameUse(line, column, target_number(target), kind, confidence)


def _definitions(document: ParsedDocument) -> list[Definition]:
    return [
        Definition(
            number if number < FIRST_TEMPORARY else 0, fact.name, row[QUALIFIED], fact.kind, fact.parent,
            fact.line_start, fact.line_end, fact.line, fact.col, fact.flags, fact.signature, fact.returns, fact.type,
        )
        for number, fact, row in zip(
            document.symbols.ids, document.facts.symbols, document.rows.symbols, strict=True
        )
    ]  # fmt: skip


def _variables(document: ParsedDocument) -> list[LocalVariable]:
    type_of = document.resolver.local_type
    variables = [
        LocalVariable(
            fact.name, fact.line_start, fact.line_end, fact.is_parameter, fact.places,
            types_of(type_of(fact.source, fact.binding)) if fact.binding else (),
        )
        for fact in document.variables
    ]  # fmt: skip
    lines = document.place.text.text.removeprefix("\ufeff").split("\n")
    return variables + imported_names(document.facts, lines)


def _place(use: NameUse) -> tuple[int, int]:
    return use.line, use.column


def types_of(target: Target | None) -> tuple[int, ...]:
    """Return the types that a value may have, as targets of model.documents."""
    if target is None:
        return ()
    several = target.alternatives or (target,)
    return tuple(target_number(member.symbol) for member in several if member.symbol > 0)
