"""Edits of members at random: definitions that are copied into other types, removed, renamed; other receivers, bases and mixins; types that are reopened."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

DEFINITION: Final = re.compile(
    rb"^[ \t]*(?:[\w.<>\[\]?*&~@]+[ \t]+)*(?:[\w?]+\.)?(\w+)[!?=]?[ \t]*(?:\(.*\)?.*(?:[{=;:]|=>)?|:.*|=.*)?$"
)
DEFINING: Final = re.compile(
    rb"^[ \t]+(?:[\w<>\[\]?]+[ \t]+)+(?:[\w?]+\.)?\w+[!?=]?[ \t]*(?:\(|:|=|\{|$)|^[ \t]+(?:def|attr_\w+) |^[ \t]*[A-Z]\w* *="
)
TYPE: Final = re.compile(
    rb"^[ \t]*(?:\w+[ \t]+)*(class|interface|object|module|trait|struct|enum|extension|record)[ \t]+(?:\w+(?:::|\.))*(\w+)"
)
TYPE_NAME: Final = re.compile(rb"\b[A-Z]\w+\b")
RUBY: Final = ".rb"
ASKED: Final = re.compile(rb"\.(\w+)")
LONGEST: Final = 60  # lines of a definition
LOOKED_AT: Final = 12  # files of which the one is taken that says most types of another

Lines = list[bytes]


class Other(NamedTuple):
    """Another file, and the names that it asks something for, which others define as well."""

    lines: Lines
    asked: Lines


def change(path: Path, others: Sequence[Path], chance: random.Random) -> None:
    """One such edit of a file; `others` are those of its language."""
    lines = path.read_bytes().split(b"\n")
    types = [found[2] for line in lines if (found := TYPE.match(line))]
    near = [other.read_bytes() for other in chance.sample(others, min(LOOKED_AT, len(others)))]
    other = max(near, key=lambda text: sum(name in text for name in types))  # who uses what this file has
    defined = [_name(line) for text in near for line in text.split(b"\n") if DEFINING.match(line)]
    act = chance.choice(RUBY_ACTS if path.suffix == RUBY else ACTS)
    path.write_bytes(
        b"\n".join(act(lines, Other(other.split(b"\n"), sorted({*ASKED.findall(other)} & {*defined})), chance))
    )


def grafted(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """A definition of another file stands in a type of this one."""
    at, chosen = _place(lines, chance), _chunk(other.lines, chance)
    return [*lines[:at], *other.lines[chosen.start : chosen.stop], *lines[at:]] if at and chosen else lines


def pruned(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """A definition is gone that another file names."""
    chosen = _chunk(lines, chance, other.asked)
    return [*lines[: chosen.start], *lines[chosen.stop :]] if chosen else lines


def renamed(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """A definition that another file names has another name, of what that file asks for."""
    mine = _chunk(lines, chance, other.asked)
    was, name = (_name(lines[mine.start]), chance.choice(other.asked)) if mine and other.asked else (b"", b"")
    return (
        [re.sub(rb"\b" + was + rb"\b", name, line) if at == mine.start else line for at, line in enumerate(lines)]
        if mine and was and name
        else lines
    )


def retyped(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """A base, the type that is extended, of a parameter or result is another one."""
    places = [
        at for at, line in enumerate(lines) if (TYPE.match(line) or DEFINING.match(line)) and TYPE_NAME.search(line)
    ]
    types = [found[2] for line in other.lines if (found := TYPE.match(line))]
    if not places or not types:
        return lines
    at = chance.choice(places)
    said = chance.choice([*TYPE_NAME.finditer(lines[at])])
    return [*lines[:at], lines[at][: said.start()] + chance.choice(types) + lines[at][said.end() :], *lines[at + 1 :]]


def extending(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """The first parameter of a method begins or ceases to say what it extends (C#), a function a receiver (Kotlin)."""
    places = [at for at, line in enumerate(lines) if b"static" in line and re.search(rb"\w\((this )?[A-Z]\w*", line)]
    functions = [at for at, line in enumerate(lines) if re.search(rb"\bfun \w", line)]
    types = [found[2] for line in (*lines, *other.lines) if (found := TYPE.match(line))]
    if places:
        at = chance.choice(places)
        line = (
            lines[at].replace(b"(this ", b"(")
            if b"(this " in lines[at]
            else re.sub(rb"(\w\()([A-Z])", rb"\1this \2", lines[at], count=1)
        )
    elif functions and types:
        at = chance.choice(functions)
        line = re.sub(
            rb"\bfun (?:\w+\.)?(\w+)\(",
            lambda found: b"fun " + chance.choice((b"", chance.choice(types) + b".")) + found[1] + b"(",
            lines[at],
        )
    else:
        return lines
    return [*lines[:at], line, *lines[at + 1 :]]


def mixed(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """A type of Ruby takes in another one."""
    at, types = _place(lines, chance), [found[2] for line in other.lines if (found := TYPE.match(line))]
    return (
        [*lines[:at], b"  " + chance.choice((b"include ", b"extend ", b"prepend ")) + chance.choice(types), *lines[at:]]
        if at and types
        else lines
    )


def reopened(lines: Lines, other: Other, chance: random.Random) -> Lines:
    """A type of another file goes on in this one."""
    chosen, headers = _chunk(other.lines, chance), [line for line in other.lines if TYPE.match(line)]
    return (
        [*lines, chance.choice(headers), *other.lines[chosen.start : chosen.stop], b"end", b""]
        if chosen and headers
        else lines
    )


def _place(lines: Lines, chance: random.Random) -> int:
    """The line behind the beginning of a type."""
    places = [at for at, line in enumerate(lines) if TYPE.match(line)]
    if not places:
        return 0
    at = chance.choice(places)
    while b"{" not in lines[at] and at + 1 < len(lines) and any(b"{" in line for line in lines[at : at + 4]):
        at += 1
    return at + 1


def _chunk(lines: Lines, chance: random.Random, wanted: Sequence[bytes] = ()) -> range | None:
    """The lines of a definition, of one whose name is `wanted` if there is any: the first, those that are indented more, and what closes it."""
    places = [at for at, line in enumerate(lines) if DEFINING.match(line) and _name(line)]
    places = [at for at in places if _name(lines[at]) in wanted] or places
    if not places:
        return None
    first = last = chance.choice(places)
    while (
        last + 1 < len(lines)
        and last - first < LONGEST
        and (not lines[last + 1].strip() or _depth(lines[last + 1]) > _depth(lines[first]))
    ):
        last += 1
    closes = last + 1 < len(lines) and lines[last + 1].strip().rstrip(b";") in (b"}", b"end", b"{")
    return range(first, last + (2 if closes else 1))


def _name(line: bytes) -> bytes:
    found = DEFINITION.match(line)
    return found[1] if found else b""


def _depth(line: bytes) -> int:
    return len(line) - len(line.lstrip())


Act = Callable[[Lines, Other, random.Random], Lines]
ACTS: Final[tuple[Act, ...]] = (grafted, grafted, pruned, renamed, renamed, retyped, extending)
RUBY_ACTS: Final[tuple[Act, ...]] = (grafted, grafted, pruned, renamed, mixed, reopened)
