"""Receiver codes: what the receiver of a member is, by the position at which the receiver ends."""

from __future__ import annotations

import functools
from collections.abc import Container
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.scopes import LOCAL
from codeagentd.extract.values.value_sources import Triple, ValueSources
from codeagentd.languages.language import Language
from codeagentd.model.facts import BUILT_IN_RECEIVER, CLASS, COMPLEX, FREE, SELF, SUPER, THROUGH_CALL, THROUGH_ITEM
from codeagentd.model.facts import LOCAL as LOCAL_RECEIVER

from .object_initializers import UNKNOWN
from .parsed_file import ParsedFile
from .receiver_expressions import calls, indexed, inner_ends

_DOT: Final = ord(".")
_SPACE: Final = frozenset(b" \t\r\n\\")
_QUOTES: Final = frozenset(b"\"'`")


class Receivers:
    """The receivers of one file's members. The collector adds to them as it visits the names in document order.

    `ends`: the end of a name -> the receiver code of its members; for a local variable its binding.
    """

    def __init__(self, file: ParsedFile, variables: ValueSources) -> None:
        language = file.language
        self._source = file.source
        self.variables = variables
        self.ends: dict[int, int] = {UNKNOWN: COMPLEX}
        self.words = {word.encode(): code for words, code in _receiver_words(language) for word in words}
        self.built_in = codes_of(language.receivers.globals + language.types.built_in, BUILT_IN_RECEIVER)
        self.inner_ends = inner_ends(file.captures)
        self._closed = tuple(word for word in self.words if word.endswith(b")"))  # calls to the grammar
        self._calls = calls(file.captures)
        self._indexed = indexed(file.captures)
        self._literals = {node.end_byte for node in file.captures.get("literal", ())}
        self._typed_values = _typed_values(language, file.captures)
        self._extends = language.symbols.extensions or language.symbols.extending_parameters
        self._dots = language.symbols.dots

    def receiver(self, end: int, mark: int = 0) -> Triple:
        """Return (receiver code, binding, flags with `mark`) for a member whose receiver ends at the offset `end`."""
        end = self.inner_ends.get(end, end)
        code, flags = self.ends.get(end), 0
        if code is not None and code <= LOCAL:
            if self.variables.is_literal(code):
                return BUILT_IN_RECEIVER, FREE, mark
            return LOCAL_RECEIVER, self.variables.source(code, end), mark
        if code is None and self._closed and self._source.endswith(self._closed, 0, end):
            code, flags = self._keyword(end)
            if code != COMPLEX:
                return code, FREE, flags | mark
            code = None
        if code is None and end in self._calls:
            code, binding, flags = self.called_value(self.callee(self._calls[end]))
            return code, binding, flags | mark
        if code is None and end in self._indexed:
            return self._element(end, mark)
        if code is None and end in self._typed_values:
            return LOCAL_RECEIVER, self.variables.typed_source(*self._typed_values[end]), mark
        if code is None:
            code, flags = self._keyword(end)
            if code == COMPLEX and (self._source[end - 1] in _QUOTES or end in self._literals) and not self._extends:
                code = BUILT_IN_RECEIVER  # ", ".join
        return code, FREE, flags | mark

    def _element(self, end: int, mark: int) -> Triple:
        """Return the receiver of a member of `shelves[0]`; elements of elements have no known type."""
        container = self.inner_ends.get(self._indexed[end], self._indexed[end])
        if container in self._indexed:
            return COMPLEX, FREE, mark
        code, binding, flags = self.receiver(container)
        return (
            (COMPLEX, FREE, mark)
            if code in (BUILT_IN_RECEIVER, COMPLEX)
            else (code, binding, flags | THROUGH_ITEM | mark)
        )

    def called_value(self, end: int) -> Triple:
        """Return (receiver code, binding, flags) for a member of the result of calling the expression that ends at the
        offset `end`.
        """
        if end in self._calls and end not in self.ends:  # a function after the arguments
            end = self.callee(self._calls[end])
        code = self.ends.get(end, COMPLEX)
        if code > LOCAL:
            return code, FREE, THROUGH_CALL
        source = self.variables.source(code, end)
        return (LOCAL_RECEIVER, source, THROUGH_CALL) if source else (COMPLEX, FREE, 0)

    def is_call(self, end: int, arguments: int) -> bool:
        """Whether a call whose arguments begin at the offset `arguments` ends at the offset `end`."""
        return self._calls.get(end) == arguments

    def callee(self, arguments: int) -> int:
        """Return the end of the name before the arguments that begin at the offset `arguments`.

        White space between them is skipped: an operator may end in a line continuation.
        """
        while arguments and arguments not in self.ends and self._source[arguments - 1] in _SPACE:
            arguments -= 1
        return self.inner_ends.get(arguments, arguments)

    def callee_before(self, block: int, known: Container[int]) -> int:
        """Return the end of the called name before the trailing function that begins at the offset `block`. `known` are
        the ends of names that are called.
        """
        end = self.callee(block)
        while end not in known and end in self._calls:
            end = self.callee(self._calls[end])
        return end

    def _keyword(self, end: int) -> tuple[int, int]:
        """Return (receiver code, flags) of this, base and the like, which are no identifiers in some grammars;
        `Shelf.this` is an instance of Shelf.
        """
        for word, code in self.words.items():
            start = end - len(word)
            if self._source.endswith(word, 0, end) and not self._source[start - 1 : start].isalnum():
                if not self._dots or self._source[start - 1] != _DOT:
                    return code, 0
                outer = self.ends.get(start - 1, COMPLEX)
                return (outer, THROUGH_CALL) if outer > LOCAL else (COMPLEX, 0)
        return COMPLEX, 0


@functools.cache
def codes_of(words: tuple[str, ...], code: int) -> dict[bytes, int]:
    """Return a dictionary from each of `words` to the receiver code `code`. All files with the same words share it."""
    return {word.encode(): code for word in words}


def _typed_values(language: Language, captures: Captures) -> dict[int, tuple[str, Node]]:
    """Return the end of each value whose type the language defines -> that type, and the value."""
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
