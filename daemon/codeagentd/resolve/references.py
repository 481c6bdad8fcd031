"""Resolution of one file's references to the symbols that they refer to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from codeagentd.languages.builtin_members import members as members_of
from codeagentd.languages.language import languages
from codeagentd.model.facts import (
    BUILT_IN_RECEIVER,
    CLASS,
    COMPLEX,
    DESTRUCTURED,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    LOCAL,
    MOST_TYPES,
    NARROWED,
    PLAIN,
    SCOPED,
    SELF,
    SOMEWHERE,
    SUPER,
    TAG,
    THROUGH_CALL,
    THROUGH_ITEM,
    TYPE_ARGUMENTS,
    FileFacts,
    ImportFact,
)
from codeagentd.model.ids import member_dependency_hash
from codeagentd.model.kinds import Confidence, Origin, ReferenceKind, SymbolKind
from codeagentd.resolve.module_rules.registry import rule_of
from codeagentd.resolve.module_rules.rule import ModuleRule
from codeagentd.resolve.module_rules.rust import NOT_CALLABLE, first_callable
from codeagentd.resolve.name_rules.rule import NameRule
from codeagentd.resolve.overloads.overload_resolution import (
    applicable,
    is_callable,
    is_function_where_type_expected,
)
from codeagentd.resolve.usage import ANY, EITHER, SET, TYPE, VALUE, Side, Usage, usage_of

from .call_arguments import Arguments
from .call_rows import CallRows
from .dispatch import delegated, override_rows
from .enclosing_types import EnclosingTypes
from .external_packages import outside, within
from .file_bindings import members_read, opened, overloads, rivals
from .fixtures import fixture_rows
from .interface import NameLookup
from .local_types import LocalTypes
from .name_lookup import NAME_RULES
from .operations import OperationRows
from .packed_references import Receiver, Reference, reference_at
from .reference_rows import REF_COLUMNS, USED_AS_VALUE, ReferenceRows
from .symbol_table import File, Symbol
from .targets import BUILT_IN, EXTERNAL, ExternalSymbol, Target

INFERRED: Final = int(Confidence.INFERRED)
AMBIGUOUS: Final = int(Confidence.AMBIGUOUS)
SAME_NAME: Final = int(Origin.SAME_NAME)
_CALL: Final = int(ReferenceKind.CALL)
_READ: Final = int(ReferenceKind.READ)
_WRITE: Final = int(ReferenceKind.WRITE)
_DECORATE: Final = int(ReferenceKind.DECORATE)
_INHERIT: Final = int(ReferenceKind.INHERIT)
_CONSTRUCT: Final = int(ReferenceKind.CONSTRUCT)
_CONSTRUCTING: Final = frozenset({_CALL, _DECORATE})
_ENTAILING: Final = _CONSTRUCTING | {_READ}
_UNSETTLED: Final = frozenset({_READ, _INHERIT, _CALL})  # kinds of references that may be another kind of edge


class Links(NamedTuple):
    """The resolved references of one file."""

    # rows of refs in their order, REF_COLUMNS each: resolved references, and open ones that some member of the
    # repository may answer
    numbers: list[int]
    outside: dict[int, ExternalSymbol]  # by the number that stands for it as a target
    coverage: tuple[int, ...]  # references by what became of them, as model.answers.Coverage names it
    # members that were looked up in types, as model.ids.member_dependency_hash numbers them
    member_dependencies: frozenset[int] = frozenset()


class Linker:
    """Resolves the references of files, one file after the other, against one state of the repository."""

    def __init__(self, names: NameLookup, key_of: Callable[[str], int]) -> None:
        self._names = names
        self._world = names.world
        self._key_of = key_of

    def link(self, file: File, facts: FileFacts, ids: Sequence[int]) -> Links:
        """Resolve the references of `file`; `ids` are the ids of its symbols in the order of `facts`."""
        with self._names.queries.recording() as dependencies:
            links = FileResolver(self._names, self._key_of, file, facts, ids).links()
        hashes = (member_dependency_hash(type_id, self._key_of(name)) for type_id, name in dependencies.members())
        return links._replace(member_dependencies=frozenset(hashes))


class FileResolver:
    """Resolves the references of one file in order, and holds its state."""

    def __init__(
        self, names: NameLookup, key_of: Callable[[str], int], file: File, facts: FileFacts, ids: Sequence[int]
    ) -> None:
        self._names = names
        self._world = names.world
        self._values = names.values
        self._facts = facts
        self._ids = ids
        self._enclosing = EnclosingTypes(names, facts, ids)
        self._call_arguments = facts.call_arguments()
        self._local_types = LocalTypes(names, facts, ids, self._enclosing, self._call_arguments)
        self._rows = ReferenceRows(names, key_of, facts, ids)
        self._key_of = key_of
        self._file = file
        language = languages()[facts.language]
        self._modules = rule_of(facts.language)
        self._is_pasted = language.modules.is_pasted
        # in C the names of all files and types are in one scope
        self._is_scoped = self._modules.depends_on_position and language.symbols.headers != "tags"
        self._rule = NAME_RULES.get(language.rules.names)
        self._constructor_words = frozenset(language.receivers.self_words + language.receivers.super_words)
        self._separate = language.symbols.separate_members
        self._by_item = bool(language.types.item)
        self._wildcards: dict[int, list[str]] = {}  # by the definition that they stand in
        importing = self._modules.importing
        for fact in facts.imports if self._rule or importing else ():
            if fact.name == "*" and fact.source and (self._rule or facts.symbols[fact.source].kind in importing):
                self._wildcards.setdefault(fact.source, []).append(fact.module)
        self._has_sides = language.symbols.separate_static
        self._uniform = language.symbols.uniform_access
        self._objects = language.symbols.objects
        self._of_functions = language.symbols.of_functions
        self._writing_rule = self._rule if self._rule and self._rule.depends_on_writing else None
        self._members_read = members_read(facts) if self._writing_rule else dict[int, int]()
        self._opened: set[int] | None = None
        # the use of a name selects among symbols of that name
        self._is_use_sensitive = (
            language.symbols.overloads
            or language.symbols.separate_values
            or language.symbols.separate_members
            or self._rule is not None
        )
        self._macros = (
            {index for index, symbol in enumerate(facts.symbols) if symbol.kind == SymbolKind.MACRO}
            if self._is_pasted
            else set[int]()
        )
        self._common = frozenset(language.types.common)
        self._setter = language.symbols.setter
        self._bound = len(ids) + FIRST_BOUND
        self._bindings: dict[int, Target | None] = {}
        self._imports: dict[int, Target | None] = {}
        self._rivals = rivals(facts, self._separate)
        self._overloads = overloads(facts) if language.symbols.overloads and not self._rule else dict[int, list[int]]()
        self._free: dict[tuple[int, int, int, Usage], Target | None] = {}
        self._members: dict[tuple[Target, int, Usage, int], Target | None] = {}
        self._own: dict[tuple[int, int, int, Usage, Side], Target | None] = {}
        self._arguments = Arguments(names, file, facts)
        self._operations = OperationRows(names, key_of, facts, ids)
        self._calls = CallRows(names, key_of, facts, ids, self._arguments, self._operations)
        self._targets: list[Target | None] = []
        self._later_targets: dict[int, Target | None] = {}

    def links(self) -> Links:
        """Resolve the imports first, then the references in order: a receiver precedes the members read from it."""
        for index, fact in enumerate(self._facts.imports):
            self._import_rows(index, fact)
        world, ids, rows, bindings, targets = self._world, self._ids, self._rows, self._bindings, self._targets
        numbers = rows.numbers
        keys = [*map(self._key_of, self._facts.names)]
        writing_rule = self._writing_rule
        # what a macro names is settled where the macro is used
        rule, is_pasted, macros = (self._rule, self._is_pasted, self._macros)
        reopens, setter = languages()[self._facts.language].symbols.reopened, self._setter
        resolved = dynamic = unknown = unbound = 0
        is_use_sensitive, call_arguments = self._is_use_sensitive, self._call_arguments
        called, read = members_of(self._facts.language)
        for row in self._facts.rows():
            name, kind, line, col, source, binding, receiver, flags = row
            use = SET if setter and kind == _WRITE else usage_of(kind, flags) if is_use_sensitive else ANY
            if receiver == PLAIN:
                target = bindings[binding] if binding in bindings else self._resolve_bare_name(Reference(*row), use)
                if kind == _INHERIT and binding == FIRST_BOUND + source and binding in self._rivals:
                    # class Shelf(Shelf): the name is not the class's own yet
                    target = self._import(self._rivals[binding][0])
            elif (receiver == COMPLEX or (receiver == LOCAL and not binding)) and not rule:
                target = EXTERNAL if flags & SCOPED and is_pasted else None
            else:
                target = self._member(Reference(*row), use)
            if kind == _CALL and (arguments := call_arguments.get(len(targets))):
                target = self._resolve_by_arguments(target, arguments, Reference(*row), use)
            if writing_rule:
                target = self._as_written(writing_rule, target, Reference(*row))
            targets.append(target)
            if target is None:
                if receiver == PLAIN and not (
                    rule
                    and self._requested_key(self._facts.names[name], keys[name])
                    and rule.may_be_unknown_member(self._names, world.symbol(ids[source]), self._facts.names[name])
                ):
                    unbound += 1
                elif (
                    (
                        requested_key := (use is SET and self._requested_key(self._facts.names[name] + setter))
                        or self._requested_key(self._facts.names[name], keys[name])
                    )
                    # a pattern's part of an unknown value may be anything
                    and not (flags & DESTRUCTURED and kind != _CALL)
                    and not (
                        kind == _READ and self._of_functions and self._is_more_than_method(keys[name], len(targets) - 1)
                    )
                ):
                    sure = AMBIGUOUS if self._facts.names[name] in (called if kind == _CALL else read) else INFERRED
                    open_kind = kind if requested_key == keys[name] else _CALL
                    numbers += (requested_key, 0, ids[source], open_kind, sure, SAME_NAME, line, col)
                    if receiver == COMPLEX or (receiver == LOCAL and not binding):
                        dynamic += 1
                    else:
                        unknown += 1
            elif target.symbol and not (reopens and self._is_foreign(target.symbol)):
                if kind in _UNSETTLED or use is SET:
                    kind = rows.edge_kind(kind, use, ids[source], target.symbol)
                resolved += 1
                confidence = target.confidence or (INFERRED if source in macros else target.confidence)
                numbers += (keys[name], target.symbol, ids[source], kind, confidence, target.origin, line, col)
                numbers += self._further_rows(kind, target, row, use) if kind in _ENTAILING else ()
            elif target.alternatives or target.outside is not None:
                resolved += rows.add_alternatives(target, keys[name], Reference(*row), use)
        numbers += self._rows_of_relations()
        external = len(targets) - resolved - dynamic - unknown - unbound
        return Links(numbers, rows.outside, (resolved, external, dynamic, unknown, unbound))

    def _further_rows(self, kind: int, target: Target, row: tuple[int, ...], use: Usage) -> Iterable[int]:
        """The rows for what a call runs besides what it names. A module that is read is noted: it may be a value."""
        if kind != _READ:
            return self._calls.rows(self, len(self._targets) - 1, target, row, use)
        if self._world.symbol(target.symbol).kind == SymbolKind.FILE:
            self._rows.modules.append((len(self._targets) - 1, len(self._rows.numbers) - REF_COLUMNS))
        return ()

    def _rows_of_relations(self) -> Iterator[int]:
        """The rows of relations that are no occurrences of names: overriding, the use of fixtures, operations."""
        self._rows.mark_values(self._facts)
        place = (self._names, self._key_of, self._file, self._facts, self._ids)
        of_symbols = chain.from_iterable(chain(override_rows(*place), fixture_rows(*place)))
        return chain(of_symbols, self._operations.rows(self)) if self._facts.operations else of_symbols

    def _requested_key(self, name: str, key: int = 0) -> int:
        """The key of a member name on an unknown receiver, when a member of the repository may be the target; else
        0.
        """
        key = key or self._key_of(name)
        return key if name not in self._common and self._world.has_member(key, self._file.language) else 0

    def _is_more_than_method(self, key: int, index: int) -> bool:
        """Whether a reference has members read from it that no function has, and only methods have its name."""
        if self._world.has_value(key, self._facts.language):
            return False
        if self._opened is None:
            self._opened = opened(self._facts, self._of_functions)
        return index in self._opened

    def _import_rows(self, index: int, fact: ImportFact) -> None:
        """A row for the imported name, and one for the module that it comes from."""
        kind = int(ReferenceKind.REEXPORT if fact.exported else ReferenceKind.IMPORT)
        target = self._import(index)
        source = self._ids[fact.source]
        # which is the module, of which there is a row
        if fact.name not in ("", "*") and target is not None and (target.symbol or fact.name != "default"):
            self._rows.add(fact.name, target, source, kind, fact.line, fact.col)
        files = self._names.files(self._file, fact.module)
        last = re.split(r"[/.:]", fact.module)[-1] or fact.module
        place = (fact.module_line, fact.module_col)
        before = self._facts.imports[index - 1] if index else None
        # of what a statement brings from the module
        is_first = before is None or (before.module_line, before.module_col) != place
        if files and fact.is_value:
            self._rows.add(last, Target(files[0].symbol, origin=USED_AS_VALUE[1]), source, USED_AS_VALUE[0], *place)
        if files and is_first:
            confidence = Confidence.INFERRED if fact.module.startswith(SOMEWHERE) else Confidence.EXACT
            self._rows.add(
                last,
                Target(files[0].symbol, confidence=int(confidence), origin=int(Origin.IMPORT)),
                source,
                kind,
                *place,
            )
        elif not files and fact.name in ("", "*") and target is not None and target.symbol:
            self._rows.add(last, target, source, kind, fact.line, fact.col)
        elif not files and is_first and (target is None or target.is_external):
            self._rows.add(last, outside(self._world, self._file, fact.module, ""), source, kind, *place)

    def _import(self, index: int) -> Target | None:
        """The target that an import binds; `import a.b` binds `a`."""
        if index not in self._imports:
            fact = self._facts.imports[index]
            module = (
                fact.local
                if fact.name == "" and fact.module.startswith(f"{fact.local}.") and fact.local
                else fact.module
            )
            use = VALUE if self._objects and not fact.local else ANY  # what members are imported from
            self._imports[index] = self._names.imported(self._file, module, fact.name, use=use)
        return self._imports[index]

    def _resolve_bare_name(self, reference: Reference, use: Usage) -> Target | None:
        name, source, binding, flags = reference.name, reference.source, reference.binding, reference.flags
        if self._rule:
            return self._resolve_by_name_rule(self._rule, name, source, binding, TYPE if flags & TAG else use)
        if self._wildcards and (near := self._on_demand_import(self._modules, self._facts.names[name], source, use)):
            return near  # Rust, Fortran, Verilog
        if binding in self._overloads:
            named = [self._world.symbol(self._ids[index]) for index in self._overloads[binding]]
            return self._names.select_overload(applicable(self._names, named, use) or named, use, Origin.SCOPE)
        if binding != FREE:
            result = (
                self._import(binding - self._bound)
                if binding >= self._bound
                else Target(self._ids[binding - FIRST_BOUND])
            )
            others = [self._import(other) for other in self._rivals.get(binding, ())]
            if self._separate and result is not None and result.symbol and self._kind_of(result.symbol) in NOT_CALLABLE:
                return first_callable(self._world, others) if use.is_call else result
            if result is not None and any(
                other is not None and other.symbol not in (0, result.symbol) for other in others
            ):
                result = (
                    (self._modules.prefer_import(self._world.symbol(result.symbol), others) or result).inferred()
                    if result.symbol
                    else result.inferred()
                )
            if not self._wildcards:
                self._bindings[binding] = result
            return result
        scope = 0 if flags & SCOPED and self._is_pasted else source
        key = (name, scope if self._is_scoped else 0, flags & TAG, use)
        if key not in self._free:
            self._free[key] = self._names.lookup_unbound(
                self._file, self._world.symbol(self._ids[scope]), self._facts.names[name], use, bool(flags & TAG)
            )
        return self._free[key]

    def _on_demand_import(self, rule: ModuleRule | NameRule, name: str, source: int, use: Usage) -> Target | None:
        """The target that a wildcard import binds which stands in a definition around the place, before anything
        outside of that definition.
        """
        place, scope = self._world.symbol(self._ids[source]), source
        while scope > 0 and self._wildcards:
            for module in self._wildcards.get(scope, ()):
                if result := rule.on_demand_import(self._names, self._file, place, module, name, use):
                    return result
            scope = self._facts.symbols[scope].parent
        return None

    def _as_written(self, rule: NameRule, target: Target | None, reference: Reference) -> Target | None:
        """The target of a reference by how it is written, in languages where that matters."""
        is_bare = reference.receiver == PLAIN
        if reference.kind == _DECORATE:
            receiver = None if is_bare else self.receiver_target(reference.source, Receiver(reference.receiver))
            place, name = self._world.symbol(self._ids[reference.source]), self._facts.names[reference.name]
            target = rule.decorator(self._names, self._file, place, name, not is_bare, receiver) or target
        if target is None or not target.symbol:
            return target
        member = self._members_read.get(len(self._targets))
        type_arguments = reference.flags >> TYPE_ARGUMENTS & MOST_TYPES
        text = "" if member is None else self._facts.names[member]
        return rule.as_written(self._names, target, type_arguments, text, has_receiver=not is_bare)

    def _resolve_by_name_rule(self, rule: NameRule, name: int, source: int, binding: int, use: Usage) -> Target | None:
        """The target of a bare name in a language with a name rule of its own: a name that the file binds may also have
        another target, inherited or with other parameters.
        """
        key = (name, source, binding, use)
        if key not in self._free:
            place, text = self._world.symbol(self._ids[source]), self._facts.names[name]
            if binding == FREE:
                self._free[key] = self._on_demand_import(rule, text, source, use) or self._names.lookup_unbound(
                    self._file, place, text, use
                )
            elif binding < self._bound:
                self._free[key] = rule.bound(
                    self._names, self._file, place, self._world.symbol(self._ids[binding - FIRST_BOUND]), text, use
                )
            else:
                target = rule.shadowing_member(self._names, place, text, use) or self._imported(binding, use)
                self._free[key] = (
                    self._names.lookup_unbound(self._file, place, text, use)
                    if is_function_where_type_expected(self._world, target, use)
                    else target
                )
        return self._free[key]

    def _imported(self, binding: int, use: Usage) -> Target | None:
        """The target that an import binds; of several that bind one name, the first that the use of the name allows."""
        facts = [self._facts.imports[index] for index in (binding - self._bound, *self._rivals.get(binding, ()))]
        result = [self._names.imported(self._file, fact.module, fact.name, use=use) for fact in facts]
        return next((target for target in result if target and target.symbol and not target.confidence), result[0])

    def _member(self, reference: Reference, use: Usage) -> Target | None:
        name, source, binding = reference.name, reference.source, reference.binding
        receiver, flags = reference.receiver, reference.flags
        if receiver >= LOCAL:
            base = self.receiver_target(source, Receiver(receiver, binding, flags))
            if base is None and self._rule:
                return self._rule.member_of_unknown(
                    self._names, self._world.symbol(self._ids[source]), self._facts.names[name], use
                )
            if base is None or (
                base.is_external and not (base.element or base.subscripted or base.written or self._rule)
            ):
                if base is not None and base.outside:
                    return within(base, self._facts.names[name])
                return (
                    EXTERNAL
                    if flags & SCOPED and self._is_pasted
                    else base.external_member
                    if base is not None
                    else None
                )
            result = self._cached_member(base, name, use, source)
            if (
                result is None
                and receiver == LOCAL
                and (value_source := self._facts.sources[binding - 1]).how == NARROWED
                and value_source.binding
            ):
                # what is a Shelf besides may have it
                return self._member(msgspec.structs.replace(reference, binding=value_source.binding), use)
            return result
        owner = self._enclosing.type_of(source)
        if not owner and receiver == SELF and not flags & THROUGH_CALL:
            if not self._rule:
                return self._enclosing.member_of_object(source, self._facts.names[name])
            if extended := self._enclosing.external_type_of(source):
                return self._cached_member(extended, name, use, source)
        if not owner or (receiver in (SELF, CLASS) and flags & THROUGH_CALL):
            return (
                self._cached_member(Target(owner, instance=True), name, use, source)
                if owner and receiver == CLASS
                else None
            )
        text = self._facts.names[name]
        if reference.kind == _CALL and text in self._constructor_words:
            return delegated(self._names, owner, self._ids[source], use, receiver == SUPER)
        if self._rule:
            place = self._world.symbol(self._ids[source])
            if receiver == CLASS:
                return self._rule.of_class(self._names, owner, place, text, use)
            result = self._rule.own(self._names, owner, place, text, receiver == SUPER, use)
            if result is None and receiver == SELF and not self._rule.is_type(place):
                result = self._cached_member(Target(owner, instance=True), name, use, source)
            return result
        side = self._enclosing.side_of(source) if self._has_sides else EITHER
        key = (owner, name, receiver, use, side)
        if key not in self._own:
            self._own[key] = self._inherited(owner, text, receiver, use, side)
        return self._own[key]

    def _inherited(self, owner: int, name: str, receiver: int, use: Usage, side: Side) -> Target | None:
        """A member of the object itself, or of its bases.

        A member that neither has may be a subclass's, unless nothing in the repository has it.
        """
        result = self._names.inheritance.member(owner, name, skip_own=receiver == SUPER, use=use, side=side)
        if (
            result is None
            and self._names.inheritance.has_external_base(owner)
            and (receiver == SUPER or not self._requested_key(name))
        ):
            return EXTERNAL
        return result.with_origin(Origin.SUPER) if result and receiver == SUPER else result

    def receiver_target(self, source: int, receiver: Receiver) -> Target | None:
        """The target of `receiver` in the symbol with the index `source`: a symbol, an instance, EXTERNAL, or None if
        unknown.
        """
        at, flags = receiver.at, receiver.flags
        if at >= FIRST_REFERENCE:
            result = self.target_of(at - FIRST_REFERENCE)
        elif at == LOCAL:
            result = self.local_type(source, receiver.binding)
        elif at == BUILT_IN_RECEIVER:
            result = BUILT_IN if self._by_item else EXTERNAL
        elif at == COMPLEX or not (owner := self._enclosing.type_of(source)):
            return None
        else:
            result = Target(
                owner,
                instance=at != CLASS and not (self._rule and self._rule.is_type(self._world.symbol(self._ids[source]))),
            )
        if result is not None and flags & THROUGH_CALL:
            result = self._values.type_of_call(result)
        elif result is not None and self._uniform and result.known_return_type:
            result = result.known_return_type  # to name it is to call it
        if result is not None and flags & THROUGH_ITEM:
            value = self._values.type_of_target(result)
            result = (
                (
                    self._values.subscript_type(value)
                    if self._by_item
                    else value.subscripted or self._values.iteration_type(value)
                )
                if value
                else None
            )
        if result is not None and flags & SCOPED and at == LOCAL and result.symbol:
            result = Target(result.symbol, confidence=result.confidence)
        return result

    def local_type(self, source: int, binding: int) -> Target | None:
        """The type of a local variable in the symbol with the index `source`."""
        return self._local_types.type_of(self, source, binding)

    def _resolve_later_reference(self, index: int) -> Target | None:
        """The target of a reference that stands after the one that needs it: an argument, the source of a
        comprehension.
        """
        if index not in self._later_targets:
            self._later_targets[index] = None  # a cycle has no answer
            self._later_targets[index] = self._resolve_at(index)
        return self._later_targets[index]

    def _resolve_at(self, index: int) -> Target | None:
        reference = reference_at(self._facts, index)
        if reference.receiver >= FIRST_REFERENCE + index:
            return None
        use = usage_of(reference.kind, reference.flags) if self._is_use_sensitive else ANY
        target = self._resolve(reference, use)
        if reference.kind == _CALL and (arguments := self._call_arguments.get(index)):
            target = self._resolve_by_arguments(target, arguments, reference, use)
        return target

    def _resolve(self, reference: Reference, use: Usage) -> Target | None:
        return self._resolve_bare_name(reference, use) if reference.receiver == PLAIN else self._member(reference, use)

    def _resolve_by_arguments(
        self, target: Target | None, arguments: Sequence[int], reference: Reference, use: Usage
    ) -> Target | None:
        """The target of a call by the types of its arguments, where several functions have the name; no more certain
        than these types.
        """
        types, is_sure = (
            self._arguments.argument_types(reference.source, arguments, self.target_of, self.local_type)
            if self._arguments.is_overloaded(reference.name, target)
            else ((), True)
        )
        if not types:
            return target
        use = use.with_types(types)
        result = self._resolve(reference, use)
        if result is None or not result.symbol or not is_callable(self._names, result.symbol, use):
            return target.inferred() if target else result
        if is_sure:
            return result
        return target if target is not None and result.symbol == target.symbol else result.inferred()

    def target_of(self, index: int) -> Target | None:
        """The target of the reference number `index` of this file, at any position."""
        return self._targets[index] if index < len(self._targets) else self._resolve_later_reference(index)

    def _cached_member(self, base: Target, name: int, use: Usage, source: int) -> Target | None:
        key = (base, name, use, self._enclosing.type_of(source) if self._rule else 0)
        if key not in self._members:
            self._members[key] = self._names.member(
                base, self._facts.names[name], self._world.symbol(self._ids[source]), use
            )
        return self._members[key]

    def _is_foreign(self, symbol: int) -> bool:
        """Swift: whether a symbol only stands for the extensions of a type from elsewhere."""
        result = self._world.symbol(symbol)
        return result.kind == SymbolKind.TYPE and not result.type

    def _kind_of(self, symbol: int) -> int:
        result: Symbol = self._world.symbol(symbol)
        return result.kind
