"""Written types read as names with arguments: `Optional[Shelf]`, `*pkg.Shelf`, `const std::vector<Shelf>&`,
`[Shelf]`.
"""

from __future__ import annotations

import functools
import re
from typing import Final

import msgspec


class TypeText(msgspec.Struct, frozen=True):
    """One name with its type arguments.

    The parts of `name` are separated by dots, whatever the language writes; a leading dot marks a fully qualified name
    (PHP's `\\Shelf`). It is '' for a type that is no name, such as a function type or a tuple. Of an object type it is
    the whole text: `{ book : Book }`.
    """

    name: str
    arguments: tuple[TypeText, ...] = ()


LIST: Final = "[]"  # name of arrays and slices that have no name of their own; their one argument is the element
MAPPING: Final = "[:]"  # the same of dictionaries; their arguments are the key and the value
EITHER: Final = "|"  # name of an argument that is one of several: these are its arguments
LONGEST: Final = 400  # characters looked at
LONGEST_OBJECT: Final = 2_000  # the same where types of objects are written out
DEEPEST: Final = 12  # levels of arguments

_NAME: Final = r"(?:[^\W\d]|\$)[\w$]*"
_TOKEN: Final = re.compile(
    rf"(?:::|\\)?{_NAME}(?:(?:\.|::|\\){_NAME})*|->|=>|\.\.\.|\[\s*\d*\s*\]"
    r"|'[^\W\d]\w*(?!['\w])|[\[\](){}<>,|&?!*:;=+-]"
)
_SEPARATOR: Final = re.compile(r"::|\\")
_WORDS: Final = frozenset({  # words in front of a type that say how, not what
    "any", "asserts", "autoclosure", "borrowing", "class", "const", "consuming", "crate", "dyn", "enum", "escaping",
    "extends", "extern", "final", "impl", "in", "inout", "is", "isolated", "keyof", "mut", "nonisolated", "out",
    "params", "readonly", "ref", "register", "restrict", "sealed", "sending", "signed", "some", "static", "struct",
    "super", "typename", "union", "unique", "unsafe", "unsigned", "val", "var", "volatile",
})  # fmt: skip
_NOTHING: Final = frozenset(
    {"None", "NoneType", "null", "undefined", "nil", "void", "never", "Nothing", "Unit", "Never", "NoReturn"}
)
_EXTENDS: Final = "extends"
_ALL: Final = "Union"  # the one transparent name of which every argument counts
_QUOTED: Final = re.compile(r"'([\w.\[\], |]+)'")
_OPEN: Final = {"[": "]", "<": ">", "(": ")", "{": "}"}


@functools.lru_cache(maxsize=20_000)
def union_members(text: str, transparent: tuple[str, ...] = (), *, objects: bool = False) -> tuple[TypeText, ...]:
    """Return the types that a value declared with the type `text` may have, without the empty types (None, null, …).

    `transparent` are names that stand for their arguments (Optional, Promise, …). `objects`: the language writes types
    of objects out, in braces. Unreadable text gives an empty tuple.
    """
    reader = _Reader(text[: LONGEST_OBJECT if objects else LONGEST], objects=objects)
    result = reader.union(0)
    return tuple(dict.fromkeys(_seen_through(result, frozenset(transparent), 0)))


def unwrap_transparent(of: TypeText, transparent: tuple[str, ...]) -> list[TypeText]:
    """Return the types that `of` stands for, if it is one of the names `transparent` or a union; else `of` alone."""
    return _seen_through([of], frozenset(transparent), 0)


def element(of: TypeText) -> TypeText | None:
    """Return the element type of a container of the type `of`: its first type argument. None if it has none."""
    return of.arguments[0] if of.arguments else None


def _seen_through(types: list[TypeText], transparent: frozenset[str], depth: int) -> list[TypeText]:
    shown: list[TypeText] = []
    for type_text in types:
        last = type_text.name.rpartition(".")[2]
        if last in _NOTHING and "." not in type_text.name:
            continue
        if (last in transparent or last == EITHER) and type_text.arguments and depth < DEEPEST:
            shown += _seen_through(
                list(type_text.arguments if last in (_ALL, EITHER) else type_text.arguments[:1]), transparent, depth + 1
            )
        elif type_text.name:
            shown.append(type_text)
    return shown


@functools.lru_cache(maxsize=20_000)
def result_at(text: str, number: int) -> str:
    """Return the type of the result number `number` (from 0) in the result list `text`, with or without names:
    `(*Shelf, error)`, `(first, last *Shelf, err error)`. '' if there is none.
    """
    if not text.startswith("("):
        return "" if number else text
    parts = [part.strip() for part in _parts(text[1:-1])]
    if number >= len(parts):
        return ""
    named = next((part for part in parts[number:] if _NAMED.match(part)), "")
    return _NAMED.sub("", named, count=1) if named else parts[number]


_NAMED: Final = re.compile(r"(?!(?:chan|func|map|struct|interface)\b)[^\W\d]\w*\s+(?=\S)")


def _parts(text: str) -> list[str]:
    """A text cut at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


class _Reader:
    """Reads one text from left to right; what it does not understand ends the reading, never fails."""

    def __init__(self, text: str, *, objects: bool) -> None:
        self._objects = objects
        self._tokens = _TOKEN.findall(_QUOTED.sub(r" \1 ", text.replace('"', " ")))
        self._at = 0
        self._is_test = False  # a question mark ends what is read
        self._is_either = True  # what was read last is one of its parts, not all of them

    def union(self, depth: int) -> list[TypeText]:
        """Alternatives up to the next comma or closing bracket."""
        result: list[TypeText] = []
        is_either = True
        while self._at < len(self._tokens) and depth < DEEPEST:
            part = self._single_type(depth)
            if self._peek() == _EXTENDS and (either := self._branches(depth)):
                return result + either
            if part is not None:
                result.append(part)
            if (sign := self._peek()) not in ("|", "&", "+"):
                break
            is_either &= sign == "|"
            self._at += 1
        self._is_either = is_either
        return result

    def _branches(self, depth: int) -> list[TypeText]:
        """TypeScript: both branches of `A extends B ? C : D`; nothing where no branch follows the constraint of a type
        parameter.
        """
        self._at, self._is_test = self._at + 1, True
        self.union(depth + 1)
        self._is_test = False
        if self._peek() != "?":
            return []
        self._at += 1
        either = self.union(depth + 1)
        if self._peek() == ":":
            self._at += 1
            either += self.union(depth + 1)
        return either

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _single_type(self, depth: int) -> TypeText | None:
        """Signs and words in front, a name or a bracket, and the suffix that follows it."""
        while (token := self._peek()) and (token in _WORDS or token in "*&?!:=+-" or token == "..." or token[0] == "'"):
            self._at += 1
        if token.startswith("["):
            return self._bracket(depth)
        if token in ("(", "{"):
            start = self._at
            inside = self._arguments(depth)
            if token == "{" and self._objects:
                return self._tail(TypeText(" ".join(self._tokens[start : self._at])), depth)
            return (
                self._tail(inside[0], depth)
                if token == "(" and len(inside) == 1 and self._peek() not in ("=>", "->")
                else TypeText("")
            )
        if not token or not (token[-1].isalnum() or token[-1] in "_$"):
            return None
        self._at += 1
        name = _SEPARATOR.sub(".", token)
        # PHP tells `\App\Shelf` from `App\Shelf`
        return self._tail(TypeText(name if token[0] == "\\" else name.lstrip(".")), depth)

    def _bracket(self, depth: int) -> TypeText | None:
        """`[]Shelf`, `[3]Shelf` in front of a type; `[Shelf]` around one."""
        if self._peek() != "[":
            self._at += 1
            inner = self._single_type(depth + 1)
            return TypeText(LIST, (inner,)) if inner else None
        if mapping := self._mapping(depth):
            return mapping
        inside = self._arguments(depth)
        if (following := self._peek()) and following != _EXTENDS and (following[0].isalpha() or following in "*["):
            inner = self._single_type(depth + 1)  # [N]Shelf, [Name]Shelf
            return TypeText(LIST, (inner,)) if inner else None
        return TypeText(LIST, tuple(inside[:1])) if inside else None

    def _mapping(self, depth: int) -> TypeText | None:
        """`[Name: Shelf]`; nothing is read where a bracket contains something else."""
        start, self._at = self._at, self._at + 1
        key = self.union(depth + 1)
        if key and self._peek() == ":":
            self._at += 1
            value = self.union(depth + 1)
            if value and self._peek() == "]":
                self._at += 1
                return TypeText(MAPPING, (key[0], value[0]))
        self._at = start
        return None

    def _tail(self, type_text: TypeText, depth: int) -> TypeText:
        """Arguments, array brackets and signs after a name."""
        if type_text.name == "map" and self._peek() == "[":  # Go: map[key]element
            self._arguments(depth)
            inner = self._single_type(depth + 1)
            return TypeText("map", (inner,) if inner else ())
        if type_text.name == "func" or (type_text.name == "chan" and self._peek()):
            inner = self._single_type(depth + 1) if type_text.name == "chan" else None
            return TypeText(LIST, (inner,)) if inner else TypeText("")
        while token := self._peek():
            if token in ("<", "["):
                type_text = TypeText(type_text.name, tuple(self._arguments(depth)))
            elif token.startswith("["):  # an array: Shelf[], Shelf[3]
                self._at += 1
                type_text = TypeText(LIST, (type_text,))
            elif token == "!" and self._type_follows():  # Zig: an error or a value, Error!Book
                self._at += 1
                return self._single_type(depth + 1) or type_text
            elif (
                token in "*&?!" and not (token == "&" and self._names_follow()) and not (token == "?" and self._is_test)
            ):
                self._at += 1
            else:
                break
        return type_text

    def _type_follows(self) -> bool:
        following = self._tokens[self._at + 1] if self._at + 1 < len(self._tokens) else ""
        return bool(following) and (following[0].isalpha() or following[0] in "_?*[")

    def _names_follow(self) -> bool:
        following = self._tokens[self._at + 1] if self._at + 1 < len(self._tokens) else ""
        return bool(following) and (
            following[0].isalpha() or following[0] in "_$" or (following in "{(" and self._objects)
        )

    def _arguments(self, depth: int) -> list[TypeText]:
        """The types between a bracket and its partner; of an intersection, the first."""
        closing = _OPEN[self._peek()]
        self._at += 1
        result: list[TypeText] = []
        while (token := self._peek()) and token != closing:
            before = self._at
            several = self.union(depth + 1) if depth + 1 < DEEPEST else []
            alternatives = [alternative for alternative in several if alternative.name not in _NOTHING] or several
            result += (
                [TypeText(EITHER, tuple(alternatives))]
                if len(alternatives) > 1 and self._is_either
                else alternatives[:1]
            )
            if self._peek() not in (",", ";", closing):
                self._skip(closing)
            if self._peek() in (",", ";"):
                self._at += 1
            if self._at == before:
                break
        self._at += 1
        return result

    def _skip(self, closing: str) -> None:
        """Pass over what was not understood, up to the next comma or the end of this bracket."""
        waiting: list[str] = []
        while token := self._peek():
            if not waiting and (token in (",", ";") or token == closing):
                return
            if token in _OPEN:
                waiting.append(_OPEN[token])
            elif waiting and token == waiting[-1]:
                waiting.pop()
            self._at += 1
