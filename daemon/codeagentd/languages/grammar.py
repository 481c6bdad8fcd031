"""tree-sitter parsers and compiled queries, loaded on demand and once per process."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Sequence

from tree_sitter import Language as Grammar
from tree_sitter import Parser, Point, Query, Range
from tree_sitter_language_pack import get_language

from codeagentd.base.processor_time import uncounted

from .language import languages, query_files
from .query_compiler import compiled


@functools.cache
def grammar(language: str) -> Grammar:
    """Return the compiled grammar of `language`. Only grammars that a folder of data names are loaded: these have been
    tested, and another one might hang.
    """
    # the parameter's literal type lists 173 names; this one comes from data
    return get_language(languages()[language].grammar)  # type: ignore[arg-type]


@functools.cache
def parser(language: str) -> Parser:
    """Return a parser for `language`. Parsers keep no state between files."""
    return Parser(grammar(language))


def parser_of_part(language: str, lines: Sequence[int], ranges: Sequence[tuple[int, int]]) -> Parser:
    """Return a parser of `language` for parts of a source: it parses only `ranges` (ascending), and reports positions
    in the whole source. `lines` are the lines at which the ranges begin.
    """
    results = [Range(_point(lines, start), _point(lines, end), start, end) for start, end in ranges]
    return Parser(grammar(language), included_ranges=results)


def _point(lines: Sequence[int], offset: int) -> Point:
    row = bisect_right(lines, offset) - 1
    return Point(row, offset - lines[row])


@functools.cache
def query(language: str) -> Query:
    """Return the one query of `language`: definitions, scopes, references, imports. Errors: index_error, where one of
    its files is broken.
    """
    with uncounted():  # it takes up to a second
        return compiled(grammar(language), query_files(language))
