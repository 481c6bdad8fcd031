"""The comparison of two Go methods by the types of their parameters and results, parsed from their signatures.

A type's name alone does not decide: its meaning comes from the references in the signature (`Meaning`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple


class Likeness(IntEnum):
    """The result of comparing two types; the result for several types is the greatest."""

    SAME = 0
    UNDECIDED = 1  # a type parameter, an alias, or a name that is not resolved
    DIFFERENT = 2


class Meaning(NamedTuple):
    """The meaning of a name in a signature: a symbol, or a type that the language predeclares. With neither it is
    unknown.
    """

    symbol: int = 0
    declared: str = ""
    is_alias: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the meaning is a predeclared type, or a symbol that is no alias, so that it can be compared."""
        return bool(self.declared) or (self.symbol != 0 and not self.is_alias)


class Type(NamedTuple):
    """A type as written: `form` is 'name', the sign of a composite ('*', '[]', 'map', 'func', …), or '?' for a form
    that is not parsed; `name` is the index of a name.
    """

    form: str
    parts: tuple[Type, ...] = ()
    name: int = -1


class Signature(NamedTuple):
    """Parameters and results, each as one type, and all names in the order in which they occur: `pkg.Name`, `Name`."""

    parameters: tuple[Type, ...]
    results: tuple[Type, ...]
    names: tuple[str, ...]
    is_whole: bool  # False if a type in it could not be parsed


UNREAD: Final = Type("?")
_TOKEN: Final = re.compile(r"(\s*)([^\W\d]\w*(?:\.[^\W\d]\w*)*|\.\.\.|<-|\d\w*|[^\s\w])")
_KEYWORDS: Final = frozenset({"chan", "func", "map", "struct", "interface"})
_ELIDED: Final = "…"
_DEEPEST: Final = 20  # nesting of types; deeper nesting is no real code


class _UnreadableError(Exception):
    """Raised when a text is no list of parameters or results that this parser supports."""


@functools.lru_cache(maxsize=20_000)
def read(parameters: str, results: str) -> Signature | None:
    """Return the signature of the texts of its parameters and results; None if a text is cut short or no signature.

    Source: The Go Programming Language Specification, "Function types", "Types".
    """
    if _ELIDED in parameters or _ELIDED in results:
        return None
    reader = _Reader(parameters)
    try:
        parameter_types = reader.entries()
        reader.follow(results if results.startswith("(") else f"({results})")
        result_types = reader.entries()
    except (_UnreadableError, IndexError):
        return None
    return Signature(parameter_types, result_types, tuple(reader.names), reader.is_whole)


def compare(signature: Signature, other: Signature, meanings: Sequence[Meaning], others: Sequence[Meaning]) -> Likeness:
    """Return how alike `signature` and `other` are. `meanings` and `others` are the meanings of the names in each."""
    if len(signature.parameters) != len(other.parameters) or len(signature.results) != len(other.results):
        return Likeness.DIFFERENT
    if (
        signature.is_whole
        and signature[:2] == other[:2]
        and meanings == others
        and all(meaning.is_known for meaning in meanings)
    ):
        return Likeness.SAME
    pairs = zip((*signature.parameters, *signature.results), (*other.parameters, *other.results), strict=True)
    return max((_compare(a, b, meanings, others) for a, b in pairs), default=Likeness.SAME)


def _compare(type_: Type, other: Type, meanings: Sequence[Meaning], others: Sequence[Meaning]) -> Likeness:
    meaning = meanings[type_.name] if type_.form == "name" else Meaning(declared=type_.form)
    against = others[other.name] if other.form == "name" else Meaning(declared=other.form)
    if UNREAD.form in (type_.form, other.form):
        return Likeness.UNDECIDED
    if meaning != against or meaning == Meaning():
        return _compare_names(meaning, against)
    if len(type_.parts) != len(other.parts):
        return Likeness.DIFFERENT
    return max(
        (_compare(a, b, meanings, others) for a, b in zip(type_.parts, other.parts, strict=True)), default=Likeness.SAME
    )


def _compare_names(meaning: Meaning, against: Meaning) -> Likeness:
    """Compare two different names: either may be an alias of the other, and a type of another package is known only by
    its name.
    """
    if not meaning.is_known or not against.is_known or (meaning.symbol < 0 and against.symbol < 0):
        return Likeness.UNDECIDED
    return Likeness.DIFFERENT


class _Reader:
    """Parses the texts of parameters one after another, with a continuous numbering of names."""

    def __init__(self, text: str) -> None:
        self.names: list[str] = []
        self.is_whole = True
        self.follow(text)

    def follow(self, text: str) -> None:
        """Begin to parse another text."""
        self._tokens = [(word, bool(space)) for space, word in _TOKEN.findall(text)]
        self._at = 0
        self._depth = 0

    @property
    def _here(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _take(self, *expected: str) -> str:
        word = self._here
        if not word or (expected and word not in expected):
            raise _UnreadableError
        self._at += 1
        return word

    def entries(self) -> tuple[Type, ...]:
        """A list in parentheses. `a, b int` gives two entries of one type; names of parameters are ignored."""
        self._take("(")
        is_named = self._is_named()
        types: list[Type] = []
        waiting = 0
        while self._here != ")":
            if is_named:
                self._take()
                waiting += 1
                if self._here in (",", ")"):
                    self._take(",")
                    continue
            entry = self._type()
            types += [entry] * (waiting or 1)
            waiting = 0
            if self._here != ")":
                self._take(",")
        self._take(")")
        if waiting:
            raise _UnreadableError
        return tuple(types)

    def _is_named(self) -> bool:
        """Whether an entry of this list begins with a name followed by a type. Then all entries have names."""
        depth, begins = 0, True
        for (word, _), (following, is_apart) in zip(
            self._tokens[self._at :], self._tokens[self._at + 1 :], strict=False
        ):
            if (
                begins
                and depth == 0
                and is_apart
                and word.isidentifier()
                and word not in _KEYWORDS
                and following not in (",", ")")
            ):
                return True
            begins = word == "," and depth == 0
            depth += (word in "([{") - (word in ")]}")
            if depth < 0:
                return False
        return False

    def _type(self) -> Type:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnreadableError
        result = self._one_type()
        self._depth -= 1
        return result

    def _one_type(self) -> Type:
        word = self._take()
        if word in ("*", "..."):
            return Type(word, (self._type(),))
        if word == "[":
            return self._array()
        if word == "(":
            inner = self._type()
            self._take(")")
            return inner
        if word == "<-":
            self._take("chan")
            return Type("<-chan", (self._type(),))
        if word in _KEYWORDS:
            return self._composite(word)
        if not (word[0].isalpha() or word[0] == "_"):
            raise _UnreadableError
        return self._named(word)

    def _array(self) -> Type:
        length = "" if self._here == "]" else self._take()
        self._take("]")
        element = self._type()
        if length and not length.isdecimal():  # a constant, whose value is unknown
            self.is_whole = False
            return UNREAD
        return Type(f"[{length}]", (element,))

    def _composite(self, word: str) -> Type:
        if word == "map":
            self._take("[")
            key = self._type()
            self._take("]")
            return Type("map", (key, self._type()))
        if word == "chan":
            sends = self._here == "<-" and self._take()
            return Type("chan<-" if sends else "chan", (self._type(),))
        if word == "func":
            parameters = self.entries()
            results = (
                self.entries()
                if self._here == "("
                else (self._type(),)
                if self._here not in ("", ",", ")", "]", "}")
                else ()
            )
            return Type("func", (Type("()", parameters), Type("()", results)))
        self._take("{")
        self._take("}")  # a struct or interface with content is not compared
        return Type("any" if word == "interface" else "struct{}")

    def _named(self, word: str) -> Type:
        number = len(self.names)
        self.names.append(word)
        arguments: list[Type] = []
        while self._here in ("[", ",") and (self._here == "[") == (not arguments):
            self._take()
            arguments.append(self._type())
            if self._here == "]":
                self._take()
                break
        return Type("name", tuple(arguments), number)
