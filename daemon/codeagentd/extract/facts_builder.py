"""The facts of one file, built from the captures of its language's query."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import Final

import msgspec
from tree_sitter import Node

from codeagentd.extract.boundaries.extract import boundaries_of
from codeagentd.extract.definitions.access_sections import apply_sections
from codeagentd.extract.definitions.assigned_variables import Located, member_drafts, value_drafts
from codeagentd.extract.definitions.c_declarators import Declarations, declared_variables, is_passing, name_structs
from codeagentd.extract.definitions.declaration_merging import join_equations, merge
from codeagentd.extract.definitions.doc_comments import document
from codeagentd.extract.definitions.draft import Draft
from codeagentd.extract.definitions.drafts import drafts_of, scopes_of
from codeagentd.extract.definitions.exports import exports_of, mark_exported, mark_listed
from codeagentd.extract.definitions.extension_blocks import extend
from codeagentd.extract.definitions.impl_blocks import implement
from codeagentd.extract.definitions.linkage import mark_hidden, mark_linkage
from codeagentd.extract.definitions.local_definitions import mark_closures
from codeagentd.extract.definitions.lua_tables import classify_tables, heirs_of
from codeagentd.extract.definitions.overload_keys import RULES as IDENTITY_RULES
from codeagentd.extract.definitions.symbol_names import REFERENCE_NAMES
from codeagentd.extract.import_rules.imported import Exported, Imported
from codeagentd.extract.import_rules.registry import RULES as IMPORT_RULES
from codeagentd.extract.occurrences.fixture_requests import fixture_requests, named_fixtures
from codeagentd.extract.occurrences.local_variables import LocalFact, LocalVariables
from codeagentd.extract.occurrences.parsed_file import NameBindings, ParsedFile
from codeagentd.extract.occurrences.reference_collector import ReferenceCollector
from codeagentd.extract.occurrences.selectors import selectors
from codeagentd.extract.occurrences.string_annotations import quoted_names
from codeagentd.extract.preprocess.macros import hidden_names, macro_names
from codeagentd.extract.values.value_sources import ValueSources
from codeagentd.languages.language import GENERIC, Language
from codeagentd.model.facts import FileFacts, ImportFact
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.namespace_macros import Region

from .bindings import importer_of
from .captures import Captures
from .captures_by_scope import CapturesByScope
from .name_binder import NameBinder
from .positions import Places
from .scopes import TYPE, Scope, ScopeTree
from .symbol_facts import QUOTES, SymbolFacts
from .syntax_nodes import text_of

_MACRO: Final = int(SymbolKind.MACRO)
_COLON: Final = re.compile(rb"\s*:\s*")


class FactsBuilder:
    """Builds the facts of one file from its captures."""

    def __init__(self, source: bytes, captures: Captures, language: Language, root: Node, places: Places) -> None:
        self.source = source
        self.captures = captures
        self.language = language
        self.root = root
        self.places = places
        self.opened: list[Region] = []  # namespaces that macros open
        # where the local variables go, which facts do not have; None: nobody needs them
        self.locals: list[LocalFact] | None = None
        self.statements = self._import_statements()
        self.selectors = selectors(captures)  # names of several parts, by the start of the first one
        self.variables = ValueSources(captures, source, language)
        self.written = source  # as it is in the file; `source` lacks what the parser cannot follow
        self.hidden = quoted_names(captures, source)  # names that the tree does not show, with their ends
        self.blanked: dict[int, int] = {}  # those of them that the parser saw as blanks
        self.declarations = (
            Declarations(captures, source, language.symbols.headers == "types")
            if language.rules.declarators == "c"
            else None
        )
        # names that the parser missed are empty; those of some grammars may have the last line end in them
        if root.has_error or language.tier == GENERIC:
            for capture in ("ref", "typename", "member"):
                nodes = captures.get(capture, ())
                captures[capture] = [node for node in nodes if node.start_byte < node.end_byte < len(source)]

    def add_hidden_names(self, written: bytes) -> None:
        """Add the names in macros, and the names of the source as `written` that are blanks in the parsed text."""
        self.written = written
        self.blanked = dict(hidden_names(written, self.source))
        self.hidden = self.blanked | dict(macro_names(self.captures, written))

    def facts(self, looks_further: bool = False) -> FileFacts:
        """Run the steps in their order (definitions, scopes, bindings, imports, references) and return the facts.

        `looks_further`: another part of the file may bind the names that this part does not bind.
        """
        drafts = self._definitions()
        tree = ScopeTree(len(self.source), scopes_of(self._with_scopes(drafts), self.captures, self._heirs(drafts)))
        document(drafts, self.captures, self.source, self.language)
        assigned = list(CapturesByScope(self.captures, tree).ranges("bind.define"))
        drafts = self._merged([*self._without_imported(drafts), *self._assigned(assigned, tree)], tree)
        variables = self.variables
        binder = NameBinder(self.source, self.captures, self.language, tree, variables)
        binder.number_symbols(drafts)
        binder.bind_symbols(drafts)
        imports = self._imports(binder, tree, len(drafts) + 1)
        exports = exports_of(self.captures, tree)
        mark_listed(drafts, exports, self.language)
        exports += named_fixtures(self.captures)
        binder.bind_locals(assigned)
        binder.bind_outermost()
        variables.infer_types(drafts, tree)
        variables.record_narrowings(self.captures, tree)
        tree.close(self.language.symbols)
        looks_further |= (
            self.language.modules.looks_further
            or self.language.rules.names != "modules"
            or any(fact.name == "*" and not fact.exported for fact in imports)
        )
        return self._facts(
            drafts,
            imports,
            exports,
            NameBindings(tree, variables, binder.skip, binder.since, looks_further, drafts, binder.places),
        )

    def _facts(
        self, drafts: list[Draft], imports: list[ImportFact], exports: list[Exported], bindings: NameBindings
    ) -> FileFacts:
        """Collect the references, and return them with all other facts."""
        file = ParsedFile(self.written, self.captures, self.root, self.language, self.places, self.hidden)
        occurrences = ReferenceCollector(file, bindings)
        occurrences.collect()
        if self.selectors:
            occurrences.rename(self.selectors)
        if self.locals is not None:
            self.locals += LocalVariables(file, bindings, occurrences).facts()
        wide, columns = occurrences.columns()
        arguments = occurrences.call_arguments()
        operation_words, operations = occurrences.operations()
        sources, texts = occurrences.sources()
        fixtures = fixture_requests(self.captures, bindings.tree, self.places, self.language, occurrences.names)
        normalised = REFERENCE_NAMES.get(self.language.rules.naming, str)
        facts = FileFacts(
            language=self.language.name,
            status="partial" if self.root.has_error else "full",
            lines=self.places.lines,
            symbols=SymbolFacts(self.source, self.language, self.places).facts(drafts),
            imports=imports,
            exports=[(exported.exported, exported.local) for exported in exports],
            names=[normalised(name.decode(errors="replace").strip(QUOTES)) for name in occurrences.names],
            wide=wide,
            columns=columns,
            sources=sources,
            texts=texts,
            arguments=arguments,
            fixtures=fixtures,
            operations=operations,
            operation_words=operation_words,
        )
        crossed = boundaries_of(facts, self.source, self.root, self.places)
        return msgspec.structs.replace(facts, boundaries=crossed) if crossed else facts

    # -- definitions
    def _definitions(self) -> list[Draft]:
        """Return the captured definitions, arranged by the rules of the language."""
        drafts = drafts_of(
            self.captures, self.source, self.language, name_structs if self.declarations else None, self.opened
        )
        for draft in drafts if self.selectors else ():
            draft.name = self.selectors.get(draft.name_start, draft.name)
        drafts = join_equations(drafts) if self.language.symbols.equations else drafts
        extend(drafts, self.captures, self.source)
        if self.declarations:
            drafts = [draft for draft in drafts if not is_passing(draft)]
        if self.language.symbols.tables:
            drafts = classify_tables(drafts, self.captures, self.source, {node.start_byte for node in self.statements})
        if "static" in self.captures or "section.word" in self.captures or "section.alone" in self.captures:
            apply_sections(drafts, self.captures)
        return drafts

    def _with_scopes(self, drafts: list[Draft]) -> list[Draft]:
        """Return the drafts without macros of C and C++ that stand for no other names, as most do: nothing is looked up
        in their scopes.
        """
        if self.language.rules.prepare != "macros" or self.root.has_error:
            return drafts
        starts = sorted(self.hidden)
        return [
            draft
            for draft in drafts
            if draft.kind != _MACRO
            or draft.parameters
            or bisect_right(starts, draft.body[0]) != bisect_right(starts, draft.body[1])
        ]

    def _heirs(self, drafts: list[Draft]) -> dict[tuple[int, int], Draft] | None:
        """Return the ranges of the names of base classes, in languages in which a class is a value."""
        return heirs_of(drafts, self.captures, self.source) if self.language.symbols.tables else None

    def _without_imported(self, drafts: list[Draft]) -> list[Draft]:
        """Return the drafts without variables of import statements: `const shelf = require("./shelf")`."""
        imported = {node.start_byte for node in self.statements}
        if self.declarations:
            self.declarations.complete(drafts)
        return [draft for draft in drafts if not draft.is_value or draft.start not in imported]

    def _assigned(self, assigned: Located, tree: ScopeTree) -> list[Draft]:
        """Return the definitions by assignment: variables of files and types, and fields. `assigned`: the names of
        assignments.
        """
        located = CapturesByScope(self.captures, tree)
        if "bind.file" in self.captures:
            assigned = sorted([*assigned, *located.ranges("bind.file")], key=_first)
        aliases = {node.byte_range for node in self.captures.get("bind.alias", ())}  # definitions as others are
        values = [(place, scope) for place, scope in assigned if scope.kind == TYPE and place not in aliases]
        if self.declarations:
            declared = declared_variables(values, self.captures, self.source)
            self.declarations.complete(declared)
            document(declared, self.captures, self.source, self.language)
            return declared
        if self.statements and values:
            starts, ends = zip(*[node.byte_range for node in self.statements], strict=True)
            values = [
                item for item in values if not (at := bisect_right(starts, item[0][0])) or ends[at - 1] <= item[0][0]
            ]
        result = value_drafts(values, self.source)
        self._annotate(result)
        return result + member_drafts(located.ranges("bind.member"), self.source, self.language)

    def _annotate(self, values: list[Draft]) -> None:
        """Give assigned names the types of their annotations."""
        types = {node.start_byte: node for node in self.captures.get("bind.annotation", ())}
        for draft in values if types else ():
            if (colon := _COLON.match(self.source, draft.name_end)) and (node := types.get(colon.end())):
                draft.type = text_of(node, self.source)

    def _merged(self, drafts: list[Draft], tree: ScopeTree) -> list[Draft]:
        """Return one draft for each symbol, with the keys and modifiers that the rules of the language add."""
        symbols = self.language.symbols
        if symbols.implementations:
            implement(drafts, self.statements, IMPORT_RULES[self.language.rules.imports])
        if self.language.rules.exports == "declared":
            mark_exported(drafts, self.captures)
        IDENTITY_RULES[symbols.headers](drafts, self.captures)
        if not symbols.closed:  # definitions in a block of Ruby are members of the scope around it
            mark_closures(drafts, tree)
        drafts = merge(drafts, self.written, self.language)
        if "linkage" in symbols.shared:
            if self.blanked:
                mark_hidden(drafts, self.captures, self.blanked, self.written, self.language)
            mark_linkage(drafts, self.captures, self.language)
        return drafts

    # -- import statements
    def _import_statements(self) -> list[Node]:
        """Return the import statements in order, without those inside of others."""
        results: list[Node] = []
        end = 0
        for node in sorted(self.captures.get("import", ()), key=lambda node: (node.start_byte, -node.end_byte)):
            if node.start_byte >= end:
                results.append(node)
                end = node.end_byte
        return results

    def _imports(self, binder: NameBinder, tree: ScopeTree, first: int) -> list[ImportFact]:
        """Return the imports, and bind their local names, which are numbered from `first` on."""
        rule = IMPORT_RULES[self.language.rules.imports]
        imports: list[ImportFact] = []
        starts = [statement.start_byte for statement in self.statements]
        for statement, scope in zip(self.statements, tree.locate(starts), strict=True):
            for item in rule(statement):
                if item.local and (item.bound or not item.exported):
                    binder.bind_import(scope, item.local.encode(), first + len(imports), item.type_only)
                imports.append(self._import(item, scope))
        return imports

    def _import(self, item: Imported, scope: Scope) -> ImportFact:
        line, module_line = self.places.line(item.at), self.places.line(item.module_at)
        return ImportFact(
            item.module, item.name, item.local, line, self.places.column(item.at, line), importer_of(scope),
            item.exported, item.type_only, module_line, self.places.column(item.module_at, module_line), item.is_value,
        )  # fmt: skip


_first = itemgetter(0)
