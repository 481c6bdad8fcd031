"""The facts of one file, built from the captures of its language's query."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

import msgspec
from tree_sitter import Node

from codeagentd.extract.boundaries.extract import boundaries_of
from codeagentd.extract.definitions.access_sections import apply_sections
from codeagentd.extract.definitions.assigned_variables import member_drafts, value_drafts
from codeagentd.extract.definitions.c_declarators import (
    Declarations,
    declared_variables,
    is_declared,
    is_passing,
    name_structs,
    spills,
)
from codeagentd.extract.definitions.call_signatures import type_of_signatures
from codeagentd.extract.definitions.declaration_merging import merge, result_of_signatures
from codeagentd.extract.definitions.doc_comments import document
from codeagentd.extract.definitions.draft import CALLABLES, CONTAINERS, Draft
from codeagentd.extract.definitions.drafts import document_part_scope, drafts_of, scopes_of
from codeagentd.extract.definitions.exports import exports_of, mark_exported, mark_listed
from codeagentd.extract.definitions.extension_blocks import extend
from codeagentd.extract.definitions.impl_blocks import implement
from codeagentd.extract.definitions.linkage import mark_hidden, mark_linkage
from codeagentd.extract.definitions.local_definitions import mark_closures
from codeagentd.extract.definitions.lua_tables import classify_tables, heirs_of
from codeagentd.extract.definitions.overload_keys import RULES as IDENTITY_RULES
from codeagentd.extract.definitions.overload_keys import identity_of
from codeagentd.extract.definitions.shared_symbols import is_shared
from codeagentd.extract.definitions.symbol_attributes import (
    body_digest,
    flags_of,
    kind_of,
    position,
    shorten,
    signature_of,
)
from codeagentd.extract.definitions.symbol_names import SPOKEN
from codeagentd.extract.definitions.type_parameter_bounds import bound_of
from codeagentd.extract.definitions.visibility import RULES as ACCESS_RULES
from codeagentd.extract.import_rules.registry import RULES as IMPORT_RULES
from codeagentd.extract.import_rules.registry import Imported
from codeagentd.extract.occurrences.parsed_file import NameBindings, ParsedFile
from codeagentd.extract.occurrences.reference_collector import ReferenceCollector
from codeagentd.extract.occurrences.string_annotations import quoted_names
from codeagentd.extract.preprocess.macros import hidden_names, macro_names
from codeagentd.extract.values.callback_parameters import implied_function
from codeagentd.extract.values.value_sources import ValueSources
from codeagentd.languages.language import Language
from codeagentd.model.facts import FileFacts, ImportFact, SymbolFact
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.model.namespace_macros import Region

from .bindings import import_global, importer_of, is_bound
from .captures import Captures
from .positions import Places
from .scopes import LOCAL, TYPE, Scope, ScopeTree, function_of, outermost, tag_of
from .syntax_nodes import text_of

PUBLIC_API: Final = int(SymbolFlag.PUBLIC_API)  # plain numbers: enum arithmetic is slow
EXPORTED: Final = int(SymbolFlag.EXPORTED)
OVERLOADED: Final = int(SymbolFlag.OVERLOADED)
LOCAL_FLAG: Final = int(SymbolFlag.LOCAL)
QUOTES: Final = "`"  # around names that would be words of the language
_DOT: Final = ord(".")
_COLON: Final = re.compile(rb"\s*:\s*")


class FactsBuilder:
    """Builds the facts of one file from its captures."""

    def __init__(self, source: bytes, captures: Captures, language: Language, root: Node, places: Places) -> None:
        self.source = source
        self.captures = captures
        self.language = language
        self.root = root
        self.places = places
        self.access = ACCESS_RULES[language.rules.access]
        self.opened: list[Region] = []  # namespaces that macros open
        self.skip: set[int] = set()
        self.defined: set[int] = set()  # starts of the names that are bound as symbols
        self.statements = self._import_statements()
        self.declared = self._declared()
        # (names of a scope, one of them) -> the end of its declaration: before that, the name is another's
        self.since: dict[tuple[int, bytes], int] = {}
        self.variables = ValueSources(captures, source, language)
        self.written = source  # as it is in the file; `source` lacks what the parser cannot follow
        self.hidden = quoted_names(captures, source)  # names that the tree does not show, with their ends
        self.blanked: dict[int, int] = {}  # those of them that the parser saw as blanks
        self.declarations = (
            Declarations(captures, source, language.symbols.headers == "types")
            if language.rules.declarators == "c"
            else None
        )
        if root.has_error:  # names that the parser missed are empty
            for capture in ("ref", "typename", "member"):
                captures[capture] = [node for node in captures.get(capture, ()) if node.end_byte > node.start_byte]

    def add_hidden_names(self, written: bytes) -> None:
        """Add the names in macros, and those where the parser saw blanks."""
        self.written = written
        self.blanked = dict(hidden_names(written, self.source))
        self.hidden = self.blanked | dict(macro_names(self.captures, written))

    def facts(self, looks_further: bool = False) -> FileFacts:
        """Run the steps in their order: definitions, scopes, bindings, imports, references.

        `looks_further`: another part of the file may bind the names that nothing here binds.
        """
        drafts = self._defined()
        self.tree = ScopeTree(len(self.source), scopes_of(drafts, self.captures, self._heirs(drafts)))
        document(drafts, self.captures, self.source, self.language)
        drafts = [*self._without_imported(drafts), *self._assigned()]
        if self.language.symbols.implementations:
            implement(drafts, self.statements, IMPORT_RULES[self.language.rules.imports])
        if self.language.rules.exports == "declared":
            mark_exported(drafts, self.captures)
        IDENTITY_RULES[self.language.symbols.headers](drafts, self.captures)
        if not self.language.symbols.closed:  # definitions in a block of Ruby are members of the scope around it
            mark_closures(drafts, self.tree)
        drafts = merge(drafts, self.written, self.language)
        if "linkage" in self.language.symbols.shared:
            if self.blanked:
                mark_hidden(drafts, self.captures, self.blanked, self.written, self.language)
            mark_linkage(drafts, self.captures, self.language)
        for index, draft in enumerate(drafts, start=1):
            for place in (draft, *draft.more):
                place.index = index
                if not place.is_stub:
                    self.skip.add(place.name_start)
                if not draft.is_value:
                    self.defined.add(place.name_start)
        # an embedded field has the name of its type, and refers to it; so does `Shelf.Slot` to the outer type
        for capture in ("ref.embed", "name.around"):
            self.skip -= {node.start_byte for node in self.captures.get(capture, ())}
        self.tree.number()
        self._bind_symbols(drafts)
        imports = self._imports(len(drafts) + 1)
        exports = exports_of(self.captures, self.tree)
        mark_listed(drafts, exports)
        self._bind_locals()
        self._bind_outermost()
        self.variables.infer_types(drafts, self.tree)
        self.variables.record_narrowings(self.captures, self.tree)
        self.tree.close(self.language.symbols)
        rules = self.language.rules
        looks_further |= (
            self.language.modules.looks_further
            or rules.names != "modules"
            or any(fact.name == "*" and not fact.exported for fact in imports)
        )
        occurrences = ReferenceCollector(
            ParsedFile(self.written, self.captures, self.root, self.language, self.places, self.hidden),
            NameBindings(self.tree, self.variables, self.skip, self.since, looks_further),
        )
        occurrences.collect()
        wide, columns = occurrences.columns()
        arguments = occurrences.call_arguments()
        sources, texts = occurrences.sources()
        spoken = SPOKEN.get(self.language.rules.naming, str)
        facts = FileFacts(
            language=self.language.name,
            status="partial" if self.root.has_error else "full",
            lines=self.places.lines,
            symbols=self._symbols(drafts),
            imports=imports,
            exports=[(exported.exported, exported.local) for exported in exports],
            names=[spoken(name.decode(errors="replace").strip(QUOTES)) for name in occurrences.names],
            wide=wide,
            columns=columns,
            sources=sources,
            texts=texts,
            arguments=arguments,
        )
        crossed = boundaries_of(facts, self.source, self.root, self.places)
        return msgspec.structs.replace(facts, boundaries=crossed) if crossed else facts

    def _defined(self) -> list[Draft]:
        """The definitions, arranged by the rules of the language."""
        drafts = drafts_of(
            self.captures, self.source, self.language, name_structs if self.declarations else None, self.opened
        )
        extend(drafts, self.captures, self.source)
        if self.declarations:
            drafts = [draft for draft in drafts if not is_passing(draft)]
        if self.language.symbols.tables:
            drafts = classify_tables(drafts, self.captures, self.source, {node.start_byte for node in self.statements})
        if "static" in self.captures or "section.word" in self.captures or "section.alone" in self.captures:
            apply_sections(drafts, self.captures)
        return drafts

    def _heirs(self, drafts: list[Draft]) -> dict[tuple[int, int], Draft] | None:
        """The ranges of the names of base classes, in languages in which a class is a value."""
        return heirs_of(drafts, self.captures, self.source) if self.language.symbols.tables else None

    def _places(self, capture: str) -> list[tuple[int, int]]:
        """The ranges of the nodes of a capture, in order."""
        return sorted([node.byte_range for node in self.captures.get(capture, ())])

    def _located(self, capture: str) -> Iterator[tuple[tuple[int, int], Scope]]:
        """The ranges of a capture, each with its innermost scope."""
        places = self._places(capture)
        return zip(places, self.tree.locate([start for start, _ in places]), strict=True)

    def _nodes(self, capture: str) -> Iterator[tuple[Node, Scope]]:
        """The nodes of a capture in order, each with its innermost scope."""
        nodes = sorted(self.captures.get(capture, ()), key=lambda node: node.byte_range)
        return zip(nodes, self.tree.locate([node.start_byte for node in nodes]), strict=True)

    def _declared(self) -> list[tuple[int, int, int]]:
        """(start, end, end of the declaration) of declared names, in languages in which a name is bound from its
        declaration on.
        """
        declarations = sorted(node.byte_range for node in self.captures.get("declaration", ()))
        names = sorted(node.byte_range for node in self.captures.get("declared", ()))
        results = [
            (start, end, declarations[bisect_right(declarations, (start, len(self.source))) - 1][1])
            for start, end in names
            if declarations
        ]
        set_names, values = (
            sorted(node.byte_range for node in self.captures.get(f"since.{part}", ())) for part in ("name", "value")
        )
        # declarations without a node of their own: a name, and what it is set to
        if set_names and len(set_names) == len(values):
            results = sorted([*results, *((*name, value[1]) for name, value in zip(set_names, values, strict=True))])
        return results

    def _import_statements(self) -> list[Node]:
        """The import statements in order, without those inside of others."""
        results: list[Node] = []
        end = 0
        for node in sorted(self.captures.get("import", ()), key=lambda node: (node.start_byte, -node.end_byte)):
            if node.start_byte >= end:
                results.append(node)
                end = node.end_byte
        return results

    def _without_imported(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts without variables that an import statement declares: `const shelf = require("./shelf")`."""
        imported = {node.start_byte for node in self.statements}
        if self.declarations:
            self.declarations.complete(drafts)
        return [draft for draft in drafts if not draft.is_value or draft.start not in imported]

    def _assigned(self) -> list[Draft]:
        self.assigned = list(self._located("bind.define"))
        assigned = (
            self.assigned
            if "bind.file" not in self.captures
            else sorted([*self.assigned, *self._located("bind.file")], key=_first)
        )
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
        return result + member_drafts(self._located("bind.member"), self.source, self.language)

    def _annotate(self, values: list[Draft]) -> None:
        """Give assigned names the types of their annotations."""
        types = {node.start_byte: node for node in self.captures.get("bind.annotation", ())}
        for draft in values if types else ():
            if (colon := _COLON.match(self.source, draft.name_end)) and (node := types.get(colon.end())):
                draft.type = text_of(node, self.source)

    def _bind_symbols(self, drafts: list[Draft]) -> None:
        """Bind every symbol in the scope around it."""
        symbols = self.language.symbols
        if symbols.bound == "none":
            return
        bound = drafts if symbols.bound == "all" else [draft for draft in drafts if is_bound(draft, symbols.bound)]
        places = [(*place.body, draft, place.owner) for draft in bound for place in (draft, *draft.more)]
        places.sort(key=_first)
        for (start, end, draft, owner), scope in zip(
            places, self.tree.locate([start for start, *_ in places]), strict=True
        ):
            if draft.is_stub:
                continue  # its name is bound where it is defined
            enclosing = scope.parent if scope.start == start and scope.end == end and scope.parent else scope
            enclosing = self._outer_scope_of(draft, enclosing) if symbols.spills else document_part_scope(enclosing)
            if symbols.unscoped and SymbolKind(draft.kind).label in symbols.unscoped:
                enclosing = self.tree.file
            if symbols.headers == "tags" and draft.kind in TYPES:
                enclosing.types[tag_of(draft.name)] = draft.index
                if draft.identity:
                    continue
            second = (
                symbols.headers == "names"
                and draft.name in enclosing.names
                and (draft.kind in CONTAINERS or draft.kind == SymbolKind.MACRO)
            )
            if (not draft.is_value or enclosing.kind == TYPE) and not owner and draft.is_named and not second:
                enclosing.names[draft.name] = draft.index
                if symbols.ordered:
                    self._note_declared(enclosing, draft.name, draft.name_start)
                enclosing.names[self.source[draft.name_start : draft.name_end]] = draft.index  # also as it is quoted
            if draft.kind in CONTAINERS and not (owner and symbols.spills):
                enclosing.types[draft.name] = draft.index
            if owner and symbols.spills and draft.parent and scope.start == start and scope.end == end:
                scope.within = self._scope_of(draft.parent)

    def _outer_scope_of(self, draft: Draft, enclosing: Scope) -> Scope:
        """The scope that sees a name instead of the name's own scope: of an enumerator, of a C struct inside another,
        of a macro.
        """
        if draft.kind == SymbolKind.MACRO:
            return self.tree.file
        while enclosing.parent and isinstance(owner := enclosing.owner, Draft) and spills(owner, draft, self.language):
            enclosing = enclosing.parent
        return enclosing

    def _scope_of(self, owner: Draft) -> Scope | None:
        """The scope of a definition's body."""
        return next(
            (
                scope
                for scope in self.tree.scopes
                if scope.owner is owner or (isinstance(scope.owner, Draft) and scope.owner in owner.more)
            ),
            None,
        )

    def _imports(self, symbols: int) -> list[ImportFact]:
        rule = IMPORT_RULES[self.language.rules.imports]
        imports: list[ImportFact] = []
        starts = [statement.start_byte for statement in self.statements]
        for statement, scope in zip(self.statements, self.tree.locate(starts), strict=True):
            for item in rule(statement):
                if item.local and (item.bound or not item.exported):
                    scope.names.setdefault(item.local.encode(), symbols + len(imports))
                    scope.types.setdefault(item.local.encode(), symbols + len(imports))
                imports.append(self._import(item, scope))
        return imports

    def _import(self, item: Imported, scope: Scope) -> ImportFact:
        line, module_line = self.places.line(item.at), self.places.line(item.module_at)
        return ImportFact(
            item.module, item.name, item.local, line, self.places.column(item.at, line), importer_of(scope),
            item.exported, item.type_only, module_line, self.places.column(item.module_at, module_line),
        )  # fmt: skip

    def _bind_locals(self) -> None:
        """Bind every local variable, except those that are declared global."""
        defined, skip = self.defined, self.skip
        self._bind_types()
        for (start, end), scope in self.assigned:
            skip.add(start)
            if scope.kind != TYPE:
                self._bind_local(scope, start, end)
        for capture, hoists in (("bind", False), ("bind.hoist", True)):
            for (start, end), scope in self._located(capture):
                if start not in defined:
                    skip.add(start)
                    self._bind_local(function_of(scope) if hoists else scope, start, end)
        conversions = self.variables.conversions
        for ((start, end), type_), scope in zip(
            conversions.items(), self.tree.locate([start for start, _ in conversions]), strict=True
        ):
            self.variables.record_conversion(scope, self.source[start:end], start, type_)
        for (start, end), scope in self._located("becomes.other"):
            self.variables.record_shared(scope, self.source[start:end])
        self._bind_headers()
        # in a pattern, what begins with a capital letter is no variable
        for (start, end), scope in self._located("bind.lower"):
            # nor `.tall`
            if self.source[start - 1] != _DOT and (
                (first := self.source[start:end].decode(errors="replace")[:1]).islower() or first == "_"
            ):
                skip.add(start)
                self._bind_local(scope, start, end)
        implicit = [name.encode() for name in self.language.symbols.implicit]
        for _, scope in self._located("bind.implicit"):
            scope.names.update(dict.fromkeys(implicit, LOCAL))
        self._bind_implied()
        for (start, end), scope in self._located("bind.global"):
            name = self.source[start:end]
            if scope.names.get(name, 0) <= LOCAL:
                del scope.names[name]
                self.variables.record_shared(scope.parent, name)
            if self.language.symbols.sigil:
                import_global(scope, name)
        skip.update([node.start_byte for node in self.captures.get("skip", ())])
        # the name of a field and of the variable that gets it
        skip.difference_update([node.start_byte for node in self.captures.get("initialized.bound", ())])

    def _bind_implied(self) -> None:
        """Bind implicit parameters in their functions, unless a nearer scope has the name."""
        for node, scope in self._nodes("handed.implied"):
            function, enclosing = implied_function(node), scope
            name = self.source[node.start_byte : node.end_byte]
            while (
                function is not None
                and enclosing.start != function.start_byte
                and enclosing.parent is not None
                and name not in enclosing.names
            ):
                enclosing = enclosing.parent
            if (
                function is not None
                and enclosing.start == function.start_byte
                and enclosing.names.get(name, LOCAL) <= LOCAL
            ):
                self._bind_local(enclosing, node.start_byte, node.end_byte)

    def _bind_headers(self) -> None:
        """Bind the parameters of a type's header in its initial values, where they hide its members."""
        initial = {node.start_byte for node in self.captures.get("initial", ())}
        if not initial:
            return
        parameters: dict[int, list[tuple[int, int]]] = {}
        for place, scope in self._located("bind"):
            if scope.kind == TYPE and place[0] not in self.defined:
                parameters.setdefault(id(scope), []).append(place)
        for scope in self.tree.scopes if parameters else ():
            if scope.start in initial:
                for start, end in parameters.get(id(_type_around(scope)), ()):
                    self._bind_local(scope, start, end)

    def _bind_local(self, scope: Scope, start: int, end: int) -> None:
        name = self.source[start:end]
        is_first = name not in scope.names
        if is_first:
            scope.names[name] = LOCAL
            self._note_declared(scope, name, start)
        if start in self.variables.origins:
            self.variables.record_value(scope, name, start)
        elif scope.names[name] < LOCAL or is_first:
            self.variables.record_unknown(scope, name, start, is_first)

    def _note_declared(self, scope: Scope, name: bytes, start: int) -> None:
        """Record the end of the declaration of a name that is bound from there on."""
        at = bisect_right(self.declared, (start, len(self.source), 0)) - 1 if self.declared else -1
        if at >= 0 and start < self.declared[at][1]:
            self.since.setdefault((id(scope.names), name), self.declared[at][2])

    def _bind_outermost(self) -> None:
        """C++: bind the meaning of `::lend` so that only the file's scope can provide it."""
        for start, end in self._places("outermost"):
            name = self.source[start:end]
            for names in (self.tree.file.names, self.tree.file.types):
                if name in names:
                    names[outermost(name)] = names[name]

    def _bind_types(self) -> None:
        """Bind type parameters."""
        for node, scope in self._nodes("bind.type"):
            self.skip.add(node.start_byte)
            name = self.source[node.start_byte : node.end_byte]
            scope.names[name] = scope.types[name] = LOCAL
            if bound := bound_of(node):
                self.variables.bind_type(scope, name, node.start_byte, bound)

    def _symbols(self, drafts: list[Draft]) -> list[SymbolFact]:
        file = SymbolFact("", int(SymbolKind.FILE), -1, 1, max(1, self.places.lines), 1, 0, body=0)
        return [file, *[self._symbol(draft) for draft in drafts]]

    def _symbol(self, draft: Draft) -> SymbolFact:
        language, source = self.language, self.source
        name, owner = draft.name.decode(errors="replace").strip(QUOTES), ""
        signature, parameters = signature_of(draft.parameters, source) if draft.parameters else (None, None)
        first, last, line, column = position(draft, self.places)
        flags = (
            flags_of(draft, language) if draft.documented or draft.modifiers or draft.decorators or draft.bases else 0
        )
        access, public = self.access(name, draft, language)
        if public:
            flags |= PUBLIC_API
        if "export" in draft.modifiers:
            flags |= EXPORTED
        if draft.closure:
            flags |= LOCAL_FLAG
        if signature and "=>" in signature and any(place.parameters for place in draft.more):
            flags |= OVERLOADED
        text = text_of(draft.returns, source) if draft.returns else draft.returned
        if not text and draft.more:
            text = result_of_signatures(draft, source)
        returns = shorten(text, is_type=True).lstrip(": ") if text else None
        if self.declarations:
            if draft.kind in CALLABLES:
                returns, draft.type = shorten(draft.type) or None, ""
            owner = "" if draft.is_adopted else draft.owner
        type_ = ""
        if draft.type:
            type_ = shorten(draft.type, is_type=True)
        elif draft.signatures or draft.more:
            type_ = self._call_signatures(draft)
        return SymbolFact(
            name, kind_of(draft), draft.parent.index if draft.parent else 0, first, last, line, column, flags, access,
            signature, parameters, returns, identity_of(draft, language),
            0 if draft.is_stub or is_declared(draft) else body_digest(draft, source), draft.bases, type_,
            bool(language.symbols.shared) and is_shared(draft, language),
            tuple([position(place, self.places)[:3] for place in draft.more]) if draft.more else (), owner,
        )  # fmt: skip

    def _call_signatures(self, draft: Draft) -> str:
        """The call signatures of a type, at all of its positions."""
        signatures = [node for place in (draft, *draft.more) for node in place.signatures]
        return (
            type_of_signatures(signatures, self.language.types.transparent)
            if signatures and draft.kind in TYPES
            else ""
        )


def _type_around(scope: Scope) -> Scope | None:
    """The innermost type scope around a scope."""
    enclosing = scope.parent
    while enclosing is not None and enclosing.kind != TYPE:
        enclosing = enclosing.parent
    return enclosing


_first = itemgetter(0)
