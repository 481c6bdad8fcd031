"""The name binder: binds the names of a file's definitions, imports and local variables in their scopes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Final

from codeagentd.extract.definitions.assigned_variables import Located
from codeagentd.extract.definitions.c_declarators import spills
from codeagentd.extract.definitions.draft import CONTAINERS, Draft
from codeagentd.extract.definitions.drafts import document_part_scope
from codeagentd.extract.definitions.type_parameter_bounds import bound_of
from codeagentd.extract.syntax_nodes import children
from codeagentd.extract.values.callback_parameters import implied_function
from codeagentd.extract.values.value_sources import ValueSources
from codeagentd.languages.language import Language
from codeagentd.model.kinds import TYPES, SymbolKind, kinds_of

from .bindings import import_global, is_bound
from .captures import Captures
from .captures_by_scope import CapturesByScope
from .pattern_names import names_in_patterns
from .scopes import LOCAL, TYPE, Scope, ScopeTree, function_of, outermost, tag_of

_DOT: Final = ord(".")


class NameBinder:
    """Binds the names of one file, in this order: definitions, imports, local variables.

    `skip`: the starts of names that are no references. `since`: (the names of a scope, one of them) -> the end of its
    declaration. Before that offset the name refers to a declaration of an outer scope. `places`: start of a name that
    declares or sets a local variable -> (its end, the scopes that bind it, of which the first has all of its places).
    """

    def __init__(
        self, source: bytes, captures: Captures, language: Language, tree: ScopeTree, variables: ValueSources
    ) -> None:
        self._source = source
        self._captures = captures
        self._language = language
        self._tree = tree
        self._variables = variables
        self._located = CapturesByScope(captures, tree)
        self._declared = _declarations(captures, len(source))
        self._defined: set[int] = set()  # starts of the names that are bound as symbols
        self.skip: set[int] = set()
        self.since: dict[tuple[int, bytes], int] = {}
        self.places: dict[int, tuple[int, list[Scope]]] = {}

    # -- symbols
    def number_symbols(self, drafts: list[Draft]) -> None:
        """Number the symbols of `drafts`, and record the positions of their names, which are no references."""
        for index, draft in enumerate(drafts, start=1):
            for place in (draft, *draft.more):
                place.index = index
                if not place.is_stub:
                    self.skip.add(place.name_start)
                if not draft.is_value:
                    self._defined.add(place.name_start)
        # an embedded field has the name of its type, and refers to it; so does `Shelf.Slot` to the outer type
        for capture in ("ref.embed", "name.around"):
            self.skip -= {node.start_byte for node in self._captures.get(capture, ())}
        self._tree.number()

    def bind_symbols(self, drafts: list[Draft]) -> None:
        """Bind the name of every symbol in `drafts` in its enclosing scope."""
        symbols = self._language.symbols
        if symbols.bound == "none":
            return
        bound = drafts if symbols.bound == "all" else [draft for draft in drafts if is_bound(draft, symbols.bound)]
        places = [(*place.body, draft, place.owner) for draft in bound for place in (draft, *draft.more)]
        places.sort(key=_first)
        unscoped, open_types = kinds_of(symbols.unscoped), kinds_of(symbols.open_types)
        for (start, end, draft, owner), scope in zip(
            places, self._tree.locate([start for start, *_ in places]), strict=True
        ):
            if draft.is_stub:
                continue  # its name is bound where it is defined
            while symbols.equations and scope.start == start and scope.end < end and scope.parent:
                scope = scope.parent  # that of the first equation
            enclosing = scope.parent if scope.start == start and scope.end == end and scope.parent else scope
            while open_types and isinstance(enclosing.owner, Draft) and enclosing.owner.kind in open_types:
                enclosing = enclosing.parent or self._tree.file
            enclosing = self._outer_scope_of(draft, enclosing) if symbols.spills else document_part_scope(enclosing)
            if draft.kind in unscoped:
                enclosing = self._tree.file
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
                enclosing.names[self._source[draft.name_start : draft.name_end]] = draft.index  # also as it is quoted
            if draft.kind in CONTAINERS and not (owner and symbols.spills):
                enclosing.types[draft.name] = draft.index
            if owner and symbols.spills and draft.parent and scope.start == start and scope.end == end:
                scope.within = self._scope_of(draft.parent)

    def _outer_scope_of(self, draft: Draft, enclosing: Scope) -> Scope:
        """Return the outer scope in which a name is visible: that of an enumerator, of a C struct inside another, or of
        a macro.
        """
        if draft.kind == SymbolKind.MACRO:
            return self._tree.file
        while enclosing.parent and isinstance(owner := enclosing.owner, Draft) and spills(owner, draft, self._language):
            enclosing = enclosing.parent
        return enclosing

    def _scope_of(self, owner: Draft) -> Scope | None:
        """Return the scope of a definition's body."""
        return next(
            (
                scope
                for scope in self._tree.scopes
                if scope.owner is owner or (isinstance(scope.owner, Draft) and scope.owner in owner.more)
            ),
            None,
        )

    def bind_import(self, scope: Scope, name: bytes, number: int, types_only: bool = False) -> None:
        """Bind `name`, the local name of the import with the binding `number`, unless `scope` has the name already.
        With `types_only` it is bound in type positions only, where types are separate.
        """
        if not types_only or not self._language.symbols.separate_types:
            scope.names.setdefault(name, number)
        scope.types.setdefault(name, number)

    # -- local variables
    def bind_locals(self, assigned: Located) -> None:
        """Bind every local variable, except those that are declared global. `assigned` are the assigned names with
        their scopes.
        """
        defined, skip = self._defined, self.skip
        self._bind_types()
        for (start, end), scope in assigned:
            skip.add(start)
            if scope.kind != TYPE:
                self._bind_local(scope, start, end)
        for capture, hoists in (("bind", False), ("bind.hoist", True)):
            for (start, end), scope in self._located.ranges(capture):
                if start not in defined:
                    skip.add(start)
                    self._bind_local(function_of(scope) if hoists else scope, start, end)
        self._bind_cases()
        conversions = self._variables.conversions
        for ((start, end), type_), scope in zip(
            conversions.items(), self._tree.locate([start for start, _ in conversions]), strict=True
        ):
            self._variables.record_conversion(scope, self._source[start:end], start, type_)
        for (start, end), scope in self._located.ranges("becomes.other"):
            self._variables.record_shared(scope, self._source[start:end])
        self._bind_within()
        self._bind_headers()
        # in a pattern, what begins with a capital letter is no variable
        for (start, end), scope in self._located.ranges("bind.lower"):
            # nor `.tall`
            if self._source[start - 1] != _DOT and (
                (first := self._source[start:end].decode(errors="replace")[:1]).islower() or first == "_"
            ):
                skip.add(start)
                self._bind_local(scope, start, end)
        implicit = [name.encode() for name in self._language.symbols.implicit]
        for _, scope in self._located.ranges("bind.implicit"):
            scope.names.update(dict.fromkeys(implicit, LOCAL))
        self._bind_implied()
        for (start, end), scope in self._located.ranges("bind.global"):
            name = self._source[start:end]
            if scope.names.get(name, 0) <= LOCAL:
                del scope.names[name]
                self._variables.record_shared(scope.parent, name)
            if self._language.symbols.sigil:
                import_global(scope, name)
        skip.update([node.start_byte for node in self._captures.get("skip", ())])
        # the name of a field and of the variable that gets it
        skip.difference_update([node.start_byte for node in self._captures.get("initialized.bound", ())])

    def _bind_cases(self) -> None:
        """Bind the local functions that are defined by equations, and the names in patterns."""
        for (start, end), scope in self._located.ranges("bind.outer"):
            self.skip.add(start)
            self._bind_local(scope.parent or scope, start, end)
        patterns = names_in_patterns(self._captures, self._source)
        for (start, end), scope in zip(patterns, self._tree.locate([start for start, _ in patterns]), strict=True):
            self.skip.add(start)
            self._bind_local(scope, start, end)

    def _bind_implied(self) -> None:
        """Bind implicit parameters in their functions, unless a nearer scope has the name."""
        for node, scope in self._located.nodes("handed.implied"):
            function, enclosing = implied_function(node), scope
            name = self._source[node.start_byte : node.end_byte]
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

    def _bind_within(self) -> None:
        """Bind the names inside of patterns, at any depth, and in lists that have a pattern and a value by turns."""
        patterns = [(node.byte_range, scope) for node, scope in self._located.nodes("bind.within")]
        for node, scope in self._located.nodes("bind.pairs"):
            patterns += [(pattern.byte_range, scope) for pattern in children(node)[::2]]
        names = sorted([node.byte_range for node in self._captures.get("ref", ())]) if patterns else []
        for (first, last), scope in patterns:
            for start, end in names[bisect_left(names, (first, 0)) : bisect_left(names, (last, 0))]:
                if start not in self._defined:
                    self.skip.add(start)
                    self._bind_local(scope, start, end)

    def _bind_headers(self) -> None:
        """Bind the parameters of a type's header in its initial values, where they hide its members."""
        initial = {node.start_byte for node in self._captures.get("initial", ())}
        if not initial:
            return
        parameters: dict[int, list[tuple[int, int]]] = {}
        for place, scope in self._located.ranges("bind"):
            if scope.kind == TYPE and place[0] not in self._defined:
                parameters.setdefault(id(scope), []).append(place)
        for scope in self._tree.scopes if parameters else ():
            if scope.start in initial:
                for start, end in parameters.get(id(_type_around(scope)), ()):
                    self._bind_local(scope, start, end)

    def _bind_local(self, scope: Scope, start: int, end: int) -> None:
        name = self._source[start:end]
        self.places.setdefault(start, (end, []))[1].append(scope)
        is_first = name not in scope.names
        if is_first:
            scope.names[name] = LOCAL
            self._note_declared(scope, name, start)
        if start in self._variables.origins:
            self._variables.record_value(scope, name, start)
        elif scope.names[name] < LOCAL or is_first:
            self._variables.record_unknown(scope, name, start, is_first)

    def _note_declared(self, scope: Scope, name: bytes, start: int) -> None:
        """Record the end of the declaration of a name that is bound from there on."""
        at = bisect_right(self._declared, (start, len(self._source), 0)) - 1 if self._declared else -1
        if at >= 0 and start < self._declared[at][1]:
            self.since.setdefault((id(scope.names), name), self._declared[at][2])

    def bind_outermost(self) -> None:
        """Bind the names that C++ looks up in the global namespace, as in `::lend`, to what the file's scope has for
        them.
        """
        for start, end in sorted([node.byte_range for node in self._captures.get("outermost", ())]):
            name = self._source[start:end]
            for names in (self._tree.file.names, self._tree.file.types):
                if name in names:
                    names[outermost(name)] = names[name]

    def _bind_types(self) -> None:
        """Bind type parameters."""
        for node, scope in self._located.nodes("bind.type"):
            self.skip.add(node.start_byte)
            name = self._source[node.start_byte : node.end_byte]
            scope.names[name] = scope.types[name] = LOCAL
            self.places[node.start_byte] = node.end_byte, [scope]
            if bound := bound_of(node):
                self._variables.bind_type(scope, name, node.start_byte, bound)


def _declarations(captures: Captures, size: int) -> list[tuple[int, int, int]]:
    """Return (start, end, end of the declaration) of declared names, in languages in which a name is bound from the end
    of its declaration on.
    """
    declarations = sorted(node.byte_range for node in captures.get("declaration", ()))
    names = sorted(node.byte_range for node in captures.get("declared", ()))
    results = [
        (start, end, declarations[bisect_right(declarations, (start, size)) - 1][1])
        for start, end in names
        if declarations
    ]
    set_names, values = (
        sorted(node.byte_range for node in captures.get(f"since.{part}", ())) for part in ("name", "value")
    )
    # declarations without a node of their own: a name, and what it is set to
    if set_names and len(set_names) == len(values):
        results = sorted([*results, *((*name, value[1]) for name, value in zip(set_names, values, strict=True))])
    return results


def _type_around(scope: Scope) -> Scope | None:
    """Return the innermost type scope around a scope."""
    enclosing = scope.parent
    while enclosing is not None and enclosing.kind != TYPE:
        enclosing = enclosing.parent
    return enclosing


_first = itemgetter(0)
