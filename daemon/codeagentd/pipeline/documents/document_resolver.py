"""The analysis of documents: their facts, resolved against one index by the resolution of indexed files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from codeagentd.base.limits import MAX_FILE_BYTES, TEXT_SAMPLE_BYTES
from codeagentd.base.text import is_binary
from codeagentd.extract.file_facts import Document, extract_document
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

from .document_symbols import FIRST_TEMPORARY, DocumentSymbols, definitions_of, symbols_of
from .index_state import IndexState
from .overlay_symbol_table import OverlaySymbolTable

WARM_DOCUMENTS: Final = 8  # whose lookups are kept; an editor changes one at a time, and asks about some


class PlacedDocument(NamedTuple):
    """A document with its place in the repository: its file, as which it is resolved, and the name of its module."""

    text: DocumentText
    file: File
    project: str
    module: ModuleName


class ResolvedDocument(NamedTuple):
    """The state of a document after its analysis, of which further questions can be asked."""

    place: PlacedDocument
    facts: Document
    rows: FileRows
    symbols: DocumentSymbols
    names: NameResolver
    resolver: FileResolver
    analysis: DocumentAnalysis


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
        self._warm: OrderedDict[str, _Lookups] = OrderedDict()
        self.has_dropped = False  # lookups, which refer to themselves: only the collector frees them

    def resolve(self, text: DocumentText) -> ResolvedDocument | None:
        """Return the analysis of a document, and what it was made from; None for a text that is not parsed."""
        source = source_of(text)
        place = self.placed(text)
        if place is None:
            return None
        openings = openings_for(text.path, self.index.openings)
        document = extract_document(source, place.file.language, openings)
        rows = derive_rows(text.path, place.project, place.module, document.facts)
        lookups = self._lookups(place, document.facts, rows)
        resolver = FileResolver(lookups.names, key_of, lookups.symbols.file, document.facts, lookups.symbols.ids)
        uses = list(_uses(resolver.links().numbers))
        analysis = DocumentAnalysis(
            document.facts.language,
            document.facts.status,
            _definitions(document.facts, rows, lookups.symbols.ids),
            uses,
            _variables(document, resolver),
        )
        return ResolvedDocument(place, document, rows, lookups.symbols, lookups.names, resolver, analysis)

    def analyse(self, text: DocumentText) -> DocumentAnalysis:
        """Return the analysis of a document."""
        resolved = self.resolve(text)
        return resolved.analysis if resolved else DocumentAnalysis(text.language, REFUSED)

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
        """Return the lookups for a document: those of its last version, while its definitions are the same."""
        path, definitions = place.text.path, (facts.language, definitions_of(rows))
        known = self._warm.pop(path, None)
        if known is None or known.definitions != definitions:
            self.has_dropped |= known is not None
            symbols = symbols_of(self.index, place.file, facts, rows)
            known = _Lookups(definitions, symbols, NameResolver(OverlaySymbolTable(self.index, place.module, symbols)))
        self._warm[path] = known
        while len(self._warm) > WARM_DOCUMENTS:
            self._warm.popitem(last=False)
            self.has_dropped = True
        return known


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


def _definitions(facts: FileFacts, rows: FileRows, ids: Sequence[int]) -> list[Definition]:
    return [
        Definition(
            number if number < FIRST_TEMPORARY else 0, fact.name, row[QUALIFIED], fact.kind, fact.parent,
            fact.line_start, fact.line_end, fact.line, fact.col, fact.flags, fact.signature, fact.returns, fact.type,
        )
        for number, fact, row in zip(ids, facts.symbols, rows.symbols, strict=True)
    ]  # fmt: skip


def _variables(document: Document, resolver: FileResolver) -> list[LocalVariable]:
    return [
        LocalVariable(
            fact.name, fact.line_start, fact.line_end, fact.is_parameter, fact.places,
            types_of(resolver.local_type(fact.source, fact.binding)) if fact.binding else (),
        )
        for fact in document.locals
    ]  # fmt: skip


def types_of(target: Target | None) -> tuple[int, ...]:
    """Return the types that a value may have, as targets of model.documents."""
    if target is None:
        return ()
    several = target.alternatives or (target,)
    return tuple(target_number(member.symbol) for member in several if member.symbol > 0)
