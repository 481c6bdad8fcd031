"""Value sources: the declaration, expression or container from which each local variable, field and function result of
one file gets its value.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.definitions.anonymous_structs import struct_text
from codeagentd.extract.definitions.draft import CALLABLES, Draft
from codeagentd.extract.scopes import FUNCTION, LOCAL, Scope, ScopeTree
from codeagentd.extract.syntax_nodes import children, start_of_type, uncommented
from codeagentd.languages.language import Language
from codeagentd.model.facts import (
    CALLBACK_PARAMETER,
    CONSTRUCTING,
    DECLARED,
    DESTRUCTURED_FROM,
    DOUBTFUL,
    ELEMENT,
    ENTERED,
    EXPECTED,
    EXPRESSION,
    INJECTED,
    LITERAL,
    NARROWED,
    PARAMETER,
    SECOND,
    VALUE,
    ValueSource,
)
from codeagentd.model.kinds import SymbolKind

from .callback_parameters import Expected, callback_position
from .implicit_members import implied
from .narrowing import Narrowing, narrowings_of
from .object_destructuring import destructured_members
from .pattern_destructuring import pattern_origin

FIRST_VARIABLE: Final = LOCAL - 1  # a scope binds a local variable to this minus the variable's number
BEFORE_ALL: Final = -(1 << 40)  # an offset before every other
BUILT_IN: Final = EXPRESSION + LITERAL
_REFERENCE: Final = "reference_type"
_PROPERTY: Final = int(SymbolKind.PROPERTY)
LONGEST: Final = 200  # characters of an expression that is kept as text
DEEPEST: Final = 4  # variables whose values come from each other
LONGEST_READ: Final = 2_000  # bytes of source that such an expression is read from

# a comprehension names its source after the use, SQL the table of an alias
_AFTER_USE: Final = frozenset({ELEMENT, DECLARED})
_PAIRS: Final = (
    ("typed", "type", DECLARED),
    ("converted", "type", DECLARED),
    ("assigned", "value", VALUE),
    ("iterated", "value", ELEMENT),
    ("entered", "value", ENTERED),
    ("second", "value", SECOND),
    ("either", "value", VALUE),
)
_NAME: Final = r"(?:[^\W\d]|\$)[\w$]*(?:\(\))*"
_CHAIN: Final = re.compile(rf"{_NAME}(?:\.{_NAME})*")
_TYPE_NAME: Final = re.compile(r"\*?[\w$]+(?:\.[\w$]+)*")
_NAMED: Final = re.compile(r"""["']?([^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)["']?""")
_JOINTS: Final = re.compile(r"\?\.|!\.|&\.|\?->|->|::")

_HEAD: Final = re.compile(r"[\w$]+")
_PARENTHESIS: Final = re.compile(r"[()]")
# the value may be missing: its type stays
_NOTHING: Final = re.compile(rb"\s*(?:=|:=)\s*(?:None|null|nil|undefined|NULL|nullptr)\b")

_BEFORE_VALUE: Final = (b" ", b"\t", b"\r", b"\n", b"=", b":")

ValueOrigin = tuple[int, Node]  # (how, the type or expression)
# (offset from which a variable has the value, origin, start of its name): `book = book.next` still reads the old one
Place = tuple[int, ValueOrigin, int]
_OPENING: Final = ord("(")
_CALL: Final = "()"
Triple = tuple[int, int, int]  # a value as the columns receiver, binding and flags of a reference


class ValueSources:
    """Collects the origins of the values of one file, and numbers those that references depend on."""

    def __init__(self, captures: Captures, source: bytes, language: Language) -> None:
        self._source = source
        self._objects = language.symbols.objects
        self._structs = language.types.written_out == "structs"
        self._prefixes = language.types.prefixes
        self._bounded = language.symbols.bounded
        self._joined = bool(language.symbols.joints)
        self._bounds: dict[tuple[int, bytes], Node] = {}  # of type parameters, by the scope that has them
        cut = (("generic", ""), ("block", _CALL))
        self._left_out = sorted(
            (*node.byte_range, instead) for capture, instead in cut for node in captures.get(capture, ())
        )
        self._returned = [(VALUE, node) for node in _sorted(captures, "returned")] + [
            (DECLARED, node) for node in captures.get("returned.type", ())
        ]
        self._returned.sort(key=lambda origin: _start(origin[1]))
        self.conversions = dict(
            zip(
                (node.byte_range for node in _sorted(captures, "becomes.name")),
                _sorted(captures, "becomes.type"),
                strict=False,
            )
        )
        self._own = {word.encode() for word in language.receivers.self_words}
        self.origins: dict[int, ValueOrigin] = {}  # by the start of a name that is declared or assigned
        for family, part, how in _PAIRS:
            names, values = (
                _sorted(captures, f"{family}.name"),
                [node for node in _sorted(captures, f"{family}.{part}") if not node.is_extra],
            )
            pairs: list[tuple[int, Node]] = []
            if family == "typed" and language.types.grouped:  # `a, b int`: the type of a name is the next one after it
                starts = [node.start_byte for node in values]
                places = ((name.start_byte, bisect_right(starts, name.start_byte)) for name in names)
                pairs = [(start, values[at]) for start, at in places if at < len(values)]
            elif (
                family == "typed" and language.types.leading and len(names) > len(values)
            ):  # `Shelf a, b`: the type of a name is the last one before it
                starts = [node.start_byte for node in values]
                places = ((name.start_byte, bisect_right(starts, name.start_byte)) for name in names)
                pairs = [(start, values[at - 1]) for start, at in places if at]
            elif len(names) == len(values):  # they come in pairs, except in a broken tree
                pairs = [(name.start_byte, value) for name, value in zip(names, values, strict=True)]
            for start, value in pairs:
                self.origins.setdefault(start, (how, value))  # a declaration precedes an assignment
        self._places: list[list[Place]] = []  # by variable
        for node in [*captures.get("handed", ()), *captures.get("handed.implied", ())]:
            self.origins.setdefault(node.start_byte, (CALLBACK_PARAMETER, node))
        for node in captures.get("injected", ()):
            self.origins.setdefault(node.start_byte, (INJECTED, node))
        for node in captures.get("unpacked", ()):
            if (origin := pattern_origin(node)) is not None:
                self.origins.setdefault(node.start_byte, origin)
        self.destructured = self.destructure(_sorted(captures, "pattern"))
        self.implied = self._imply(captures)
        self.ends = {node.end_byte for how, node in self.origins.values() if how != DECLARED}
        self._sources: dict[tuple[int, int], int] = {}
        # (variable, origin, number of the source that a test narrows, whether there are others)
        self._requested: list[tuple[int, ValueOrigin, int, bool]] = []
        self._types: dict[str, int] = {}  # sources of values without a name, by their types
        self._narrowings: dict[int, list[Narrowing]] = {}
        # names that get one of several values
        self._either = {node.start_byte for node in captures.get("either.name", ())}
        self._literals = {node.start_byte for node in captures.get("literal.name", ())}
        self._literal: set[int] = set()  # variables that are set to a literal
        self._sorted: set[int] = set()  # variables whose places are in order
        self._doubtful: set[int] = set()  # variables that also get unknown values

    def destructure(self, patterns: list[Node]) -> dict[tuple[int, int], int]:
        """Return a dictionary from the range of each member that one of `patterns` names to the binding of its object.

        Such a binding is like that of a local variable. The variables that patterns declare get the members as origins.
        """
        results: dict[tuple[int, int], int] = {}
        known: dict[int, int] = {}  # by the id of the node of the object
        for key, local, (how, node) in destructured_members(patterns):
            if node.id not in known:
                known[node.id] = FIRST_VARIABLE - len(self._places)
                self._places.append([(BEFORE_ALL, (how, node), BEFORE_ALL)])
            results[key.start_byte, key.end_byte] = known[node.id]
            if local is not None:
                self.origins.setdefault(local.start_byte, (DESTRUCTURED_FROM, key))
        return results

    def _imply(self, captures: Captures) -> dict[int, tuple[int, bool]]:
        """Return the start of each implicit member -> the binding of its type, which is like a local variable's, and
        whether the member belongs to the element type.
        """
        results: dict[int, tuple[int, bool]] = {}
        for name, origin, is_element in implied(captures):
            results[name.start_byte] = FIRST_VARIABLE - len(self._places), is_element
            self._places.append([(BEFORE_ALL, origin, BEFORE_ALL)])
        return results

    def record_value(self, scope: Scope, name: bytes, start: int) -> None:
        """Record that the local variable `name` of `scope` is declared or assigned at `start`."""
        how, node = self.origins[start]
        if how == DECLARED and not self._bounded and (bounds := self._of_parameter(scope, node)) is not None:
            if not bounds:
                return  # a type parameter without a bound
            node = bounds[0]
            further = self._of_parameter(scope, node)  # T extends U
            node = further[0] if further else node
        variable = self._number(scope, name)
        if (
            variable >= 0
            and how == CALLBACK_PARAMETER
            and self._places[variable]
            and self._places[variable][0][1][0] == CALLBACK_PARAMETER
        ):
            return  # each use of an implicit parameter gives the same value
        if variable >= 0:
            if start in self._either:
                self._doubtful.add(variable)
            self._places[variable].append((start if how == DECLARED else max(start, node.end_byte), (how, node), start))

    def record_conversion(self, scope: Scope, name: bytes, start: int, type_: Node) -> None:
        """Record that a call at `start` turns the local variable `name` of an enclosing function into an object of
        `type_`.
        """
        enclosing: Scope | None = scope
        while enclosing is not None and enclosing.parent is not None:
            if enclosing.names.get(name, 0) <= LOCAL and name in enclosing.names:
                self.origins[start] = (DECLARED, type_)
                self.record_value(enclosing, name, start)
                return
            enclosing = enclosing.parent

    def record_unknown(self, scope: Scope, name: bytes, start: int, is_first: bool) -> None:
        """Record that the local variable `name` gets an unknown value, or a literal, at `start`. From there on its type
        may be another one.

        A variable that first gets a literal is no object of the repository, unless it also gets another value.
        """
        end, is_literal = start + len(name), start in self._literals
        if is_first and not is_literal and not self._source.startswith(_BEFORE_VALUE, end):
            return
        is_nothing = _NOTHING.match(self._source, end) is not None
        if is_first and (is_literal or is_nothing):
            self._number(scope, name)
        if scope.names[name] < LOCAL and not is_nothing:
            (self._literal if is_literal else self._doubtful).add(FIRST_VARIABLE - scope.names[name])

    def record_shared(self, scope: Scope | None, name: bytes) -> None:
        """Record that an inner function assigns the local variable `name`, which `scope` or a scope around
        it declares.
        """
        while scope is not None and scope.parent is not None:
            if name in scope.names:
                if scope.names[name] < LOCAL:
                    self._doubtful.add(FIRST_VARIABLE - scope.names[name])
                return
            scope = scope.parent

    def is_literal(self, bound: int) -> bool:
        """Whether the local variable with the binding `bound` only ever has literals as values."""
        variable = FIRST_VARIABLE - bound
        return (
            variable in self._literal
            and variable not in self._doubtful
            and not self._places[variable]
            and variable not in self._narrowings
        )

    def bind_type(self, scope: Scope, name: bytes, start: int, bound: Node) -> None:
        """Record that the type parameter `name` has the bound `bound`. Where types have members of their own,
        `T::Item`, these are members of the bound.
        """
        self._bounds[id(scope), name] = bound
        if self._joined and self._of_parameter(scope, bound) is None:
            self.origins[start] = (DECLARED, bound)
            self.record_value(scope, name, start)
            scope.types[name] = scope.names[name]

    def _of_parameter(self, scope: Scope | None, type_: Node) -> tuple[Node, ...] | None:
        """Return the bound of a declared type that is only the name of a type parameter, () without a bound; None for
        any other type.
        """
        while type_.type == _REFERENCE and (inner := type_.child_by_field_name("type")):  # Rust: &T
            type_ = inner
        name = self._source[type_.start_byte : type_.end_byte]
        while scope is not None and scope.parent is not None and name.isalnum():
            if name in scope.types:
                bound = self._bounds.get((id(scope), name))
                return None if scope.types[name] > LOCAL else (bound,) if bound else ()
            scope = scope.parent
        return None

    def _number(self, scope: Scope, name: bytes) -> int:
        """Return the number of a local variable; a negative one for other names."""
        if scope.names.get(name, 0) == LOCAL:
            scope.names[name] = FIRST_VARIABLE - len(self._places)
            self._places.append([])
        return FIRST_VARIABLE - scope.names.get(name, 0)

    def record_narrowings(self, captures: Captures, tree: ScopeTree) -> None:
        """Record the narrowings of local variables. It is called after all names are bound."""
        if "narrowed.name" in captures or "narrowed.branch" in captures:
            for scope, name, narrowings in narrowings_of(captures, self._source, tree, self.origins):
                if (variable := self._number(scope, name)) >= 0:
                    self._narrowings[variable] = narrowings

    def source(self, bound: int, start: int) -> int:
        """Return 1 + the number of the last source before the offset `start` of the variable with the binding `bound`;
        0 if none is known.
        """
        if bound == LOCAL:
            return 0
        variable = FIRST_VARIABLE - bound
        number = self._last(variable, start)
        for narrowing in self._narrowings.get(variable, ()):
            if narrowing.start < start <= narrowing.end:
                key = (id(narrowing), number)
                if key not in self._sources:
                    self._requested.append((variable, (NARROWED, narrowing.type), number, not narrowing.is_certain))
                    self._sources[key] = len(self._requested)
                number = self._sources[key]
        return number

    def _last(self, variable: int, start: int) -> int:
        """Return the last source before an offset, numbered as in `source`."""
        places = self._places[variable]
        if not places:
            return 0
        if len(places) > 1 and variable not in self._sorted:
            places.sort(key=_place)
            self._sorted.add(variable)  # all places are recorded before the first use is looked up
        at = bisect_right(places, start, key=_place)
        if not at and (places[0][2] <= start or places[0][1][0] in _AFTER_USE):  # a closure in its own value
            at = 1
        if not at:
            return 0
        key = (variable, at - 1)
        if key not in self._sources:
            self._requested.append((variable, places[at - 1][1], 0, len(places) > 1 or variable in self._doubtful))
            self._sources[key] = len(self._requested)
        return self._sources[key]

    def has_value(self, number: int) -> bool:
        """Whether the source with this number, from 1, is an expression, and no declaration."""
        return self._requested[number - 1][1][0] in (VALUE, ELEMENT)

    def typed_source(self, type_: str, node: Node) -> int:
        """Return 1 + the number of the source of the unnamed value `node`, such as a literal, of the type `type_`."""
        if type_ not in self._types:
            self._requested.append((len(self._places), (DECLARED, node), 0, False))
            self._places.append([])
            self._types[type_] = len(self._requested)
        return self._types[type_]

    def expression_source(self, node: Node) -> int:
        """Return 1 + the number of the source of the unnamed value `node`, by its expression."""
        self._requested.append((len(self._places), (VALUE, node), 0, False))
        self._places.append([])
        return len(self._requested)

    def sources(self, evaluate: Callable[[int, Node], Triple]) -> tuple[list[ValueSource], list[str]]:
        """Return (the numbered sources, the texts of declared types). `evaluate` returns the receiver that an origin
        stands for.
        """
        texts: dict[str, int] = {}
        rows = []
        unnamed = {number - 1: type_ for type_, number in self._types.items()}
        for number, (variable, (how, node), narrowed, many) in enumerate(self._requested):
            if how in (DECLARED, NARROWED, INJECTED):
                text = unnamed.get(number) or self._text(node)
                # a narrowing test at this place
                is_name = how == INJECTED or (how == NARROWED and _TYPE_NAME.fullmatch(text) is not None)
                triple = (texts.setdefault(text, len(texts)), narrowed, evaluate(how, node)[0] if is_name else 0)
            elif how == CALLBACK_PARAMETER:
                how, triple = self._callback_parameter(node, evaluate(how, node), texts)
            else:
                triple = evaluate(how, node)
            rows.append(ValueSource(variable, how, *triple, many=many))
        return rows, list(texts)

    def _callback_parameter(self, name: Node, called: Triple, texts: dict[str, int]) -> tuple[int, Triple]:
        """Return the source of a parameter of a function that is an argument, or whose type the context declares."""
        place = callback_position(name)
        if place is None:
            return CALLBACK_PARAMETER, called
        text = ".".join(place.keys) or (place.label if not isinstance(place, Expected) else "")
        parameter = place.parameter | (1 + texts.setdefault(text, len(texts)) if text else 0) << PARAMETER
        if isinstance(place, Expected):
            return EXPECTED, (texts.setdefault(self._text(place.type), len(texts)), 0, parameter)
        return CALLBACK_PARAMETER, (called[0], called[1], parameter)

    def infer_types(self, drafts: Iterable[Draft], tree: ScopeTree) -> None:
        """Set the types of fields and variables in `drafts` without a declared type to those of their values, and the
        results of functions without a declared result to those of the values that they return.
        """
        waiting = {
            start: draft
            for draft in drafts
            if (draft.is_value or draft.kind == _PROPERTY) and not draft.type
            for start in (draft.name_start, *[place.name_start for place in draft.more], *draft.sets)
            if start in self.origins or start in self._literals or draft.sets
        }
        values: dict[int, tuple[Draft, list[str]]] = {}
        starts = sorted(waiting)
        for start, scope in zip(starts, tree.locate(starts), strict=True):
            draft = waiting[start]
            if start in self.origins:
                text = self._source_text(self.origins[start], scope)
            else:
                text = BUILT_IN if start in self._literals else ""
            if start in self._either and text.startswith(EXPRESSION):
                text = DOUBTFUL + text.removeprefix(EXPRESSION)
            if start in self.origins and self.origins[start][0] == DECLARED:
                draft.type = draft.type or text
            elif text or not _NOTHING.match(self._source, start + len(draft.name)):
                values.setdefault(id(draft), (draft, []))[1].append(text)
        for draft, texts in values.values():
            draft.type = draft.type or _settled(texts)
        results: dict[int, tuple[Draft, set[str]]] = {}
        for origin, scope in zip(
            self._returned, tree.locate([node.start_byte for _, node in self._returned]), strict=True
        ):
            if (owner := _function(scope)) and owner.kind in CALLABLES and owner.returns is None:
                results.setdefault(id(owner), (owner, set()))[1].add(self._source_text(origin, scope))
        for owner, returned in results.values():
            if len(returned) == 1:
                owner.type = returned.pop()

    def _source_text(self, origin: ValueOrigin, scope: Scope, depth: int = 0) -> str:
        """Return a declared type as written, or an expression after EXPRESSION, in which the origin of a local variable
        replaces the variable.
        """
        how, node = origin
        if how == DECLARED:
            return self._text(node)
        if how != VALUE or depth > DEEPEST:
            return ""
        text = self._chain(node)
        head = _HEAD.match(text)
        bound = _lookup(scope, name) if head and (name := head[0].encode()) not in self._own else 0
        if bound == LOCAL:
            return ""
        if bound < LOCAL and head:
            places, rest = self._places[FIRST_VARIABLE - bound], text[head.end() :]
            if not places:
                return BUILT_IN if not rest and self.is_literal(bound) else ""
            origin = places[-1][1]
            if len(places) > 1 or FIRST_VARIABLE - bound in self._doubtful:
                return ""
            # an expression stays within this file
            text_of_source = (
                f"{EXPRESSION}{head[0]}()" if origin[0] == INJECTED else self._source_text(origin, scope, depth + 1)
            )
            text = self._member_chain(text_of_source, rest) if rest else text_of_source
            return text if len(text) <= LONGEST else ""
        return EXPRESSION + text if text and len(text) <= LONGEST else ""

    def _member_chain(self, text: str, rest: str) -> str:
        """Return the text of a source followed by a chain of members. The members of a declared type are those of its
        objects.
        """
        if text.startswith(EXPRESSION):
            return text + rest if text != BUILT_IN else ""
        named = _NAMED.fullmatch(text)
        return f"{EXPRESSION}{CONSTRUCTING + '.' if self._objects else ''}{named[1]}(){rest}" if named else ""

    def _text(self, node: Node) -> str:
        if node.type == "tuple":  # isinstance(x, (Shelf, Box))
            return " | ".join([self._text(child) for child in children(node)])
        if self._structs and (struct := struct_text(node, self._source)):
            return struct
        start = start_of_type(node, self._prefixes)
        return " ".join(uncommented(node, self._source, start, min(node.end_byte, start + LONGEST_READ)).split())

    def _bare(self, node: Node) -> str:
        """Return the text of an expression without type arguments and blocks; '' for a long one.

        A block after a name is a call; a block after arguments is one of them.
        """
        first, last = bisect_left(self._left_out, (node.start_byte,)), bisect_left(self._left_out, (node.end_byte,))
        text, at, length = "", node.start_byte, 0
        for start, end, instead in [*self._left_out[first:last], (node.end_byte, node.end_byte, "")]:
            if start < at:
                continue  # inside of another
            length += start - at
            if length > LONGEST_READ:
                return ""
            text = f"{text}{uncommented(node, self._source, at, start)}".rstrip()
            text += instead if not text.endswith(")") else ""
            at = end
        return " ".join(text.split())

    def _chain(self, node: Node) -> str:
        """Return an expression without white space and arguments, `Shelf().first`; '' when it has other parts than
        names and calls.
        """
        text, arguments = self._bare(node), node.child_by_field_name("arguments")
        if arguments is not None and self._source[arguments.start_byte] != _OPENING:  # Ruby: `Shelf.new width`
            text = f"{text.removesuffix(self._text(arguments))}()"
        text = _JOINTS.sub(".", _without_arguments(text.removeprefix("new ")))
        text = "".join(text.split())
        if self._objects and self._source.startswith(b"new ", node.start_byte):
            text = f"{CONSTRUCTING}.{text}"
        return text if _CHAIN.fullmatch(text) else ""


def _settled(texts: list[str]) -> str:
    """Return the type of a name that gets these values in order: the first one that is known, marked as doubtful where
    an unknown one precedes it.
    """
    known = next((text for text in texts if text not in ("", BUILT_IN)), "")
    if not known:
        return BUILT_IN if texts and all(texts) else ""
    is_sure = texts[0] == known or known.startswith(DOUBTFUL) or not known.startswith(EXPRESSION)
    return known if is_sure else DOUBTFUL + known.removeprefix(EXPRESSION)


def _without_arguments(text: str) -> str:
    """Return the text without the content of outer parentheses."""
    outside, depth, at = "", 0, 0
    for match in _PARENTHESIS.finditer(text):
        end = match.end()
        is_opening = match[0] == "("
        if depth <= 0:
            outside += text[at:end]
        elif depth == 1 and not is_opening:
            outside += ")"
        depth += 1 if is_opening else -1
        at = end
    return outside + text[at:] if depth <= 0 else outside


def _lookup(scope: Scope | None, name: bytes) -> int:
    """Return the binding of a name in the enclosing functions; 0 without one."""
    while scope is not None and scope.parent is not None:
        if bound := scope.names.get(name, 0):
            return bound
        scope = scope.parent
    return 0


def _function(scope: Scope | None) -> Draft | None:
    """Return the enclosing function, when it is a definition."""
    while scope is not None and scope.kind != FUNCTION:
        scope = scope.parent
    if scope is not None and scope.owner is None and scope.parent is not None and scope.parent.end == scope.end:
        scope = scope.parent  # const lend = () => …: the definition that contains the function
    return scope.owner if scope is not None and isinstance(scope.owner, Draft) else None


def _sorted(captures: Captures, capture: str) -> list[Node]:
    nodes = captures.get(capture, [])
    nodes.sort(key=_start)
    return nodes


def _start(node: Node) -> int:
    return node.start_byte


def _place(entry: Place) -> int:
    return entry[0]
