"""Type inference: types of values that are declared, constructed, returned, or read from a value of a known type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.facts import CALL_SIGNATURES, CONSTRUCTING, DOUBTFUL, EXPRESSION, LITERAL
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, Confidence, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.overload_resolution import is_uniform_access
from codeagentd.resolve.query_cache import QueryCache
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.syntax.type_expression import (
    LIST,
    MAPPING,
    TypeText,
    result_at,
    union_members,
    unwrap_transparent,
)
from codeagentd.resolve.targets import (
    BUILT_IN,
    EXTERNAL,
    Target,
    TargetKind,
    external_result,
    map_union,
    method_returning,
    structural_member,
    structural_type,
    union_of,
)
from codeagentd.resolve.usage import ANY, TYPE

from .arrow_signatures import result as function_result
from .callable_types import common_return_type, functions_in, functions_of, is_complete, member_of
from .expression_steps import calls_of_steps, uses_of_steps

VALUES: Final = frozenset(
    {
        SymbolKind.FIELD,
        SymbolKind.VARIABLE,
        SymbolKind.CONSTANT,
        SymbolKind.PROPERTY,
        SymbolKind.ENUM_MEMBER,
        SymbolKind.EVENT,
    }
)
OBJECT_VARIABLES: Final = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})
BODIES: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_STEP: Final = re.compile(r"[^.()\s]+|\(\)")
_ANNOTATED_SELF: Final = re.compile(r"\(\s*(\w+)\s*:\s*(?:(?:typing\.)?[Tt]ype\[\s*)?[\"']?([^\W\d]\w*)")
INFERRED: Final = int(Confidence.INFERRED)
ITSELF: Final = "$1"  # what types.signatures say of a type that is its first argument


class TypeEvaluator:
    """Infers types by following declarations and expressions from symbol to symbol. Every result is cached; a cycle has
    no result.
    """

    def __init__(self, names: NameLookup) -> None:
        self._names = names
        self._world = names.world
        self._values = QueryCache[int, Target | None](names.queries)
        self._results = QueryCache[int, Target | None](names.queries)
        self._seconds = QueryCache[int, Target | None](names.queries)
        self._declared = QueryCache[tuple[int, int, str], Target | None](names.queries)

    def type_of_target(self, target: Target) -> Target | None:
        """Infer the type whose members are read from `target`: of a variable the type of its value, of any other target
        itself.
        """
        if target.alternatives and not target.instance:
            return map_union(target, self.type_of_target)
        if target.is_structural_member:
            return self._declared_at(target)
        if not target.symbol or target.instance:
            return target
        symbol = self._world.symbol(target.symbol)
        if is_uniform_access(symbol) and languages()[self._world.file(symbol.file).language].symbols.uniform_access:
            return self.type_of_call(target)
        if symbol.kind not in VALUES and not _has_value(symbol):
            return target
        value = self.type_of_symbol(symbol, target.owner)
        return value.capped_by(target) if value else None

    def type_of_symbol(self, symbol: Symbol, owner: int = 0) -> Target | None:
        """Infer the type of `symbol`, a variable, field, property or enum member. `owner` is the type of the receiver,
        0 for none.
        """
        if symbol.kind == SymbolKind.ENUM_MEMBER:
            return Target(symbol.parent, instance=True) if symbol.parent else None
        result = self._values.get_or_compute(symbol.id, None, self._value, symbol)
        return (
            Target(owner, instance=True) if result is SELF_TYPE and owner else None if result is SELF_TYPE else result
        )

    def _value(self, symbol: Symbol) -> Target | None:
        if text := symbol.returns or symbol.type:
            return self._read(symbol, text)
        if not self.is_written_out(symbol) or not self._world.members(symbol.id):
            return None
        # an object that is written out, whose functions are members of the variable
        object_type = Target(symbol.id, instance=True)
        return object_type.inferred() if symbol.kind == SymbolKind.VARIABLE else object_type

    def is_written_out(self, symbol: Symbol) -> bool:
        """Whether what `symbol` contains are members of its value, or of its type."""
        is_field = symbol.kind == SymbolKind.FIELD
        types = languages()[self._world.file(symbol.file).language].types
        return types.nested if is_field else symbol.kind in OBJECT_VARIABLES

    def type_of_call(self, target: Target) -> Target | None:
        """Infer the type of the result of calling `target`; None if it is unknown."""
        if target.alternatives and not target.instance:
            return map_union(target, self.type_of_call)
        if target.is_structural_member:
            place, text = target.written[0]
            result = common_return_type(self._names, functions_in(self._names, self._world.symbol(place), text))
            return result.capped_by(target) if result else None
        if not target.symbol:
            return target.known_return_type or (None if target.kind == TargetKind.OPAQUE else external_result(target))
        if target.instance:
            return self._special_method_result(target, "call", lambda result: result) or self._type_of_instance_call(
                target
            )
        symbol = self._world.symbol(target.symbol)
        # a function may have the name of an interface
        if symbol.kind in TYPES and not (symbol.kind == SymbolKind.INTERFACE and symbol.returns):
            if symbol.flags & SymbolFlag.STATIC and languages()[self._world.file(symbol.file).language].symbols.objects:
                return self._type_of_companion_call(target, symbol)
            if self._is_alias(symbol):
                aliased = self.expand_alias(symbol)
                return aliased.capped_by(target) if aliased else None
            is_instance = not languages()[self._world.file(symbol.file).language].types.parametric
            return Target(
                symbol.id,
                instance=is_instance,
                confidence=target.confidence,
                element=self._element_of_named_list(symbol),
            )
        if (
            symbol.kind == SymbolKind.FIELD
            and symbol.parent
            and self._world.symbol(symbol.parent).kind == SymbolKind.RECORD
        ):
            return self.type_of_target(target)  # the accessor of a record's component
        if symbol.kind in VALUES or symbol.kind in SCOPES_OF_NAMES:
            value = self.type_of_target(target)
            if value and value.known_return_type:
                return value.known_return_type.capped_by(target)
            if value or symbol.kind not in VALUES:
                return self.type_of_call(value) if value and value.symbol and value.symbol != target.symbol else None
        result = self._results.get_or_compute(
            symbol.id, None, self._result if symbol.kind not in VALUES else self._type_of_callable_value, symbol
        )
        if result is SELF_TYPE:
            owner = target.owner or self._enclosing_type(symbol)
            result = Target(owner, instance=True) if owner else None
        if result is None and target.owner and self._is_factory_method(symbol):
            result = Target(target.owner, instance=True).inferred()
        return result.capped_by(target) if result else None

    def _is_factory_method(self, symbol: Symbol) -> bool:
        """Whether a method creates objects of its class and may do more, as Ruby's `def self.new(kind) = kind ? super :
        nil`.
        """
        if symbol.name not in languages()[self._world.file(symbol.file).language].symbols.makers:
            return False
        is_of_module = symbol.parent and self._world.symbol(symbol.parent).kind == SymbolKind.TRAIT
        return bool(symbol.flags & SymbolFlag.STATIC or is_of_module)

    def _declared_at(self, target: Target) -> Target | None:
        """The value of a member whose type is written out; the member itself where it is a function, which may be
        called.
        """
        place, text = self._world.symbol(target.written[0][0]), target.written[0][1]
        result = self.type_of_annotation(place, text)
        if result is None and functions_in(self._names, place, text).found:
            return target
        return result.capped_by(target) if result and result is not SELF_TYPE else None

    def structural_member(self, target: Target, name: str) -> Target | None:
        """The member `name` of `target`, an object whose type is written out. EXTERNAL if the type certainly lacks it,
        None if it may have it.
        """
        is_sure = len(target.written) == 1 and not target.symbol and not target.alternatives
        for place, text in target.written:
            if type_ := member_of(text, name):
                return structural_member(place, type_, target.confidence if is_sure else INFERRED)
        is_all = not target.symbol and not target.alternatives and all(is_complete(text) for _, text in target.written)
        return EXTERNAL if is_all else None

    def second(self, target: Target) -> Target | None:
        """Infer the type of the second of several results of calling `target`; None if it is unknown."""
        if not target.symbol or target.instance:
            return external_result(target)
        symbol = self._world.symbol(target.symbol)
        if symbol.kind not in BODIES or not symbol.returns:
            return None
        result = self._seconds.get_or_compute(symbol.id, None, self._second, symbol)
        return result.capped_by(target) if result and result is not SELF_TYPE else None

    def _second(self, symbol: Symbol) -> Target | None:
        text = result_at(symbol.returns or "", 1)
        return self._read(symbol, text) if text else None

    def _type_of_callable_value(self, symbol: Symbol) -> Target | None:
        """The result of calling a value whose type names functions."""
        text = symbol.returns or symbol.type
        has_functions = (
            text
            and not text.startswith(EXPRESSION)
            and languages()[self._world.file(symbol.file).language].types.callbacks
        )
        return common_return_type(self._names, functions_in(self._names, symbol, text)) if has_functions else None

    def _type_of_instance_call(self, target: Target) -> Target | None:
        """The result of calling an object whose type has call signatures."""
        symbol = self._world.symbol(target.symbol)
        if not symbol.type or not languages()[self._world.file(symbol.file).language].types.callbacks:
            return None
        result = common_return_type(self._names, functions_of(self._names, symbol), target.symbol)
        return result.capped_by(target) if result else None

    def _type_of_companion_call(self, target: Target, symbol: Symbol) -> Target | None:
        """The result of calling an object: that of its special method, else an instance of the class of its name."""
        if result := self._special_method_result(
            Target(symbol.id, instance=True, confidence=target.confidence), "call", lambda item: item
        ):
            return result
        namesakes = self._world.members(symbol.parent).get(symbol.name, ())
        classes = [
            namesake
            for namesake in namesakes
            if namesake.kind == symbol.kind and not namesake.flags & SymbolFlag.STATIC and namesake.file == symbol.file
        ]
        return Target(classes[0].id, instance=True, confidence=target.confidence) if classes else None

    def _result(self, symbol: Symbol) -> Target | None:
        if symbol.kind == SymbolKind.CONSTRUCTOR:
            return SELF_TYPE
        if not symbol.returns:
            return self._read(symbol, symbol.type) if symbol.type else None
        own = _ANNOTATED_SELF.match(symbol.signature)
        language = languages()[self._world.file(symbol.file).language]
        if (
            own
            and symbol.returns.strip("\"' ") == own[2]
            and own[1] in language.receivers.self_words + language.receivers.class_words
        ):
            return SELF_TYPE  # def open(self: T) -> T
        first = language.types.results == "first"
        return self._read(symbol, result_at(symbol.returns, 0) if first else symbol.returns)

    def _read(self, symbol: Symbol, text: str) -> Target | None:
        language = languages()[self._world.file(symbol.file).language]
        if text.removeprefix(EXPRESSION) in language.receivers.self_words or text in language.types.own:
            return SELF_TYPE
        if text.startswith(EXPRESSION):
            result = self.type_of_expression(symbol, text.lstrip("=?"))
            return result.inferred() if result and text.startswith(DOUBTFUL) else result
        return self.type_of_annotation(symbol, text) or (EXTERNAL if self._is_global(symbol, text) else None)

    def type_of_annotation(self, place: Symbol, text: str, owner: int = 0) -> Target | None:
        """Return an instance of the type that the annotation `text` names, as seen where `place` is declared.

        Returns: EXTERNAL if the type lies outside of the repository, None if the text names no useful type. The type of
                 the object itself is an instance of `owner`, or SELF_TYPE without an `owner`.
        """
        # a body may declare types, and the text of a type that is written out depends on its place
        is_own = "{" in text or (place.kind in BODIES and self._world.members(place.id))
        key = (place.file, place.id if is_own else place.parent, text)
        result = self._declared.get_or_compute(key, None, self._read_annotation, place, text)
        return Target(owner, instance=True) if result is SELF_TYPE and owner else result

    def is_of_platform(self, place: Symbol, text: str) -> bool:
        """Whether no file of the repository declares any of the types that the annotation `text` of `place` names: they
        come with the language or its host.
        """
        language = self._world.file(place.file).language
        types = languages()[language].types
        heads = _heads(text, types.transparent)
        return bool(heads) and all(
            head and head not in types.vague and not self._world.named(head, language) for head in heads
        )

    def _is_global(self, place: Symbol, text: str) -> bool:
        """Whether all types that a text may name belong to the language or its host, and nothing of these names is
        declared where `place` is.
        """
        language = languages()[self._world.file(place.file).language]
        heads = _heads(text, language.types.transparent) if language.receivers.globals else ()
        return bool(heads) and all(
            (head in language.receivers.globals or head in language.types.built_in)
            and self._names.expression(place, head) is None
            for head in heads
        )

    def container_method(self, container: Target, name: str) -> Target:
        """The method `name` of the external `container`: it may return the element, or a container of the same
        elements.
        """
        item = container.subscripted or container.element
        deepest = _innermost_element(container.element) or _innermost_element(container.subscripted)
        if item is None or deepest is None:
            return container.external_member
        symbol = self._world.symbol(deepest.symbol or deepest.written[0][0])
        types = languages()[self._world.file(symbol.file).language].types
        if (
            types.sequences
            and container.kind != TargetKind.SEQUENCE
            and not (container.subscripted and (name in types.take or name in types.values))
        ):
            return EXTERNAL
        if name in types.values:
            return method_returning(Target(kind=TargetKind.EXTERNAL, element=item))
        result = (
            method_returning(item)
            if name in types.unwrap or name in types.take
            else method_returning(container)
            if name in types.keep
            else EXTERNAL
        )
        return msgspec.structs.replace(result, callback_value=item) if name in types.visit else result

    def universal_method(self, value: Target, name: str) -> Target | None:
        """The method `name` if every value has it, else None. It returns a value of the type of `value`, or passes such
        a value to a callback.
        """
        types = languages()[self._world.file(self._world.symbol(value.symbol).file).language].types
        result = method_returning(value) if name in types.copy else EXTERNAL if name in types.hand else None
        return msgspec.structs.replace(result, callback_value=value) if result and name in types.hand else result

    def iteration_type(self, target: Target) -> Target | None:
        """Infer the element type of iterating over the value `target`."""
        return (
            target.element
            or self._special_method_result(target, "iterate", lambda result: result.element)
            or external_result(target, None)
        )

    def subscript_type(self, target: Target) -> Target | None:
        """Infer the type of the result of subscripting `target`; a type with type arguments is that type."""
        if target.symbol and not target.instance:
            return target
        return (
            target.subscripted
            or target.element
            or self._special_method_result(target, "item", lambda result: result)
            or external_result(target, None)
        )

    def _special_method_result(
        self, target: Target, how: str, pick: Callable[[Target], Target | None]
    ) -> Target | None:
        """The result of a method that the language calls implicitly on an object."""
        if not target.symbol or not target.instance:
            return None
        words: tuple[str, ...] = getattr(
            languages()[self._world.file(self._world.symbol(target.symbol).file).language].types, how
        )
        for word in words:
            if method := self._names.inheritance.member(target.symbol, word):
                bound_method = method.bound_to(target.symbol, target.confidence, Origin.TYPE)
                result = (
                    self.type_of_target(bound_method)
                    if self._world.symbol(method.symbol).kind == SymbolKind.PROPERTY
                    else self.type_of_call(bound_method)
                )
                return pick(result) if result else None
        return None

    def context_manager_type(self, target: Target) -> Target | None:
        """Infer the type of the value that the context manager `target` binds in its block: its own type, unless its
        method returns another (Python's __enter__).
        """
        if not target.symbol or not target.instance:
            # an iterator of shelves, of which a decorator makes what gives one
            return target.element or target if target.is_external else None
        words = languages()[self._world.file(self._world.symbol(target.symbol).file).language].types.enter
        for word in words:
            if result := self._names.inheritance.member(target.symbol, word):
                return self.type_of_call(result.bound_to(target.symbol, target.confidence, Origin.TYPE))
        return None if words else target

    def _read_annotation(self, place: Symbol, text: str) -> Target | None:
        types = languages()[self._world.file(place.file).language].types
        if types.arrow and types.arrow in text and (result_text := function_result(text, types.arrow)):
            result = self.type_of_annotation(place, result_text)
            return method_returning(result) if result and result is not SELF_TYPE else None
        return self._union(place, union_members(text, types.transparent, objects=bool(types.written_out)))

    def _union(self, place: Symbol, types: Iterable[TypeText]) -> Target | None:
        """An instance of one of several types."""
        result = [self._instance(place, type_) for type_ in types]
        if any(target is SELF_TYPE for target in result):
            return SELF_TYPE
        ours = [target for target in result if target is not None and (target.symbol or target.alternatives)]
        objects = [target for target in result if target is not None and target.written and not target.symbol]
        if not ours and not objects:
            return next(iter(result), None) if None not in result else None
        chosen = (ours[0] if len(result) == 1 + len(objects) else union_of(ours)) if ours else objects[0]
        texts = dict.fromkeys(text for target in (chosen, *objects) if target for text in target.written)
        return msgspec.structs.replace(chosen, written=tuple(texts)) if chosen and texts else chosen

    def _instance(self, place: Symbol, type_text: TypeText) -> Target | None:
        types = languages()[self._world.file(place.file).language].types
        if type_text.name in types.own:
            return SELF_TYPE
        if type_text.name.startswith("{"):
            return structural_type(place.id, type_text.name)
        if type_text.arguments and (special := self._special_form(place, type_text)):
            return special
        target = (
            self._names.expression(place, type_text.name, len(type_text.arguments))
            if type_text.name not in (LIST, MAPPING)
            else EXTERNAL
        )
        if target is None:
            return self._container(place, type_text) if type_text.arguments else None
        if target.outside and type_text.arguments and types.signatures.get(target.outside.name) == ITSELF:
            return self._union(place, unwrap_transparent(type_text.arguments[0], types.transparent))
        if target.is_external:
            return BUILT_IN if target.is_built_in and not type_text.arguments else self._container(place, type_text)
        if not target.symbol:
            return None
        is_type = self._world.symbol(target.symbol).kind in TYPES
        # a variable whose value is a type is another name for it
        type_target = target if is_type else self.type_of_target(target)
        if type_target is None or not type_target.symbol or type_target.instance:
            return None
        symbol = self._world.symbol(type_target.symbol)
        if self._is_alias(symbol) and symbol.id != place.id:
            return self.expand_alias(symbol)
        if symbol.kind in TYPES or self._is_file_type(symbol):
            element = self._element(place, type_text, 0) or self._element_of_named_list(symbol)
            result = Target(symbol.id, instance=True, origin=int(Origin.TYPE), element=element)
            return result.inferred() if self._world.has_local_duplicates(symbol.parent, symbol.name) else result
        return None

    def _is_alias(self, symbol: Symbol) -> bool:
        """Whether a type is an alias of another: it has no members of its own."""
        return symbol.kind == SymbolKind.TYPE and bool(symbol.type) and not self._world.members(symbol.id)

    def _is_file_type(self, symbol: Symbol) -> bool:
        """Whether a symbol is a file of a language whose files are types."""
        is_file = symbol.kind == SymbolKind.FILE
        return is_file and languages()[self._world.file(symbol.file).language].symbols.file_types

    def expand_alias(self, alias: Symbol) -> Target | None:
        """A value of the type that an alias stands for."""
        return self.type_of_annotation(alias, alias.type.removeprefix(EXPRESSION), self._type_around_alias(alias))

    def _type_around_alias(self, alias: Symbol) -> int:
        """The type that an alias of the type itself stands for, in languages whose files are types; else 0."""
        is_bound = languages()[self._world.file(alias.file).language].symbols.file_types
        return self._enclosing_type(alias) if is_bound else 0

    def _element_of_named_list(self, symbol: Symbol) -> Target | None:
        """The element of a list or mapping type that has a name and methods of its own: Go's `type Shelves
        []*Shelf`.
        """
        listed = (
            self.type_of_annotation(symbol, symbol.type) if symbol.kind == SymbolKind.TYPE and symbol.type else None
        )
        return (listed.subscripted or listed.element) if listed and not listed.symbol else None

    def _special_form(self, place: Symbol, type_text: TypeText) -> Target | None:
        """A type, or a function with a known result, that a special word declares: `type[Shelf]`, `Callable[...,
        Shelf]`.
        """
        types, word = languages()[self._world.file(place.file).language].types, type_text.name.rpartition(".")[2]
        if word in types.classes and (element := self._element(place, type_text, 0)):
            classes = [
                Target(member.symbol, confidence=member.confidence, origin=int(Origin.TYPE))
                for member in element.alternatives or (element,)
                if member.symbol
            ]
            return classes[0] if len(classes) == 1 else union_of(classes, instance=False)
        result = self._element(place, type_text, -1) if word in types.functions else None
        return method_returning(result) if result else None

    def _container(self, place: Symbol, type_text: TypeText) -> Target:
        types, element = languages()[self._world.file(place.file).language].types, self._element(place, type_text, 0)
        is_mapping = len(type_text.arguments) > 1 and type_text.name.rpartition(".")[2] in types.mappings
        value = self._element(place, type_text, 1) or EXTERNAL if is_mapping else None
        element = None if is_mapping and types.pairs else element
        kind = TargetKind.SEQUENCE if type_text.name in types.sequences else TargetKind.EXTERNAL
        result = (
            Target(kind=kind, element=element, subscripted=value)
            if element or (value and value is not EXTERNAL)
            else EXTERNAL
        )
        has_extensions = languages()[self._world.file(place.file).language].symbols.extensions
        return (
            msgspec.structs.replace(result, type_name=type_text.name.rpartition(".")[2]) if has_extensions else result
        )

    def _element(self, place: Symbol, type_text: TypeText, number: int) -> Target | None:
        types = languages()[self._world.file(place.file).language].types
        at = -1 if types.last_inside and not number else number
        element = (
            self._union(place, unwrap_transparent(type_text.arguments[at], types.transparent))
            if type_text.arguments
            else None
        )
        if element is SELF_TYPE and (owner := self._enclosing_type(place)):
            element = Target(owner, instance=True, origin=int(Origin.TYPE))
        return (
            element
            if element is not None and (element.symbol or element.element or element.alternatives or element.written)
            else None
        )

    def type_of_expression(self, place: Symbol, text: str) -> Target | None:
        """Infer the type of `text`, a chain of names and calls (`Shelf().first.title`), where `place` is declared; None
        if a step is unknown.
        """
        target: Target | None = None
        language = languages()[self._world.file(place.file).language]
        receivers, has_objects = language.receivers, language.symbols.objects
        steps = _STEP.findall(text)
        uses = (
            uses_of_steps(steps)
            if has_objects
            else calls_of_steps(steps)
            if language.symbols.separate_members
            else [TYPE, *[ANY] * len(steps)]
        )
        if has_objects and steps[0] == CONSTRUCTING:
            del steps[0]
        for number, (step, use) in enumerate(zip(steps, uses, strict=False)):
            if number == 0:
                owner = self._enclosing_type(place) if step in receivers.self_words else 0
                own = self._world.members(place.id).get(step) if place.kind in BODIES else None
                target = Target(owner, instance=True) if owner else BUILT_IN if step == LITERAL else None
                target = target or (
                    self._names.first_by_position(own, Origin.SCOPE)
                    if own
                    else self._names.lookup_in_scope(place, step, use=use)
                )
            elif step == "()" and steps[number - 1] == "()" and target and target.kind == TargetKind.EXTERNAL:
                return None  # an external function has returned a callable: it may be any class, found by its name
            elif step == "()":
                target = self._type_of_call_step(target) if target else None
            else:
                target = self._names.member(target, step, place, use) if target else None
            if target is None or target is SELF_TYPE:
                return None
        return self.type_of_target(target) if target else None

    def _type_of_call_step(self, target: Target) -> Target | None:
        """The result of a call in an expression's text; None for an object, since the text does not name the method
        that is called.
        """
        value = self.type_of_target(target)
        return None if value is not None and value.symbol and value.instance else self.type_of_call(target)

    def _enclosing_type(self, symbol: Symbol) -> int:
        """The innermost type that encloses a symbol; 0 = none."""
        current = symbol.parent
        while current:
            outer = self._world.symbol(current)
            if outer.kind in TYPES or self._is_file_type(outer):
                return outer.id
            current = outer.parent
        return 0


def _has_value(symbol: Symbol) -> bool:
    """Whether a definition is both an interface and a variable of one name."""
    return symbol.kind == SymbolKind.INTERFACE and symbol.type != "" and not symbol.type.startswith(CALL_SIGNATURES)


def _heads(text: str, transparent: tuple[str, ...]) -> list[str]:
    """The first parts of the names of all types that a text may name."""
    return [union_member.name.partition(".")[0] for union_member in union_members(text, transparent)]


def _innermost_element(container: Target | None) -> Target | None:
    """The innermost element of nested containers, where that is of this repository."""
    while container is not None and not container.symbol and not container.written:
        container = container.element
    return container


SELF_TYPE: Final = Target(kind=TargetKind.SELF_TYPE)  # the type through which it was reached: Self, this
