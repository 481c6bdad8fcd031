"""Repair of sources by their layout: a definition that cannot be parsed by itself is left out, or its body, so that it
does not take those after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from tree_sitter import Parser, Tree

from .directives import blank
from .parse_errors import Repaired, errors_of, parsed_again, weight_of

# a definition, and a line that begins the next part of a module at its indentation
_HEAD: Final = re.compile(rb"([ \t]*)(?:def(?!module|protocol|impl)\w*|test|setup|property)[ \t(][^\n]*")
_PART: Final = re.compile(rb"(?:def\w*|test|setup|property|describe|end|use|alias|import|require|@\w+)\b")
# Erlang: an attribute, a clause of a function; Lisp: a list
_FORM: Final = re.compile(rb"^(?:[(-]|[a-z]\w*[ \t]*\(|'[^'\n]+'[ \t]*\()", re.MULTILINE)
_END: Final = b"end"
_DO: Final = re.compile(rb"\bdo[ \t]*(?:#[^\n]*)?$")


def blocks(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree without the bodies of definitions that have errors of their own, if that leaves
    fewer errors. Where a definition ends, its indentation shows.
    """
    return _without(
        source, [cut for chunk in _definitions(source) for cut in _broken(source, chunk, parser)], tree, parser
    )


def forms(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree without the forms that have errors of their own, if that leaves fewer errors. Each
    begins at the start of a line.
    """
    starts = [match.start() for match in _FORM.finditer(source)]
    chunks = zip(starts, [*starts[1:], len(source)], strict=False)
    return _without(
        source, [chunk for chunk in chunks if parser.parse(source[slice(*chunk)]).root_node.has_error], tree, parser
    )


def _without(source: bytes, cuts: list[tuple[int, int]], tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree without these ranges, if that leaves fewer errors."""
    if not cuts:
        return source, tree
    text = blank(source, cuts)
    attempt = parsed_again(parser, text, source, tree)
    fewer = weight_of(errors_of(attempt.root_node)) < weight_of(errors_of(tree.root_node))
    return (text, attempt) if fewer else (source, tree)


def _definitions(source: bytes) -> Iterator[tuple[int, int, int]]:
    """List (start, end, start of its last line) of each definition, in order."""
    lines = source.split(b"\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    number = 0
    while number < len(lines):
        if head := _HEAD.match(lines[number]):
            last = _last_line(lines, number, len(head[1]))
            yield starts[number], starts[last] + len(lines[last]), starts[last]
            number = last
        number += 1


def _last_line(lines: Sequence[bytes], first: int, indentation: int) -> int:
    """Return the number of the last line of the definition that begins on the line number `first`."""
    last = first
    for number in range(first + 1, len(lines)):
        text = lines[number].lstrip(b" \t")
        depth = len(lines[number]) - len(text)
        if not text.strip():
            continue
        if depth < indentation or (depth == indentation and _PART.match(text)):
            return number if depth == indentation and text.strip() == _END else last
        last = number
    return last


def _broken(source: bytes, chunk: tuple[int, int, int], parser: Parser) -> Iterator[tuple[int, int]]:
    """List the ranges to leave out of a definition: its body, or all of it where the head is not whole."""
    start, end, last = chunk
    if not parser.parse(source[start:end]).root_node.has_error:
        return
    head = source.find(b"\n", start, end)
    if head > 0 and _DO.search(source, start, head) and source[last:end].strip() == _END:
        yield head, last
    else:
        yield start, end
