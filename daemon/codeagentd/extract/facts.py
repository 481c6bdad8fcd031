"""Bytes to FileFacts: parse, run the language's query once, and put its captures together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from tree_sitter import Node, QueryCursor

from codeagentd.languages.grammar import parser, parser_of_part, query
from codeagentd.languages.language import Language, languages
from codeagentd.model.facts import FileFacts, ImportFact, SymbolFact
from codeagentd.model.kinds import SymbolFlag, SymbolKind

from .access import RULES as ACCESS_RULES
from .documentation import document
from .exports import exports_of, mark_exported, mark_listed
from .fields import body_digest, flags_of, kind_of, position, shorten, signature_of
from .imports import RULES as IMPORT_RULES
from .imports import Imported
from .merging import merge
from .naming import SPOKEN
from .part_rules.part import Part
from .parts import with_parts
from .places import Places
from .references import Occurrences
from .repair import RULES as REPAIR_RULES
from .scopes import LOCAL, TYPE, Scope, ScopeTree, function_of
from .symbols import CONTAINERS, Captures, Draft, beyond_outline, drafts_of, header_of, member_drafts, scopes_of, value_drafts
from .variables import Variables

PUBLIC_API: Final = int(SymbolFlag.PUBLIC_API)  # plain numbers: enum arithmetic is slow
EXPORTED: Final = int(SymbolFlag.EXPORTED)
BOM: Final = b"\xef\xbb\xbf"
_COLON: Final = re.compile(rb"\s*:\s*")


def extract(source: bytes, language: str) -> FileFacts:
    """The facts of one file's bytes.

    Returns: facts with status full, or partial where the parser had to skip over errors.
    """
    source = _as_utf8(source.removeprefix(BOM))
    if not source.endswith(b"\n"):
        source += b"\n"  # some grammars need it, and no offset lies at the very end
    rules = languages()[language].rules
    tree = parser(language).parse(source)
    if tree.root_node.has_error:
        source, tree = REPAIR_RULES[rules.repair](source, tree, parser(language))
    facts = _facts_of(source, tree.root_node, language)
    return facts if rules.parts == "none" else with_parts(facts, source, tree.root_node, rules.parts, _extract_part)


def _extract_part(source: bytes, part: Part, places: Places) -> FileFacts:
    """The facts of a part of a file; `places` are the whole file's."""
    if part.origin:
        places = Places(source)
    reader = parser(part.language) if part.origin else parser_of_part(part.language, places.starts, part.ranges)
    tree = reader.parse(source)
    if tree.root_node.has_error:
        source, tree = REPAIR_RULES[languages()[part.language].rules.repair](source, tree, reader)
    return _facts_of(source, tree.root_node, part.language, places)


def _facts_of(source: bytes, root: Node, language: str, places: Places | None = None) -> FileFacts:
    chosen = languages()[language]
    return _Assembly(source, READERS[chosen.rules.reading](QueryCursor(query(language)), root), chosen, root, places or Places(source)).facts()


def _captures(cursor: QueryCursor, root: Node) -> Captures:
    return cursor.captures(root)


def _matches(cursor: QueryCursor, root: Node) -> Captures:
    found: Captures = {}
    for _, captures in cursor.matches(root):
        for name, nodes in captures.items():
            found.setdefault(name, []).extend(nodes)
    return found


READERS: Final[dict[str, Callable[[QueryCursor, Node], Captures]]] = {"captures": _captures, "matches": _matches}


def _as_utf8(source: bytes) -> bytes:
    """The same text as UTF-8: what is none is taken for Latin-1, in which every byte is a character."""
    if source.isascii():
        return source
    try:
        source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1").encode()
    return source


class _Assembly:
    """Puts one file's captures together."""

    def __init__(self, source: bytes, captures: Captures, language: Language, root: Node, places: Places) -> None:
        self.source = source
        self.captures = captures
        self.language = language
        self.partial = root.has_error
        self.places = places
        self.skip: set[int] = set()
        self.defined: set[int] = set()  # where the names stand that are bound as symbols
        self.statements = self._import_statements()
        self.variables = Variables(captures, source, language)

    def facts(self) -> FileFacts:
        """Run the steps in their order: definitions, scopes, bindings, imports, occurrences."""
        drafts = drafts_of(self.captures, self.source, self.language)
        self.tree = ScopeTree(len(self.source), scopes_of(drafts, self.captures))
        document(drafts, self.captures, self.source, self.language)
        drafts = [*self._lasting(drafts), *self._assigned()]
        if self.language.rules.exports == "declared":
            mark_exported(drafts, self.captures)
        drafts = merge(drafts, self.language)
        for index, draft in enumerate(drafts):
            for place in (draft, *draft.more):
                place.index = index + 1
                self.skip.add(place.name_start)
                if not draft.is_value:
                    self.defined.add(place.name_start)
        self.tree.number()
        self._bind_symbols(drafts)
        imports = self._imports(len(drafts) + 1)
        exports = exports_of(self.captures, self.tree)
        mark_listed(drafts, exports)
        self._bind_locals()
        self.variables.describe(drafts, self.tree, self._nodes("returned"))
        self.tree.close(self.language.symbols.members_in_scope)
        occurrences = Occurrences(self.source, self.captures, self.tree, self.skip, self.language, self.places, self.variables)
        occurrences.collect()
        wide, columns = occurrences.columns()
        sources, texts = occurrences.sources()
        spoken = SPOKEN.get(self.language.rules.naming, str)
        return FileFacts(
            language=self.language.name,
            status="partial" if self.partial else "full",
            lines=self.places.lines,
            symbols=self._symbols(drafts),
            imports=imports,
            exports=[(exported.exported, exported.local) for exported in exports],
            names=[spoken(name.decode(errors="replace")) for name in occurrences.names],
            wide=wide,
            columns=columns,
            sources=sources,
            texts=texts,
        )

    def _nodes(self, capture: str) -> list[Node]:
        nodes = self.captures.get(capture, [])
        nodes.sort(key=_start)
        return nodes

    def _import_statements(self) -> list[Node]:
        """Import statements in their order, without those inside others."""
        found: list[Node] = []
        end = 0
        for node in sorted(self.captures.get("import", ()), key=lambda node: (node.start_byte, -node.end_byte)):
            if node.start_byte >= end:
                found.append(node)
                end = node.end_byte
        return found

    def _lasting(self, drafts: list[Draft]) -> list[Draft]:
        """Without the variables that an import statement declares: `const shelf = require("./shelf")`."""
        imported = {node.start_byte for node in self.statements}
        return [draft for draft in drafts if not draft.is_value or draft.start not in imported]

    def _assigned(self) -> list[Draft]:
        values, members = self._nodes("bind.define"), self._nodes("bind.member")
        self.define_scopes = self.tree.locate(map(_start, values))
        imported = [node.byte_range for node in self.statements]
        starts = [start for start, _ in imported]
        lasting = [
            (node, scope) for node, scope in zip(values, self.define_scopes, strict=True)
            if not (at := bisect_right(starts, node.start_byte)) or imported[at - 1][1] <= node.start_byte
        ]  # fmt: skip
        found = value_drafts([node for node, _ in lasting], [scope for _, scope in lasting], self.source)
        self._annotate(found)
        return found + member_drafts(members, self.tree.locate(map(_start, members)), self.source, self.language)

    def _annotate(self, values: list[Draft]) -> None:
        """Give assigned names the types that stand behind them."""
        types = {node.start_byte: node for node in self.captures.get("bind.annotation", ())}
        for draft in values if types else ():
            if (colon := _COLON.match(self.source, draft.name_end)) and (node := types.get(colon.end())):
                draft.type = self.source[node.start_byte : node.end_byte].decode(errors="replace")

    def _bind_symbols(self, drafts: list[Draft]) -> None:
        """Make every symbol visible in the scope around it."""
        places = sorted(((place.start, place.end, draft) for draft in drafts for place in (draft, *draft.more)), key=lambda item: item[0])
        scopes = self.tree.locate(start for start, _, _ in places)
        for (start, end, draft), scope in zip(places, scopes, strict=True):
            around = scope.parent if scope.parent and (scope.start, scope.end) == (start, end) else scope
            around = self.tree.file if self.language.symbols.flat else beyond_outline(around)
            if (not draft.is_value or around.kind == TYPE) and not draft.owner and draft.is_named:
                around.names[draft.name] = draft.index
                around.names[self.source[draft.name_start : draft.name_end]] = draft.index  # also as it is quoted
            if draft.kind in CONTAINERS:
                around.types[draft.name] = draft.index

    def _imports(self, symbols: int) -> list[ImportFact]:
        rule = IMPORT_RULES[self.language.rules.imports]
        imports: list[ImportFact] = []
        for statement, scope in zip(self.statements, self.tree.locate(map(_start, self.statements)), strict=True):
            for item in rule(statement):
                if item.local and not item.exported:
                    scope.names.setdefault(item.local.encode(), symbols + len(imports))
                    scope.types.setdefault(item.local.encode(), symbols + len(imports))
                imports.append(self._import(item, scope))
        return imports

    def _import(self, item: Imported, scope: Scope) -> ImportFact:
        line, module_line = self.places.line(item.at), self.places.line(item.module_at)
        return ImportFact(
            item.module, item.name, item.local, line, self.places.column(item.at, line), _importer(scope), item.exported, item.type_only,
            module_line, self.places.column(item.module_at, module_line),
        )  # fmt: skip

    def _bind_locals(self) -> None:
        """Bind every local variable; the ones that are declared global are let go again."""
        for node, scope in zip(self._nodes("bind.define"), self.define_scopes, strict=True):
            self.skip.add(node.start_byte)
            if scope.kind != TYPE:
                self._bind_local(scope, node)
        for capture, hoists in (("bind", False), ("bind.hoist", True)):
            nodes = self._nodes(capture)
            for node, scope in zip(nodes, self.tree.locate(map(_start, nodes)), strict=True):
                if node.start_byte in self.defined:
                    continue
                self.skip.add(node.start_byte)
                self._bind_local(function_of(scope) if hoists else scope, node)
        self._bind_special()
        nodes = self._nodes("bind.global")
        for node, scope in zip(nodes, self.tree.locate(map(_start, nodes)), strict=True):
            name = self.source[node.start_byte : node.end_byte]
            if scope.names.get(name, 0) <= LOCAL:
                del scope.names[name]
        self.skip.update(node.start_byte for node in self.captures.get("skip", ()))

    def _bind_local(self, scope: Scope, node: Node) -> None:
        start = node.start_byte
        name = self.source[start : node.end_byte]
        scope.names.setdefault(name, LOCAL)
        if start in self.variables.made:
            self.variables.note(scope, name, start)

    def _bind_special(self) -> None:
        """Bind type parameters, and names that are there without being written."""
        nodes = self._nodes("bind.type")
        for node, scope in zip(nodes, self.tree.locate(map(_start, nodes)), strict=True):
            self.skip.add(node.start_byte)
            name = self.source[node.start_byte : node.end_byte]
            scope.names[name] = scope.types[name] = LOCAL
        implicit = [name.encode() for name in self.language.symbols.implicit]
        for scope in self.tree.locate(map(_start, self._nodes("bind.implicit"))):
            scope.names.update(dict.fromkeys(implicit, LOCAL))

    def _symbols(self, drafts: list[Draft]) -> list[SymbolFact]:
        file = SymbolFact("", int(SymbolKind.FILE), -1, 1, max(1, self.places.lines), 1, 0, body=0)
        return [file, *map(self._symbol, drafts)]

    def _symbol(self, draft: Draft) -> SymbolFact:
        language = self.language
        name = draft.name.decode(errors="replace")
        signature, parameters = signature_of(draft.parameters, self.source)
        first, last, line, column = position(draft, self.places)
        flags = flags_of(draft, language)
        access, public = ACCESS_RULES[language.rules.access](name, draft, language)
        if public:
            flags |= PUBLIC_API
        if "export" in draft.modifiers:
            flags |= EXPORTED
        returns = shorten(self.source[draft.returns.start_byte : draft.returns.end_byte].decode(errors="replace")).lstrip(": ") if draft.returns else None
        return SymbolFact(
            name, kind_of(draft), draft.parent.index if draft.parent else 0, first, last, line, column, flags, access, signature, parameters, returns,
            header_of(draft) if language.symbols.overloads else "", body_digest(draft, self.source), tuple(draft.bases),
            shorten(draft.type) if draft.type else "", _is_shared(draft, language), tuple([position(place, self.places)[:3] for place in draft.more]),
        )  # fmt: skip


def _start(node: Node) -> int:
    return node.start_byte


def _importer(scope: Scope) -> int:
    """The symbol that an import stands in; a namespace is no importer of its own: what it uses, its file uses."""
    around: Scope | None = scope
    while around and isinstance(around.owner, Draft) and around.owner.kind == SymbolKind.NAMESPACE:
        around = around.parent
    return around.symbol if around else 0


def _is_shared(draft: Draft, language: Language) -> bool:
    shared = language.symbols.shared
    return bool(shared) and (SymbolKind(draft.kind).label in shared or ("partial" in shared and "partial" in draft.modifiers))
