"""What type a value has: declared, constructed, returned, or read from something whose type is known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, Confidence, Origin, SymbolKind

from .namesakes import is_called_by_name
from .targets import EXTERNAL, SEQUENCE, Target, method_giving, one_of
from .typetext import TypeText, alternatives, first_result, seen_through
from .world import Symbol

if TYPE_CHECKING:
    from .names import Names

EXPRESSION: Final = "="  # how a type text begins that is no declaration but the value itself: `=Shelf().first`
_VALUES: Final = frozenset({SymbolKind.FIELD, SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER, SymbolKind.EVENT})
_BODIES: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_STEP: Final = re.compile(r"[^.()\s]+|\(\)")
_ANNOTATED_SELF: Final = re.compile(r"\(\s*\w+\s*:\s*(?:(?:typing\.)?[Tt]ype\[\s*)?[\"']?([^\W\d]\w*)")
INFERRED: Final = int(Confidence.INFERRED)


class Values:
    """Follows declarations and expressions from symbol to symbol; every answer is remembered, and a cycle has none."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._world = names.world
        self._values: dict[int, Target | None] = {}
        self._results: dict[int, Target | None] = {}
        self._declared: dict[tuple[int, int, str], Target | None] = {}

    def behind(self, target: Target) -> Target | None:
        """What stands behind a target when something is asked of it: of a variable its value, of everything else itself."""
        if not target.symbol or target.instance:
            return target
        symbol = self._world.symbol(target.symbol)
        if is_called_by_name(symbol) and languages()[self._world.file(symbol.file).language].symbols.uniform_access:
            return self.result(target)
        if symbol.kind not in _VALUES and not (symbol.kind == SymbolKind.INTERFACE and symbol.type):  # an interface and a variable of one name
            return target
        value = self.value(symbol, target.owner)
        return value.after(target) if value else None

    def value(self, symbol: Symbol, owner: int = 0) -> Target | None:
        """The value of a variable, field, property or enum member; `owner` is the type that was asked for it."""
        if symbol.kind == SymbolKind.ENUM_MEMBER:
            return Target(symbol.parent, instance=True) if symbol.parent else None
        if symbol.id not in self._values:
            self._values[symbol.id] = None  # a cycle has no answer
            self._values[symbol.id] = self._value(symbol)
        found = self._values[symbol.id]
        return Target(owner, instance=True) if found is OWNER and owner else None if found is OWNER else found

    def _value(self, symbol: Symbol) -> Target | None:
        text = symbol.returns or symbol.type
        return self._read(symbol, text) if text else None

    def result(self, target: Target) -> Target | None:
        """What calling a target gives."""
        if target.instance or not target.symbol:
            return target.gives or EXTERNAL if target.is_external else None
        symbol = self._world.symbol(target.symbol)
        if symbol.kind in TYPES and not (symbol.kind == SymbolKind.INTERFACE and symbol.returns):  # a function may have the name of an interface
            return Target(symbol.id, instance=True, confidence=target.confidence)
        if symbol.kind == SymbolKind.FIELD and symbol.parent and self._world.symbol(symbol.parent).kind == SymbolKind.RECORD:
            return self.behind(target)  # the accessor of a record's component
        if symbol.kind in _VALUES or symbol.kind in SCOPES_OF_NAMES:
            held = self.behind(target)
            return self.result(held) if held and held.symbol and not held.instance and held.symbol != target.symbol else None
        if symbol.id not in self._results:
            self._results[symbol.id] = None
            self._results[symbol.id] = self._result(symbol)
        found = self._results[symbol.id]
        if found is OWNER:
            owner = target.owner or self._type_around(symbol)
            found = Target(owner, instance=True) if owner else None
        return found.after(target) if found else None

    def _result(self, symbol: Symbol) -> Target | None:
        if symbol.kind == SymbolKind.CONSTRUCTOR:
            return OWNER
        if not symbol.returns:
            return self._read(symbol, symbol.type) if symbol.type.startswith(EXPRESSION) else None
        own = _ANNOTATED_SELF.match(symbol.signature)
        if own and symbol.returns.strip("\"' ") == own[1]:
            return OWNER  # def open(self: T) -> T
        first = languages()[self._world.file(symbol.file).language].types.results == "first"
        return self._read(symbol, first_result(symbol.returns) if first else symbol.returns)

    def _read(self, symbol: Symbol, text: str) -> Target | None:
        language = languages()[self._world.file(symbol.file).language]
        if text.removeprefix(EXPRESSION) in language.receivers.self_words or text in language.types.own:
            return OWNER
        if text.startswith(EXPRESSION):
            return self.expression(symbol, text[1:])
        return self.declared(symbol, text)

    def declared(self, place: Symbol, text: str, owner: int = 0) -> Target | None:
        """An instance of what a declaration says, read where `place` is declared.

        Returns: EXTERNAL when that lies outside the repository, None when it says nothing useful; OWNER for the type of the object itself, unless
        `owner` says which that is.
        """
        key = (place.file, place.id if place.kind in _BODIES and self._world.members(place.id) else place.parent, text)  # a body may declare types
        if key not in self._declared:
            self._declared[key] = None
            self._declared[key] = self._choose(place, text)
        found = self._declared[key]
        return Target(owner, instance=True) if found is OWNER and owner else found

    def is_of_platform(self, place: Symbol, text: str) -> bool:
        """Whether no file of the repository declares any of the types that a text may mean: they come with the language or its host."""
        types = languages()[self._world.file(place.file).language].types
        heads = [one.name.partition(".")[0] for one in alternatives(text, types.transparent)]
        return bool(heads) and all(head and head not in types.vague and not self._world.named(head) for head in heads)

    def inside(self, container: Target, name: str) -> Target:
        """A method of a container from outside: it may give what is inside, or one with the same inside."""
        held = deepest = container.element
        while deepest is not None and not deepest.symbol:
            deepest = deepest.element
        if held is None or deepest is None:
            return EXTERNAL
        types = languages()[self._world.file(self._world.symbol(deepest.symbol).file).language].types
        if types.sequences and container.namespace != SEQUENCE:
            return EXTERNAL
        found = method_giving(held) if name in types.unwrap else method_giving(container) if name in types.keep else EXTERNAL
        return msgspec.structs.replace(found, hands=held) if name in types.visit else found

    def copied(self, value: Target, name: str) -> Target | None:
        """A method that every value has and that gives one of its own type."""
        types = languages()[self._world.file(self._world.symbol(value.symbol).file).language].types
        return method_giving(value) if name in types.copy else None

    def element(self, target: Target) -> Target | None:
        """What iterating over a value yields."""
        return EXTERNAL if target.is_external and target.element is None else target.element

    def entered(self, target: Target) -> Target | None:
        """What a value gives to the block that it guards: itself, unless a method of its says otherwise (Python's __enter__)."""
        if not target.symbol or not target.instance:
            return target if target.is_external else None
        words = languages()[self._world.file(self._world.symbol(target.symbol).file).language].types.enter
        for word in words:
            if found := self._names.inheritance.member(target.symbol, word):
                return self.result(found.of(target.symbol, target.confidence, Origin.TYPE))
        return None if words else target

    def _choose(self, place: Symbol, text: str) -> Target | None:
        types = languages()[self._world.file(place.file).language].types
        found = [self._instance(place, one) for one in alternatives(text, types.transparent)]
        if any(one is OWNER for one in found):
            return OWNER
        ours = [one for one in found if one is not None and one.symbol]
        if not ours:
            return next((one for one in found if one is not None), None) if None not in found else None
        if len({one.symbol for one in ours}) > 1:
            return one_of(ours)
        return ours[0] if len(found) == 1 else ours[0].inferred()

    def _instance(self, place: Symbol, one: TypeText) -> Target | None:
        if one.name in languages()[self._world.file(place.file).language].types.own:
            return OWNER
        target = self._names.expression(place, one.name) if one.name != "[]" else EXTERNAL
        if target is None:
            return self._container(place, one) if one.arguments else None
        if target.is_external:
            return self._container(place, one)
        if not target.symbol:
            return None
        is_type = self._world.symbol(target.symbol).kind in TYPES
        held = target if is_type else self.behind(target)  # a variable that holds a type is another name for it
        if held is None or not held.symbol or held.instance:
            return None
        symbol = self._world.symbol(held.symbol)
        if symbol.kind == SymbolKind.TYPE and symbol.type and symbol.id != place.id and not self._world.members(symbol.id):
            return self.declared(symbol, symbol.type.removeprefix(EXPRESSION))
        if symbol.kind in TYPES:
            return Target(symbol.id, instance=True, origin=int(Origin.TYPE), element=self._element(place, one))
        return None

    def _container(self, place: Symbol, one: TypeText) -> Target:
        element = self._element(place, one)
        kind = SEQUENCE if one.name in languages()[self._world.file(place.file).language].types.sequences else EXTERNAL.namespace
        return Target(namespace=kind, element=element) if element else EXTERNAL

    def _element(self, place: Symbol, one: TypeText) -> Target | None:
        types = languages()[self._world.file(place.file).language].types
        inner = seen_through(one.arguments[0], types.transparent) if one.arguments else None
        element = self._instance(place, inner) if inner else None
        if element is OWNER and (owner := self._type_around(place)):
            element = Target(owner, instance=True, origin=int(Origin.TYPE))
        return element if element is not None and (element.symbol or element.element) else None

    def expression(self, place: Symbol, text: str) -> Target | None:
        """The value of a chain of names and calls, read where `place` is declared: `Shelf().first.title`."""
        target: Target | None = None
        receivers = languages()[self._world.file(place.file).language].receivers
        for number, step in enumerate(_STEP.findall(text)):
            if number == 0:
                owner = self._type_around(place) if step in receivers.self_words else 0
                target = Target(owner, instance=True) if owner else self._names.visible(place, step)
            elif step == "()":
                target = self.result(target) if target else None
            else:
                target = self._names.member(target, step, place) if target else None
            if target is None or target is OWNER:
                return None
        return self.behind(target) if target else None

    def _type_around(self, symbol: Symbol) -> int:
        """The innermost type that encloses a symbol; 0 = none."""
        current = symbol.parent
        while current:
            outer = self._world.symbol(current)
            if outer.kind in TYPES:
                return outer.id
            current = outer.parent
        return 0


OWNER: Final = Target(namespace="\x00owner")  # the type through which it was reached: Self, this
