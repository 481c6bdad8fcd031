"""Occurrences of names in one file: the hot loop of extraction.

Most identifiers of a file are local variables; they are dropped here, so that only what other symbols can answer for is
kept.
"""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Container
from operator import attrgetter
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.positions import Places
from codeagentd.extract.scopes import LOCAL, Scope, ScopeTree, Visible, beyond_locals, outermost, tag_of, visible_in
from codeagentd.extract.syntax_nodes import first_of, uncommented
from codeagentd.extract.values.callback_parameters import ArgumentPosition, callback_position
from codeagentd.extract.values.pattern_destructuring import part_of
from codeagentd.extract.values.value_sources import Triple, ValueSources
from codeagentd.languages.language import Language
from codeagentd.model.facts import (
    ARGUMENTS,
    BEYOND,
    BLOCK,
    CALL,
    CALLBACK_PARAMETER,
    CLASS,
    COMPLEX,
    CONSTRUCTED,
    DESTRUCTURED,
    ELEMENT,
    EXPECTED_ARGUMENT,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    INJECTED,
    NAMED,
    PART,
    PLAIN,
    SCOPED,
    SELF,
    SUPER,
    TAG,
    THROUGH_CALL,
    THROUGH_ITEM,
    TYPE_ARGUMENTS,
    WRITTEN,
    ValueSource,
)
from codeagentd.model.facts import LOCAL as LOCAL_RECEIVER
from codeagentd.model.kinds import ReferenceKind

from .call_arguments import argument_of, counted, expressions, labelled, type_arguments, with_block
from .member_operators import NO_RECEIVER, gaps, members_without_dot
from .multi_node_names import irregular
from .object_initializers import UNKNOWN, receivers_of_initialised
from .receiver_expressions import calls, indexed, inner_ends
from .rust_receivers import AWAITED, unwrapped
from .sigil_names import Spelled

SKIP: Final = -1
# what they name is a type, what they give an instance
_CONSTRUCTING: Final = frozenset({"new_expression", "object_creation_expression", "instance_expression"})
_LITERALS: Final = frozenset({"array", "string", "template_string", "number", "regex"})
_CHAINS: Final = frozenset({"identifier", "attribute", "call", "subscript"})
_DOT: Final = ord(".")
_SPACE: Final = frozenset(b" \t\r\n\\")
_MARKS: Final = frozenset(b"?!")
_QUOTES: Final = frozenset(b"\"'`")
_BETWEEN: Final = _SPACE | _MARKS  # what may stand between a receiver and its dot
_APART: Final = _BETWEEN | {_DOT}  # a dot without any of these before it directly follows what its name hangs on
# how grammars call a dot that is no part of a comment or number
_DOTS: Final = frozenset({".", "?.", "optional_chain"})
_BLANK: Final = frozenset(b" \t\\")
_START: Final = attrgetter("start_byte")
_ARGUMENTS: Final = re.compile(rb"(?:[ \t]|\\\r?\n)+\(")
_CALL: Final = int(ReferenceKind.CALL)
_READ: Final = int(ReferenceKind.READ)
_TYPE: Final = int(ReferenceKind.TYPE)
_ARRAY: Final = "array_creation_expression"
_CONVERTING: Final = _CONSTRUCTING | {"cast_expression", _ARRAY}  # what says the type of the value that it gives
_INSIDE: Final = re.compile(r"\[[^\[\]]*\]")
_COLON: Final = ord(":")
_SPECIFIC: Final = {f"ref.{kind.name.lower()}": int(kind) for kind in ReferenceKind}
_REGIONS: Final = {f"region.{kind.name.lower()}": int(kind) for kind in ReferenceKind} | {
    "import": SKIP,
    "region.skip": SKIP,
}


class ReferenceCollector:
    """Collects the references of one file into packed columns (see model.facts).

    `looks_further` says whether a name that nothing in the file binds can mean something; where it cannot, it is no
    reference.
    """

    def __init__(
        self, source: bytes, captures: Captures, root: Node, tree: ScopeTree, skip: set[int], language: Language,
        places: Places, variables: ValueSources, looks_further: bool, hidden: dict[int, int],
        since: dict[tuple[int, bytes], int],
    ) -> None:  # fmt: skip
        self._source = source
        self._captures = captures
        self._root = root
        self._tree = tree
        self._places = places
        self._words = {word.encode(): code for words, code in _receiver_words(language) for word in words}
        self._closed = tuple(word for word in self._words if word.endswith(b")"))  # calls to the grammar
        self._built_in = bool(language.types.built_in)  # then what is asked of them is no reference
        self._beyond = _codes(language.receivers.globals + language.types.built_in, BEYOND)
        self._calls = calls(captures)
        self._generics = inner_ends(captures)
        self._indexed = indexed(captures)
        self._literals = {node.end_byte for node in captures.get("literal", ())}
        self._labels = language.symbols.labels
        self._counts = language.symbols.overloads
        self._typed_values = _typed_values(language, captures)
        self._takes_types = bool(language.arguments)
        self._written = {
            node.byte_range: word for word in language.arguments for node in captures.get(f"argument.{word}", ())
        }
        self._typed_arguments = {node.byte_range for node in captures.get("argument", ())}
        self._extends = language.symbols.extensions or language.symbols.extending_parameters
        self._type_arity = language.symbols.type_arity
        # else names tell which are variables
        self._apart = language.symbols.separate_values and not language.symbols.sigil
        self._separate = language.symbols.separate_types
        self._typed = language.symbols.headers == "parameters"  # every name in the region of a type is a type's
        self._sign = ord(language.symbols.call_sign or "\0")
        self._attributes = _codes(language.types.attributes, BEYOND) | _codes(language.types.type_attributes, CLASS)
        self._passing = _codes(language.types.passing, BEYOND)
        # where a name ends -> receiver code for what hangs on it; of a local variable its binding
        self._ends: dict[int, int] = {UNKNOWN: COMPLEX}
        self._variables = variables
        self._dots = language.symbols.dots
        self._unwraps = language.types.tries
        self._gaps = gaps(source) if self._dots else {}
        self._hidden = hidden  # names that no node stands for, with their ends
        self._joints = tuple(joint.encode() for joint in language.symbols.joints)
        initialised = receivers_of_initialised(captures)
        self._dotless = initialised.receivers | members_without_dot(
            source, captures, self._generics, self._joints, hidden, unwraps=self._unwraps
        )
        self._marks = self._marked() | dict.fromkeys(initialised.of_elements, THROUGH_CALL | THROUGH_ITEM)
        self._hang_on_values()
        self._tags = {
            node.start_byte: tag_of(source[node.start_byte : node.end_byte]) for node in captures.get("tag", ())
        } | {
            node.start_byte: outermost(source[node.start_byte : node.end_byte])
            for node in captures.get("outermost", ())
        }
        self._irregular, types = irregular(captures, source)
        self._types = dict([node.byte_range for node in captures.get("typename", ())]) | types
        for node in captures.get("plain", ()):  # a type to the grammar, which cannot know
            self._types.pop(node.start_byte, None)
        self._spelled = Spelled(source, captures, language.symbols) if Spelled.is_needed(language.symbols) else None
        self._since = since
        self._skip = skip.difference([start for start, _ in variables.destructured])
        self._looks_further = looks_further
        self._scope, self._scopes_seen = tree.file, 1
        self._regions, self._region = self._ranges(), 0
        # a new one is a base of what stands here
        self.names = {name.encode(): number for number, name in enumerate(language.symbols.further_bases)}
        self.numbers: list[int] = []

    def _hang_on_values(self) -> None:
        """Take in the members that hang on no expression: what patterns take out of a value, and what their places say
        the type of.
        """
        for number, ((start, _), bound) in enumerate(
            self._variables.destructured.items()
        ):  # their receivers end nowhere
            self._dotless[start], self._ends[NO_RECEIVER - 1 - number], self._marks[start] = (
                NO_RECEIVER - 1 - number,
                bound,
                DESTRUCTURED,
            )
        for start, (bound, is_element) in self._variables.implied.items():
            nowhere = NO_RECEIVER - 1 - len(self._dotless)
            self._dotless[start], self._ends[nowhere], self._marks[start] = (
                nowhere,
                bound,
                SCOPED | THROUGH_ITEM * is_element,
            )

    def _marked(self) -> dict[int, int]:
        """Where names start -> flags: tags of C, types behind `new`, what takes a value apart, and what hangs on a
        namespace or type.
        """
        marks = {node.start_byte: TAG for node in self._captures.get("tag", ())}
        marks.update((node.start_byte, SCOPED) for node in self._captures.get("outermost", ()))
        marks.update((node.start_byte, CONSTRUCTED) for node in self._captures.get("created", ()))
        marks.update((node.start_byte, 1 << ARGUMENTS) for node in self._captures.get("destructured", ()))
        for node in self._captures.get("generic", ()) if self._type_arity else ():
            name = node.prev_named_sibling
            marks.update({name.start_byte: type_arguments(node) << TYPE_ARGUMENTS} if name else {})
        marks.update(
            {start: SCOPED for start in self._dotless if self._source[start - 1] == _COLON} if self._joints else {}
        )
        return marks

    def _spans(self) -> list[tuple[int, int]]:
        """(start, end) of every identifier that may be a reference, in document order."""
        if self._spelled:
            return self._spelled.spans
        # cheaper than to sort the pairs
        spans = [node.byte_range for node in sorted(self._captures.get("ref", ()), key=_START)]
        members = [node.byte_range for node in self._captures.get("member", ())]
        dotted = [
            (start, end) for start, end in members
            if self._source[start - 1] == _DOT or start in self._dotless or (start in self._gaps and self._receiver_end(start, end) != NO_RECEIVER)
        ]  # fmt: skip
        if self._irregular:
            return sorted((dict([*spans, *dotted, *self._types.items()]) | self._irregular).items())
        more = [*dotted, *self._types.items(), *self._hidden.items(), *self._variables.destructured]
        return sorted({*spans, *more}) if more else spans

    def collect(self) -> None:
        """Walk every identifier once, in document order."""
        kinds = self._kinds()
        called = self._called(kinds)
        source, skip, words, types, odd = (
            self._source,
            self._skip,
            self._words,
            self._types,
            {*self._gaps, *self._dotless},
        )
        ends, names, numbers, starts, column = (
            self._ends,
            self.names,
            self.numbers,
            self._places.starts,
            self._places.column,
        )
        sign, looks_further, plain, following, line, lines, edge = (
            self._sign,
            self._looks_further,
            self._places.is_ascii,
            FIRST_REFERENCE,
            0,
            len(starts),
            0,
        )
        typed, beyond = self._typed, self._beyond
        blank, dot, marks, tags = (
            _BLANK if sign else frozenset(),
            _DOT if self._dots else NO_RECEIVER,
            self._marks,
            self._tags,
        )
        apart = _APART | AWAITED if self._unwraps else _APART
        default = self._spelled.defaults() if self._spelled else dict.fromkeys(types, _TYPE)
        late, passing, built_in, attributes = (
            {name for _, name in self._since},
            bool(self._since) or self._apart,
            self._built_in,
            self._attributes,
        )
        for start, end in self._spans():
            if start in skip:
                continue
            if edge <= start:
                scope, region, edge = self._stretch(start)
                visible, symbol = (
                    visible_in(scope, region, self._separate) if typed else scope.environment,
                    scope.symbol,
                )
            if region == SKIP:
                continue
            name = source[start:end]
            receiver_end = NO_RECEIVER
            if source[start - 1] == dot:
                receiver_end = (
                    self._receiver_end(start, end) if source[start - 2] in apart or start in odd else start - 1
                )
            elif start in odd:
                receiver_end = self._receiver_end(start, end)
            if receiver_end != NO_RECEIVER:
                receiver, binding, flags = ends.get(receiver_end), FREE, marks.get(start, 0)
                if receiver is None or receiver <= LOCAL:
                    receiver, binding, flags = self._receiver(receiver_end, flags)
                if name in attributes or (
                    receiver == BEYOND and (built_in or (receiver_end not in ends and not flags & THROUGH_CALL))
                ):
                    ends[end] = self._always(name, receiver)
                    continue
            else:
                bound, enclosing, key = (
                    None,
                    scope.type_environment if start in types else visible,
                    tags.get(start, name),
                )
                while enclosing and not bound:
                    inside, enclosing = enclosing
                    bound = inside.get(key)
                if passing and bound is not None and (bound <= LOCAL or key in late):
                    bound = self._passed_by(bound, (start, end in called), key, (inside, enclosing))
                if bound is None and looks_further and name not in words:
                    bound = FREE - FIRST_BOUND
                elif bound is None or bound <= LOCAL:
                    ends[end] = words.get(name) or bound or beyond.get(name, COMPLEX)
                    continue
                receiver, binding, flags = PLAIN, FIRST_BOUND + bound, marks.get(start, 0)
            while line < lines and starts[line] <= start:
                line += 1
            ends[end], following = following, following + 1
            next_byte = source[end]
            kind = kinds.get(start) or (
                _CALL if (next_byte == sign or end in called or (next_byte in blank and _ARGUMENTS.match(source, end))) and start not in default
                else region or default.get(start, _READ)
            )  # fmt: skip
            numbers += (
                names.setdefault(name, len(names)), kind, line,
                start - starts[line - 1] if plain else column(start, line), symbol, binding, receiver,
                flags | called.get(end, 0) << ARGUMENTS if kind == _CALL else flags,
            )  # fmt: skip

    def _passed_by(
        self, bound: int, use: tuple[int, bool], name: bytes, enclosing: tuple[dict[bytes, int], Visible]
    ) -> int | None:
        """What a name means that a local variable has, at a place where that is no function or not declared yet; `use`:
        (place, whether it is called).
        """
        start, is_called = use
        if self._apart and is_called:
            return beyond_locals(enclosing[1], name)
        return self._declared_before(start, name, enclosing) if (id(enclosing[0]), name) in self._since else bound

    def _declared_before(self, start: int, name: bytes, enclosing: Visible) -> int | None:
        """What a name is bound to at a place, where the declarations of local variables hold from their ends on."""
        bound = None
        while enclosing and not bound:
            inside, enclosing = enclosing
            bound = inside.get(name)
            if bound is not None and self._since.get((id(inside), name), 0) > start:
                bound = None
        return bound

    def _stretch(self, start: int) -> tuple[Scope, int, int]:
        """(scope, what names do here, where either ends) of an offset; offsets ascend."""
        scopes, at, scope = self._tree.scopes, self._scopes_seen, self._scope
        while at < len(scopes) and scopes[at].start <= start:
            scope, at = scopes[at], at + 1
        while scope.end <= start:
            scope = scope.parent or self._tree.file
        self._scope, self._scopes_seen = scope, at
        edge = min(scope.end, scopes[at].start) if at < len(scopes) else scope.end
        while self._regions[self._region][1] <= start:
            self._region += 1
        region_start, region_end, code = self._regions[self._region]
        return (scope, code, min(edge, region_end)) if region_start <= start else (scope, 0, min(edge, region_start))

    def _receiver_end(self, start: int, end: int) -> int:
        """Where the receiver ends of a name that is not simply joined to it by a dot; NO_RECEIVER when it has none."""
        if start in self._dotless:
            return self._dotless[start]
        source = self._source
        dot = at = start - 1 if source[start - 1] == _DOT else self._gaps[start]
        if source[dot - 1] == _DOT:
            return NO_RECEIVER  # ...rest, 1..9
        while source[at - 1] in _MARKS and not self._unwraps:
            at -= 1
        if dot != start - 1 or source[at - 1] in _SPACE:
            at = self._object_end(dot, end)
        if self._unwraps and at > 0:
            at, tried = unwrapped(source, at)
            self._marks.update({start: THROUGH_ITEM} if tried else {})
            return at
        while at > 0 and source[at - 1] in _BETWEEN:
            at -= 1
        return at

    def _object_end(self, dot: int, end: int) -> int:
        """Where the expression ends that is asked for a member; NO_RECEIVER when the dot ends a comment or a number."""
        sign, node = (
            self._root.descendant_for_byte_range(dot, dot + 1),
            self._root.named_descendant_for_byte_range(dot, end),
        )
        while sign is not None and sign.type in _DOTS and node is not None:
            first = node.child(0)  # there is one: the dot at least
            if first.end_byte <= dot:
                return first.end_byte
            node = node.parent
        return NO_RECEIVER

    def _called(self, kinds: dict[int, int]) -> dict[int, int]:
        """Where each name ends that is called -> 1 + how many arguments it gets, 0 where nobody asks for that."""
        argument_count = labelled if self._labels else functools.partial(counted, self._source)
        results = {
            self._callee(node.start_byte): argument_count(node) if self._counts else 0
            for node in self._captures.get("called", ())
        }
        for node in self._captures.get("called.block", ()):  # a function behind the arguments, or instead of them
            end = self._callee_before(node.start_byte, results)
            results[end] = with_block(results.get(end, 1)) * self._counts
        # one argument without parentheses
        results.update(
            {self._callee(node.start_byte): 2 * self._counts for node in self._captures.get("called.one", ())}
        )
        return results | self._spelled.called(kinds) if self._spelled else results

    def _kinds(self) -> dict[int, int]:
        """Where a name starts -> what the query says of it in particular."""
        kinds = {
            node.start_byte: code for capture, code in _SPECIFIC.items() for node in self._captures.get(capture, ())
        }
        return kinds | self._spelled.kinds if self._spelled else kinds

    def _ranges(self) -> list[tuple[int, int, int]]:
        """Ranges that say what the names inside do; the outermost wins. A sentinel ends the list."""
        results = [
            (node.start_byte, node.end_byte, code)
            for capture, code in _REGIONS.items()
            for node in self._captures.get(capture, ())
        ]
        results.sort(key=lambda item: (item[0], -item[1]))
        flat: list[tuple[int, int, int]] = []
        for item in results:
            if not flat or item[0] >= flat[-1][1]:
                flat.append(item)
        size = len(self._source) + 1
        return [*flat, (size, size + 1, 0)]

    def _receiver(self, end: int, mark: int = 0) -> tuple[int, int, int]:
        """(receiver code, binding, flags with `mark`) of a member name whose receiver ends at `end`."""
        end = self._generics.get(end, end)
        code, flags = self._ends.get(end), 0
        if code is not None and code <= LOCAL:
            return (
                (BEYOND, FREE, mark)
                if self._variables.is_literal(code)
                else (LOCAL_RECEIVER, self._variables.source(code, end), mark)
            )
        if (
            code is None
            and self._closed
            and self._source.endswith(self._closed, 0, end)
            and (result := self._keyword(end))[0] != COMPLEX
        ):
            return result[0], FREE, result[1] | mark
        if code is None and end in self._calls:
            code, binding, flags = self._called_value(self._callee(self._calls[end]))
            return code, binding, flags | mark
        if code is None and end in self._indexed:
            container = self._generics.get(self._indexed[end], self._indexed[end])
            # elements of elements: nobody says
            code, binding, flags = self._receiver(container) if container not in self._indexed else (COMPLEX, FREE, 0)
            return (
                (code, binding, flags | THROUGH_ITEM | mark) if code not in (BEYOND, COMPLEX) else (COMPLEX, FREE, mark)
            )
        if code is None and end in self._typed_values:
            return LOCAL_RECEIVER, self._variables.unnamed(*self._typed_values[end]), mark
        if code is None:
            code, flags = self._keyword(end)
            if code == COMPLEX and (self._source[end - 1] in _QUOTES or end in self._literals) and not self._extends:
                code = BEYOND  # ", ".join
        return code, FREE, flags | mark

    def _always(self, name: bytes, receiver: int) -> int:
        """What hangs on a member that no definition answers for: of what the language brings along,
        or of every object.
        """
        if self._attributes.get(name) == CLASS:
            return CLASS if receiver == SELF else COMPLEX
        return self._attributes.get(name, COMPLEX)

    def _called_value(self, end: int) -> Triple:
        """A call of what ends here, as a receiver."""
        if end in self._calls and end not in self._ends:  # a function behind the arguments
            end = self._callee(self._calls[end])
        code = self._ends.get(end, COMPLEX)
        if code > LOCAL:
            return code, FREE, THROUGH_CALL
        source = self._variables.source(code, end)
        return (LOCAL_RECEIVER, source, THROUGH_CALL) if source else (COMPLEX, FREE, 0)

    def _callee(self, arguments: int) -> int:
        """Where the name ends that stands before the arguments of a call; an operator may end in what joins lines
        elsewhere.
        """
        while arguments and arguments not in self._ends and self._source[arguments - 1] in _SPACE:
            arguments -= 1
        return self._generics.get(arguments, arguments)

    def _callee_before(self, block: int, known: Container[int]) -> int:
        """The same before a function behind the arguments of a call; `known`: where names end that are called."""
        end = self._callee(block)
        while end not in known and end in self._calls:
            end = self._callee(self._calls[end])
        return end

    def _keyword(self, end: int) -> tuple[int, int]:
        """(receiver code, flags) of this, base and their like, which are no identifiers in some grammars; `Shelf.this`
        is an instance of Shelf.
        """
        for word, code in self._words.items():
            start = end - len(word)
            if self._source.endswith(word, 0, end) and not self._source[start - 1 : start].isalnum():
                outer = self._ends.get(start - 1, COMPLEX) if self._dots and self._source[start - 1] == _DOT else None
                return (code, 0) if outer is None else (outer, THROUGH_CALL) if outer > LOCAL else (COMPLEX, 0)
        return COMPLEX, 0

    def call_arguments(self) -> bytes:
        """What the arguments of calls are, as FileFacts.arguments says it; in languages that tell overloads apart by
        that.
        """
        results: dict[int, list[int]] = {}
        for node in sorted(self._captures.get("called", ()), key=_START) if self._takes_types else ():
            code = self._ends.get(self._callee(node.start_byte), COMPLEX)
            if code >= FIRST_REFERENCE:
                arguments, named = expressions(node)
                results[code] = [self._argument_source(argument) for argument in arguments]
                if named is not None:
                    results[code].append(self._variables.unnamed(WRITTEN + NAMED, named))
        for node in sorted(self._captures.get("called.block", ()), key=_START) if self._takes_types else ():
            if (code := self._ends.get(self._callee_before(node.start_byte, self._ends), COMPLEX)) >= FIRST_REFERENCE:
                results.setdefault(code, []).append(self._variables.unnamed(WRITTEN + BLOCK, node))
        return array(
            "I",
            [
                number
                for code, argument_sources in results.items()
                if any(argument_sources)
                for number in (code - FIRST_REFERENCE, len(argument_sources), *argument_sources)
            ],
        ).tobytes()

    def _argument_source(self, argument: Node) -> int:
        """1 + the number of the source that says what an argument is; 0 where nothing does."""
        start, end = argument.byte_range
        if word := self._written.get((start, end)):
            return self._variables.unnamed(WRITTEN + word, argument)
        if argument.type in _CONVERTING and (type_ := argument.child_by_field_name("type")):
            end = end if argument.type == _ARRAY else type_.end_byte
            text = _INSIDE.sub("[]", uncommented(argument, self._source, type_.start_byte, end).partition("{")[0])
            return self._variables.unnamed(" ".join(text.split()), argument)
        if (start, end) not in self._typed_arguments:
            return 0
        code = self._ends.get(end, COMPLEX)
        if code <= LOCAL and argument.child_count == 0:
            return 0 if self._variables.is_literal(code) else self._variables.source(code, end)
        return self._variables.value(argument)

    def sources(self) -> tuple[list[ValueSource], list[str]]:
        """(what the local variables that something was asked of are made of, the texts of declared types)."""
        return self._variables.sources(self._value)

    def _value(self, how: int, node: Node) -> Triple:
        """An expression as a receiver; of a parameter without a type the call that its function is handed to."""
        if how == CALLBACK_PARAMETER:
            return self._callback_parameter(node)
        if how == PART:
            part = part_of(node)
            code = self._ends.get(part.of.end_byte, COMPLEX) if part else COMPLEX
            return (code, FREE, part.number) if part and code >= FIRST_REFERENCE else (COMPLEX, FREE, 0)
        if how == INJECTED:
            # whoever defines it defines what this value is
            self.names.setdefault(self._source[node.start_byte : node.end_byte], len(self.names))
            return 0, 0, 0
        if how == EXPECTED_ARGUMENT:
            callee, number, label = argument_of(node)
            code = self._called_value(self._callee(callee))[0]
            return (
                (code, number, 1 + self.names.setdefault(label, len(self.names)) if label else 0)
                if code >= FIRST_REFERENCE
                else (COMPLEX, 0, 0)
            )
        if node.type in _LITERALS:
            return BEYOND, FREE, 0
        if how == ELEMENT and node.type == "call":
            node = self._passed(node)
        end, last = node.end_byte, node.children[-1] if node.child_count else None
        code, binding, flags = self._receiver(end)
        if code == BEYOND and not self._beyond:
            code = COMPLEX
        if last is not None and (
            self._calls.get(end) == last.start_byte
            or (code == COMPLEX and self._source[last.start_byte : last.start_byte + 1] == b"(")
        ):
            code, binding, flags = self._called_value(self._callee(last.start_byte))
        if node.type in _CONSTRUCTING:
            if code == COMPLEX and (type_ := node.child_by_field_name("type")):  # new Shelf { Size = 3 }
                code, binding, _ = self._receiver(type_.end_byte)
            flags = THROUGH_CALL
        return code, binding, flags

    def _callback_parameter(self, node: Node) -> Triple:
        """The call that a function is given to whose parameter this is, and in which argument."""
        place = callback_position(node)
        for key in place.keys if place else ():
            if key != CALL:
                # whoever defines the member defines what this value is
                self.names.setdefault(key.encode(), len(self.names))
        if not isinstance(place, ArgumentPosition):
            return COMPLEX, 0, 0
        code = self._called_value(self._callee(place.arguments.start_byte))[0]
        return (code, place.argument, 0) if code >= FIRST_REFERENCE else (COMPLEX, 0, 0)

    def _passed(self, call: Node) -> Node:
        """The argument of a call that yields what that one yields: `sorted(shelves)`."""
        callee, *_, arguments = call.children
        if callee.text not in self._passing or self._ends.get(callee.end_byte) not in (COMPLEX, BEYOND):
            return call
        first = first_of(arguments) or call
        return first if first.type in _CHAINS else call

    def columns(self) -> tuple[bool, bytes]:
        """(whether 4 bytes a number are needed, the packed numbers)."""
        try:
            return False, array("H", self.numbers).tobytes()
        except OverflowError:
            return True, array("I", self.numbers).tobytes()


@functools.cache
def _codes(words: tuple[str, ...], code: int) -> dict[bytes, int]:
    """What members of these names of a language hang on; one dictionary for all files."""
    return {word.encode(): code for word in words}


def _typed_values(language: Language, captures: Captures) -> dict[int, tuple[str, Node]]:
    """Where values end whose type the language says -> that type, and the value."""
    types = {word: types[0] for word, types in language.arguments.items() if types} | language.types.literals
    return {
        node.end_byte: (type_, node) for word, type_ in types.items() for node in captures.get(f"literal.{word}", ())
    }


def _receiver_words(language: Language) -> tuple[tuple[tuple[str, ...], int], ...]:
    words = language.receivers
    return (
        (words.self_words, SELF),
        (words.class_words, CLASS),
        (words.super_words, SUPER),
        (language.symbols.keywords, COMPLEX),
    )
