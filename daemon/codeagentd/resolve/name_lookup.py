"""Name lookup across files: exports of modules, bare names, and members of targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, Confidence, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.module_rules.include import SCOPE
from codeagentd.resolve.module_rules.registry import rule_of
from codeagentd.resolve.name_rules.bash import BashNames
from codeagentd.resolve.name_rules.clojure import ClojureNames
from codeagentd.resolve.name_rules.csharp import CSharpNames
from codeagentd.resolve.name_rules.elixir import ElixirNames
from codeagentd.resolve.name_rules.erlang import ErlangNames
from codeagentd.resolve.name_rules.generic import GenericNames
from codeagentd.resolve.name_rules.haskell import HaskellNames
from codeagentd.resolve.name_rules.jvm import KotlinNames, PackageNames, ScalaNames
from codeagentd.resolve.name_rules.lua import LuaNames
from codeagentd.resolve.name_rules.ocaml import OCamlNames
from codeagentd.resolve.name_rules.php import PhpNames
from codeagentd.resolve.name_rules.ruby import RubyNames
from codeagentd.resolve.name_rules.rule import NameRule
from codeagentd.resolve.name_rules.swift import SwiftNames
from codeagentd.resolve.overloads.overload_resolution import applicable, most_specific
from codeagentd.resolve.types.inference import BODIES, TypeEvaluator
from codeagentd.resolve.types.member_lookup import MemberResolver
from codeagentd.resolve.usage import ANY, INSTANCE, STATIC, TYPE, Usage

from .external_packages import outside, within
from .interface import BY_NAME, NameLookup, S
from .module_rules import rust
from .query_cache import QueryCache, QueryState
from .symbol_table import File, Import, Symbol, SymbolTable
from .targets import BUILT_IN, EXTERNAL, Target, TargetKind, map_union, origin_of

MODULES: Final = frozenset({SymbolKind.FILE, SymbolKind.MODULE})
EXPORTED: Final = int(SymbolFlag.EXPORTED)
NAME_RULES: Final[dict[str, NameRule]] = {
    "bash": BashNames(),
    "clojure": ClojureNames(),
    "csharp": CSharpNames(),
    "elixir": ElixirNames(),
    "erlang": ErlangNames(),
    "generic": GenericNames(),
    "haskell": HaskellNames(),
    "kotlin": KotlinNames(),
    "lua": LuaNames(),
    "ocaml": OCamlNames(),
    "packages": PackageNames(),
    "php": PhpNames(),
    "ruby": RubyNames(),
    "scala": ScalaNames(),
    "swift": SwiftNames(),
}
LONGEST_CHAIN: Final = 12  # re-exports followed before a cycle is assumed


class NameResolver:
    """Looks names up in one state of the repository, and caches the results."""

    def __init__(self, world: SymbolTable) -> None:
        self.world = world
        self.queries = QueryState()
        self._exports = QueryCache[tuple[int, str], Target | None](self.queries)
        self._global: dict[str, Target | None] = {}
        self._qualified = QueryCache[tuple[tuple[str, ...], str], Sequence[Symbol]](self.queries)
        self._having: dict[tuple[str, str, Callable[[Symbol], bool]], tuple[Symbol, ...]] = {}
        self._states: dict[Callable[[NameLookup], Any], Any] = {}
        self.values = TypeEvaluator(self)
        self.inheritance = MemberResolver(self)

    def files(self, file: File, module: str) -> Sequence[File]:
        """The files that `module` names in `file`."""
        return rule_of(file.language).files(self.world, file, module)

    def named(self, name: str, language: str) -> Sequence[Symbol]:
        """The symbols with the bare name `name`, in `language` or those that share its names."""
        self.queries.record(BY_NAME, name)
        return self.world.named(name, language)

    def symbols_where(self, language: str, name: str, judge: Callable[[Symbol], bool]) -> tuple[Symbol, ...]:
        """The symbols with the bare name `name` in `language` that satisfy `judge`. A name that no symbol of the
        repository has, like most names, needs no lookup in each scope.
        """
        self.queries.record(BY_NAME, name)
        known = (language, name, judge)
        if known not in self._having:
            self._having[known] = tuple(symbol for symbol in self.world.named(name, language) if judge(symbol))
        return self._having[known]

    def qualified(self, family: tuple[str, ...], name: str) -> Sequence[Symbol]:
        """The symbols with the qualified name `name` in any language of `family`, without files and modules."""
        return self._qualified.get_or_read((family, name), self._find_qualified, family, name)

    def _find_qualified(self, family: tuple[str, ...], name: str) -> Sequence[Symbol]:
        outer, _, last = name.rpartition(".")
        result = self._with_qualified_name(family, name)
        # where there is none, a type may come to have such a member
        types = self._with_qualified_name(family, outer) if outer and not result else ()
        for parent in (*(symbol.parent for symbol in result), *(symbol.id for symbol in types if symbol.kind in TYPES)):
            self.queries.record(parent, last)
        return result

    def _with_qualified_name(self, family: tuple[str, ...], name: str) -> Sequence[Symbol]:
        if not self.world.named(name.rpartition(".")[2], family[0]) and not self.world.is_package(name):
            return ()
        symbols = (symbol for language in family for symbol in self.world.qualified(language, name))
        return [symbol for symbol in symbols if symbol.parent and symbol.kind != SymbolKind.MODULE]

    def state(self, make: Callable[[NameLookup], S]) -> S:
        """The state that a rule keeps for this lookup. `make` creates it on first use, and is the key under which it is
        kept.
        """
        result: S | None = self._states.get(make)
        if result is None:
            result = self._states[make] = make(self)
        return result

    def imported(self, file: File, module: str, name: str, depth: int = 0, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`, as imported into `file`; an external target if `module` is not of this
        repository, None if it lacks the name. `depth` is the number of imports followed before.
        """
        result = self._imported(file, module, name, depth, use)
        return outside(self.world, file, module, name) if result is EXTERNAL else result

    def _imported(self, file: File, module: str, name: str, depth: int, use: Usage) -> Target | None:
        rule = NAME_RULES.get(languages()[file.language].rules.names)
        ruled = rule.imported(self, file, module, name, use) if rule else None
        result = ruled or rule_of(file.language).imported(self, file, module, name, depth)
        return self._member_of_module_value(file, module, name, depth, use) if result is None and rule else result

    def imported_from_file(self, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of the file that `module` names, as imported into `file`. `depth` is the number of
        imports followed before.
        """
        result = self.files(file, module)
        if not result:
            return rule_of(file.language).folder(self, file, module, name)
        if name in ("", "*"):
            return self._module_value(result[0], depth) or Target(result[0].symbol, origin=int(Origin.IMPORT))
        return self._with_import_origin(self.module_member(result[0], name, depth + 1), result[0])

    def _member_of_module_value(self, file: File, module: str, name: str, depth: int, use: Usage) -> Target | None:
        """The target of `name` of a module that is one value: a member of that value."""
        result = self.files(file, module)
        whole = self._module_value(result[0], depth) if result else None
        return (
            self._with_import_origin(self.member(whole, name, self.world.symbol(file.symbol), use), result[0])
            if whole
            else None
        )

    def _with_import_origin(self, target: Target | None, file: File) -> Target | None:
        """The target of an import from a file, which may have it from another one."""
        return (
            target.with_origin(
                Origin.REEXPORT if target.symbol and self.world.symbol(target.symbol).file != file.id else Origin.IMPORT
            )
            if target
            else None
        )

    def _module_value(self, file: File, depth: int) -> Target | None:
        """The value that a module exports as a whole: `module.exports = Shelf`, `export = Shelf`."""
        whole_export = next(
            (
                entry
                for entry in self.world.imports(file.id)
                if entry.exported and not entry.local and not (entry.module and entry.name)
            ),
            None,
        )
        target = self._entry(file, whole_export, depth + 1) if whole_export and depth <= LONGEST_CHAIN else None
        return target.with_origin(Origin.IMPORT) if target and target.symbol else None

    def module(self, name: str) -> Target | None:
        """The module with the whole dotted name `name`: a file, else a folder of modules."""
        files = self.world.files_of_module(name)
        if files:
            return Target(files[0].symbol, origin=int(Origin.IMPORT))
        return (
            Target(namespace=name, kind=TargetKind.NAMESPACE, origin=int(Origin.IMPORT))
            if self.world.is_namespace(name)
            else None
        )

    def module_member(self, file: File, name: str, depth: int = 0) -> Target | None:
        """The export `name` of `file`: its own definition, a re-export, a submodule, or a name behind a wildcard.
        `depth` is the number of imports followed before.
        """
        return self._exports.get_or_compute((file.id, name), None, self._module_member, file, name, depth)

    def _module_member(self, file: File, name: str, depth: int) -> Target | None:
        if depth > LONGEST_CHAIN:
            self.queries.mark_incomplete()
            return None
        language = languages()[file.language]
        rules = language.rules
        if name == "default" and language.symbols.file == "component":
            return Target(file.symbol, origin=int(Origin.IMPORT))  # a file that is a component is what it offers
        own = self.world.members(file.symbol).get(name, ())
        declared = rules.exports == "declared"
        offered = [symbol for symbol in own if not declared or symbol.flags & EXPORTED]
        if offered:
            return rule_of(file.language).imported_instead(self, file, offered[0], depth) or self.first_by_position(
                offered, Origin.MEMBER
            )
        wildcards = []
        for entry in self.world.imports(file.id):
            if entry.name == "*" and (entry.exported or not declared):
                wildcards.append(entry)
            elif (
                entry.local == name and (entry.exported or not declared) and (result := self._entry(file, entry, depth))
            ):
                return result
        if result := rule_of(file.language).submodule(self, file, name):
            return result
        for entry in wildcards:
            if not (declared and name == "default") and (result := self._through_wildcard(file, entry, name, depth)):
                return result
        return None

    def _entry(self, file: File, entry: Import, depth: int) -> Target | None:
        if entry.module:
            return self.imported(file, entry.module, entry.name, depth + 1)
        own = self.world.members(file.symbol).get(entry.name, ())
        if own:
            return self.first_by_position(own, Origin.MEMBER)
        for other in self.world.imports(file.id):
            if other.module and other.local == entry.name and not other.exported:
                return self.imported(file, other.module, other.name, depth + 1)
        return None

    def _through_wildcard(self, file: File, entry: Import, name: str, depth: int) -> Target | None:
        if languages()[file.language].rules.exports == "everything" and name.startswith("_"):
            return None
        files = self.files(file, entry.module)
        target = self.module_member(files[0], name, depth + 1) if files else None
        return target.with_origin(Origin.WILDCARD) if target and not target.is_external else None

    def wildcard(self, file: File, name: str) -> Target | None:
        """The target of `name` if an `import *` of `file` binds it, else None."""
        for entry in self.world.imports(file.id):
            if entry.name == "*" and not entry.exported and (result := self._through_wildcard(file, entry, name, 0)):
                return result
        return None

    def expression(self, place: Symbol, text: str, arity: int = 0) -> Target | None:
        """The target of the name `text` in a type position with `arity` type arguments, as seen from the scope around
        `place`.
        """
        file = self.world.file(place.file)
        rule = NAME_RULES.get(languages()[file.language].rules.names)
        if rule is None:
            return self.dotted(place, text)
        result = rule.declared(self, file, place, text)
        return rule.of_arity(self, result, arity) if result and result.symbol else result

    def dotted(self, place: Symbol, text: str) -> Target | None:
        """The target of the dotted name `text`, each part a member of the one before, as seen from the scope around
        `place`.
        """
        head, *rest = text.replace(SCOPE, ".").lstrip(".").split(".")
        file = self.world.file(place.file)
        target = self.lookup_in_scope(place, head, languages()[file.language].symbols.separate_types)
        if rest and rule_of(file.language).is_foreign(self, file, head):
            return EXTERNAL
        for name in rest:
            if target is None:
                return target
            target = self.member(target, name, place)
        return target

    def lookup_in_scope(self, place: Symbol, name: str, types_only: bool = False, use: Usage = TYPE) -> Target | None:
        """The target of a bare `name` as seen from the scope around `place`; `use` is how the name is used, for name
        rules that depend on it.
        """
        file = self.world.file(place.file)
        if rule := NAME_RULES.get(languages()[file.language].rules.names):
            return rule.lookup_first_name(self, file, place, name, use)
        return rule_of(file.language).visible(self, file, place, name, types_only)

    def enclosing(self, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare `name` that the definitions around `place` contain, or that `file` binds."""
        language, current = languages()[file.language], place.parent
        if result := self.of_body(place, name):
            return result
        while current and current != file.symbol:
            outer = self.world.symbol(current)
            own = (
                current == place.parent and language.symbols.bound == "all" and not (types_only and outer.kind in TYPES)
            )
            if (symbols := self._declared_in(current, name, types_only)) and (
                outer.kind not in TYPES or language.symbols.members_in_scope or own
            ):
                return self._symbol_in_scope(current, symbols)
            current = outer.parent
        return self.in_file(file, place, name, types_only)

    def of_body(self, place: Symbol, name: str) -> Target | None:
        """The target of `name`, a type that the function `place` declares in its own body; None if it has none."""
        result = self._declared_in(place.id, name, types_only=True) if place.kind in BODIES else ()
        return self._symbol_in_scope(place.id, result) if result else None

    def _symbol_in_scope(self, scope: int, symbols: Sequence[Symbol]) -> Target:
        """The target of a name in a definition; inferred where an anonymous function has the name as well."""
        result = self.first_by_position(symbols, Origin.SCOPE)
        return result.inferred() if self.world.has_local_duplicates(scope, symbols[0].name) else result

    def in_file(self, file: File, place: Symbol, name: str, types_only: bool = False) -> Target | None:
        """The target of a bare `name` that `file` itself declares, imports, or sees without binding it; definitions
        around `place` are not searched.
        """
        if result := self._declared_in(file.symbol, name, types_only):
            return rule_of(file.language).imported_instead(self, file, result[0], 0) or self._symbol_in_scope(
                file.symbol, result
            )
        declared = languages()[file.language].rules.exports == "declared"
        for entry in self.world.imports(file.id):
            if entry.local == name and entry.module and entry.name != "*" and not (entry.exported and declared):
                return self.imported(file, entry.bound_module, entry.name)
        return self.lookup_unbound(file, place, name)

    def _declared_in(self, symbol: int, name: str, types_only: bool) -> Sequence[Symbol]:
        members = self.inheritance.declared(symbol, name)
        return (
            [member for member in members if member.kind in TYPES or member.kind in SCOPES_OF_NAMES]
            if types_only
            else members
        )

    def lookup_unbound(
        self, file: File, place: Symbol, name: str, use: Usage = ANY, tag: bool = False
    ) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and that nothing in `file` binds; `tag`: it is
        written as a struct, union or enum.
        """
        if rule := NAME_RULES.get(languages()[file.language].rules.names):
            return rule.free(self, file, place, name, use)
        return rule_of(file.language).free(self, file, place, name, use, tag)

    def lookup_wildcard_or_builtin(self, file: File, name: str) -> Target | None:
        """The target of a `name` that a wildcard import brings into `file`, that every file sees, or that
        is built in.
        """
        language = languages()[file.language]
        if result := self.wildcard(file, name) or (
            self._global_symbol(name, file.language) if language.symbols.global_files else None
        ):
            return result
        return BUILT_IN if name in language.types.built_in else None

    def _global_symbol(self, name: str, language: str) -> Target | None:
        """The target of a name that every file sees: it is declared in a declaration file that is no module, or in a
        block for the global scope.
        """
        if name not in self._global:
            declared = [symbol for symbol in self.world.named(name, language) if self._is_global(symbol)]
            self._global[name] = self.first_by_position(declared, Origin.SCOPE) if declared else None
        return self._global[name]

    def _is_merged(self, symbol: Symbol) -> bool:
        """Whether a type may have declarations elsewhere: an interface of the global scope, which the platform may
        declare as well.
        """
        has_scope = languages()[self.world.file(symbol.file).language].symbols.global_files
        return bool(has_scope) and symbol.kind == SymbolKind.INTERFACE and self._is_global(symbol)

    def _is_global(self, symbol: Symbol) -> bool:
        """Whether every file sees a definition."""
        file = self.world.file(symbol.file)
        rules = languages()[file.language].symbols
        if symbol.parent != file.symbol:
            outer = self.world.symbol(symbol.parent) if symbol.parent else None
            return (
                outer is not None
                and outer.kind == SymbolKind.NAMESPACE
                and outer.parent == file.symbol
                and outer.name == rules.global_block
            )
        is_module = self.world.imports(file.id) or any(
            member.flags & EXPORTED for group in self.world.members(file.symbol).values() for member in group
        )
        return file.path.endswith(rules.global_files) and not is_module

    def further_bases(self, symbol: Symbol) -> tuple[int, ...]:
        """The ids of types whose members `symbol` has without naming them as bases."""
        rule = NAME_RULES.get(languages()[self.world.file(symbol.file).language].rules.names)
        has_any = rule is not None and rule.has_further_bases and symbol.kind in TYPES
        return rule.further_bases(self, symbol) if rule and has_any else ()

    def first_by_position(self, symbols: Sequence[Symbol], origin: Origin) -> Target:
        """One of `symbols` with the same name in the same place: types first, then by path and line. The result is
        inferred if there are several.
        """
        if len(symbols) == 1:
            return Target(symbols[0].id, origin=int(origin))
        chosen = min(
            symbols, key=lambda symbol: (symbol.kind not in TYPES, self.world.file(symbol.file).path, symbol.line)
        )
        return Target(chosen.id, confidence=int(Confidence.INFERRED), origin=int(origin))

    def select_overload(self, symbols: Sequence[Symbol], use: Usage, origin: Origin) -> Target:
        """One of `symbols`, which all fit the call `use`: the one with the best conversions and without the need for a
        default value. It is inferred unless it is certainly the best.
        """
        chosen, is_sure = most_specific(self, symbols, use)
        result = self.first_by_position(chosen, origin)
        return result.inferred() if len(chosen) < len(symbols) and not is_sure else result

    def member(self, target: Target, name: str, place: Symbol | None = None, use: Usage = ANY) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`. It is external if `target` is, None
        if unknown.
        """
        rule = NAME_RULES.get(languages()[self.world.file(place.file).language].rules.names) if place else None
        return (
            rule.member_of_target(self, place, target, name, use)
            if rule and place
            else self.default_member(target, name, place, use)
        )

    def default_member(self, target: Target, name: str, place: Symbol | None = None, use: Usage = ANY) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`, by the rules that most languages
        share.
        """
        if (field := self._field_of_variant(target, name)) is not None:
            return field
        value = self.values.type_of_target(target)
        if value is None:
            return None
        result = None if value.is_external else self._member_of(value, name, place, use)
        rule = (
            NAME_RULES.get(languages()[self.world.file(place.file).language].rules.names)
            if place and self._needs_extension(result, use)
            else None
        )
        if rule and place:
            result = rule.fallback_member(self, place, value, name, use) or result
        if result is None and value.written:
            result = self.values.structural_member(value, name)
        elif result is None and value.is_external:
            result = self.values.container_method(value, name)
        return within(value, name) if result is EXTERNAL and value.outside else result

    def _needs_extension(self, member: Target | None, use: Usage) -> bool:
        """Whether a type has no such member, except one that every value has. In languages with extensions, also
        whether its member takes other arguments than a call has.
        """
        if member is None or not member.symbol:
            return member is None or bool(member.element or member.callback_value)
        if not use.has_arguments:
            return False
        symbol = self.world.symbol(member.symbol)
        return languages()[self.world.file(symbol.file).language].symbols.extensions and not applicable(
            self, (symbol,), use
        )

    def _field_of_variant(self, target: Target, name: str) -> Target | None:
        """Rust: the field in the braces after a variant, whose value is otherwise one of its enum."""
        if not target.symbol or target.instance or self.world.symbol(target.symbol).kind != SymbolKind.ENUM_MEMBER:
            return None
        fields = [
            symbol for symbol in self.world.members(target.symbol).get(name, ()) if symbol.kind == SymbolKind.FIELD
        ]
        return self.first_by_position(fields, Origin.MEMBER) if fields else None

    def _member_of(self, value: Target, name: str, place: Symbol | None, use: Usage) -> Target | None:
        if value.alternatives:  # of A | B what any of them has
            return map_union(value, lambda alternative: self._member_of(alternative, name, place, use), instance=False)
        if not value.symbol:
            if value.kind == TargetKind.RUST_MODULE:
                return rust.item_of_module(self, value.module, name, called=use.is_call)
            return self.module(f"{value.namespace}.{name}") if value.kind == TargetKind.NAMESPACE else None
        symbol = self.world.symbol(value.symbol)
        if symbol.kind in MODULES:
            result = rule_of(self.world.file(symbol.file).language).exported_member(self, symbol, name, use)
            return result.capped_by(value) if result else None
        if symbol.kind in TYPES:
            result = self.inheritance.member(symbol.id, name, use=use, side=INSTANCE if value.instance else STATIC)
            if result is None and use in (ANY, TYPE):
                result = rule_of(self.world.file(symbol.file).language).nested(self, symbol, name)
            result = (
                result.bound_to(symbol.id, value.confidence, origin_of(value))
                if result
                else self._alias_or_universal_member(value, symbol, name)
            )
            if (
                result is None
                and value.instance
                and (self.inheritance.has_external_base(symbol.id) or self._is_merged(symbol))
            ):
                return EXTERNAL
            return result
        if symbol.kind == SymbolKind.NAMESPACE:
            file = self.world.file(place.file if place else symbol.file)
            return rule_of(file.language).inside(self, file, symbol, name, use)
        own = self.world.members(symbol.id).get(name) if self.values.is_written_out(symbol) else None
        return self.first_by_position(own, Origin.MEMBER).capped_by(value) if own else None

    def _alias_or_universal_member(self, target: Target, symbol: Symbol, name: str) -> Target | None:
        """The target of a member that a type does not declare: a member of the type that it is an alias of, or a member
        of every value.
        """
        if symbol.kind == SymbolKind.TYPE and symbol.type and not target.instance:
            aliased = self.values.expand_alias(symbol)
            return (
                self.member(Target(aliased.symbol, confidence=aliased.confidence), name)
                if aliased and aliased.symbol not in (0, symbol.id)
                else aliased
            )
        # { own: … } & Other
        if symbol.kind == SymbolKind.TYPE and symbol.type and target.instance and self.world.members(symbol.id):
            aliased = self.values.type_of_annotation(symbol, symbol.type)
            return self.member(aliased, name) if aliased and aliased.symbol != symbol.id else None
        return self.values.universal_method(target, name) if target.instance else None
