"""Extraction of one file: parse the bytes, run the language's query once, and build FileFacts from its captures."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from tree_sitter import Node, Parser, QueryCursor

from codeagentd.extract.embedded.facts_of_parts import with_parts
from codeagentd.extract.embedded.region import Part
from codeagentd.extract.occurrences.local_variables import LocalFact, in_file
from codeagentd.extract.preprocess.directives import blank
from codeagentd.extract.preprocess.error_repair import RULES as REPAIR_RULES
from codeagentd.extract.preprocess.kconfig import kconfig
from codeagentd.extract.preprocess.macros import RULES as PREPROCESSOR_RULES
from codeagentd.extract.preprocess.namespace_macros import openings_in, regions_of
from codeagentd.extract.preprocess.objective_c import objective_c
from codeagentd.extract.preprocess.scala_braces import braces
from codeagentd.languages.grammar import parser, parser_of_part, query
from codeagentd.languages.language import is_parsed, languages
from codeagentd.model.facts import FileFacts
from codeagentd.model.namespace_macros import Openings, Region, used_in

from .captures import Captures
from .facts_builder import FactsBuilder
from .positions import Places
from .secret_redaction import cleared
from .text_facts import text_facts

NO_OPENINGS: Final[Openings] = {}
PREPARE_RULES: Final = PREPROCESSOR_RULES | {"braces": braces, "kconfig": kconfig, "objective_c": objective_c}
BOM: Final = b"\xef\xbb\xbf"


def extract(source: bytes, language: str, openings: Openings = NO_OPENINGS) -> FileFacts:
    """Extract the facts of a file in `language` from its bytes `source`; `openings` are the namespace macros of other
    files.

    Returns: facts with status full, or partial where the parser had to skip over errors.
    """
    return _extracted(source, language, openings, None)


class Document(NamedTuple):
    """The facts of a text, and its local variables."""

    facts: FileFacts
    locals: list[LocalFact]


def extract_document(source: bytes, language: str, openings: Openings = NO_OPENINGS) -> Document:
    """Extract the facts of a text as `extract` does, and its local variables, which facts do not have. The values of
    variables may be among the sources of these facts although no reference depends on them.
    """
    variables: list[LocalFact] = []
    facts = _extracted(source, language, openings, variables)
    return Document(facts, sorted(variables, key=lambda fact: fact.places[0]))


def _extracted(source: bytes, language: str, openings: Openings, variables: list[LocalFact] | None) -> FileFacts:
    if not is_parsed(language):
        return cleared(text_facts(source, language))
    source = normalised(source)
    rules = languages()[language].rules
    regions, uses = _macro_namespaces(source, language, openings)
    text = blank(PREPARE_RULES[rules.prepare](source), uses)
    builder = _facts_builder(source, text, language, parser(language))
    builder.opened = regions
    builder.locals = variables
    facts = builder.facts(looks_further=rules.parts != "none")
    if rules.parts == "none":
        return cleared(facts)
    extract_part = functools.partial(_extract_part, variables=variables)
    return cleared(with_parts(facts, source, builder.root, rules.parts, extract_part))


def normalised(source: bytes) -> bytes:
    """Return a source as it is parsed: UTF-8 without a byte order mark, ending with a new line."""
    source = _as_utf8(source.removeprefix(BOM))
    # some grammars need it, and no offset lies at the very end
    return source if source.endswith(b"\n") else source + b"\n"


def _macro_namespaces(source: bytes, language: str, openings: Openings) -> tuple[list[Region], list[tuple[int, int]]]:
    """Return the namespaces that macros open in a source; its own macros precede those of other files."""
    if "namespace" not in languages()[language].symbols.shared or languages()[language].rules.prepare != "macros":
        return [], []
    known = used_in(source, openings) | openings_in(source)
    return regions_of(source, known) if known else ([], [])


def _extract_part(source: bytes, part: Part, places: Places, variables: list[LocalFact] | None) -> FileFacts:
    """Extract the facts of a part of a file; `places` are those of the whole file."""
    if part.origin:
        places = Places(source)
    reader = parser(part.language) if part.origin else parser_of_part(part.language, places.starts, part.ranges)
    text = PREPARE_RULES[languages()[part.language].rules.prepare](source)
    builder = _facts_builder(source, text, part.language, reader, places)
    own = builder.locals = None if variables is None else []
    facts = builder.facts(looks_further=part.is_shared)
    if variables is not None and own:
        variables += [in_file(fact, part.origin) for fact in own]
    return facts


def _facts_builder(
    source: bytes, text: bytes, language: str, reader: Parser, places: Places | None = None
) -> FactsBuilder:
    """Parse `text`, which was prepared from `source`, and run the language's query; `places` are those of the text, or
    of the whole file for a part of one.
    """
    chosen = languages()[language]
    tree = reader.parse(text)
    if tree.root_node.has_error:
        text, tree = REPAIR_RULES[chosen.rules.repair](text, tree, reader)
    captures = READERS[chosen.rules.reading](QueryCursor(query(language)), tree.root_node)
    builder = FactsBuilder(text, captures, chosen, tree.root_node, places or Places(text))
    if chosen.rules.prepare == "macros":
        builder.add_hidden_names(source)
    return builder


def _captures(cursor: QueryCursor, root: Node) -> Captures:
    return cursor.captures(root)


def _matches(cursor: QueryCursor, root: Node) -> Captures:
    results: Captures = {}
    for _, captures in cursor.matches(root):
        for name, nodes in captures.items():
            results.setdefault(name, []).extend(nodes)
    return results


READERS: Final[dict[str, Callable[[QueryCursor, Node], Captures]]] = {"captures": _captures, "matches": _matches}


def _as_utf8(source: bytes) -> bytes:
    """Return the same text as UTF-8. Bytes that are not UTF-8 are read as Latin-1, in which every byte is a
    character.
    """
    if source.isascii():
        return source
    try:
        source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1").encode()
    return source
