"""Namespace macros of C++: the macros that open and close namespaces, and the namespaces that their uses open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codeagentd.model.namespace_macros import CLOSING, Opening, Openings, Region

from .directives import directives, masked

# read before anything else: few files have one
_OPENS: Final = re.compile(rb"#[ \t]*define[ \t]+\w+(?:[ \t]|\\\r?\n)+(?:inline[ \t]+)?namespace\b")
_DEFINE: Final = re.compile(rb"\s*#[ \t]*define[ \t]+(\w+)(?![\w(])(.*)", re.DOTALL)
_LEFT_OUT: Final = re.compile(rb"\\\r?\n|/\*.*?\*/|//[^\n]*", re.DOTALL)
_BRACE: Final = re.compile(r"\s*(?:\}|(inline\s+)?namespace(?:\s+([A-Za-z_][\w:]*)(\s*\([^()]*\))?)?\s*\{)\s*")
_NAME: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*")


def openings_in(source: bytes) -> dict[str, Opening]:
    """Return the macros in `source` that open or close namespaces, by name. Of several definitions of a macro the first
    that does so counts.
    """
    if b"namespace" not in source or not _OPENS.search(source):  # a word is found ten times faster than a pattern
        return {}
    bodies: list[tuple[str, str]] = []
    for _, directive in directives(source):
        if defined := _DEFINE.match(directive):
            bodies.append((defined[1].decode(), _LEFT_OUT.sub(b" ", defined[2]).decode(errors="replace")))
    names = {name: match[1] for name, body in bodies if (match := _NAME.fullmatch(body))}
    results: dict[str, Opening] = {}
    for name, body in bodies:
        if name not in results and (opening := tuple(_braces(body, names))):
            results[name] = opening
    return results


def _braces(body: str, names: dict[str, str]) -> Iterator[str]:
    """List the namespaces that a replacement text opens, or as many closing signs; nothing where it has other parts, or
    both.
    """
    braces, at = list[str](), 0
    while match := _BRACE.match(body, at):
        # members of an inline namespace are found without its name; the effect of arguments is not known
        is_nameless = bool(match[1] or match[3])
        if match[0].strip() == CLOSING:
            braces.append(CLOSING)
        else:
            braces.append("" if is_nameless or not match[2] else names.get(match[2], match[2]))
        at = match.end()
    if at == len(body) and (CLOSING not in braces or set(braces) == {CLOSING}):
        yield from braces


def regions_of(source: bytes, openings: Openings) -> tuple[list[Region], list[tuple[int, int]]]:
    """Return (the namespaces that uses of the macros `openings` open in `source`, the ranges of these uses). The uses
    are to be cut out of the parsed text.
    """
    uses = re.compile(
        rb"^[ \t]*(" + b"|".join(re.escape(name.encode()) for name in sorted(openings)) + rb")\b(?![ \t]*\()",
        re.MULTILINE,
    )
    results: dict[tuple[int, int], tuple[bytes, int]] = {}
    places: list[tuple[int, int]] = []
    stack: list[tuple[str, int, int]] = []
    for match in uses.finditer(masked(source)):
        start, end = match.span(1)
        places.append((start, end))
        for brace in openings[match[1].decode()]:
            if brace != CLOSING:
                stack.append((brace, start, end))
            elif stack:
                _close(stack, end, results)
    while stack:
        _close(stack, len(source), results)
    return [(start, end, name, name_end) for (start, end), (name, name_end) in sorted(results.items())], places


def _close(stack: list[tuple[str, int, int]], end: int, results: dict[tuple[int, int], tuple[bytes, int]]) -> None:
    """End the innermost namespace. Namespaces that one macro opens together and one closes together are one, as in
    `namespace lib::impl {`.
    """
    name, start, name_end = stack.pop()
    if name:
        inner, _ = results.get((start, end), (b"", 0))
        results[start, end] = name.encode() + (b"::" + inner if inner else b""), name_end
