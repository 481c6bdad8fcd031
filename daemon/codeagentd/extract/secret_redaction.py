"""Redaction of secrets in facts: signatures keep short literals, and a key of a data file, a heading or a word of a
shell script may be a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.facts import FileFacts, ImportFact, SymbolFact
from codeagentd.secrets.redaction import REMOVED, is_suspect, without_doubts

_NAME: Final = re.compile(r"[\w.:$/\\]+")  # a name in code, also a dotted one, which may contain numbers as keys do

_GROUP: Final = 16  # names that are judged together first


def cleared(facts: FileFacts) -> FileFacts:
    """Return `facts` without any text that looks like a secret; nearly always the very same object.

    The detectors of issuers are not used: every suspect literal is removed, as no fact needs a random literal. The
    names that code defines stay: an identifier may contain a digest.
    """
    if is_suspect("\n".join([*facts.names, *[symbol.name for symbol in facts.symbols]])) and (
        renamed := _renamed(facts)
    ):
        names, symbols = (
            [renamed.get(name, name) for name in facts.names],
            [_renamed_symbol(symbol, renamed) for symbol in facts.symbols],
        )
        facts = msgspec.structs.replace(facts, names=names, symbols=symbols)
    if is_suspect("\n".join(dict.fromkeys(_texts(facts)))):
        return msgspec.structs.replace(
            facts,
            symbols=[_symbol(symbol) for symbol in facts.symbols],
            imports=[_import(fact) for fact in facts.imports],
            texts=[_code(text) for text in facts.texts],
            boundaries=[
                boundary
                for boundary in facts.boundaries
                if _words(boundary.text) == boundary.text and _words(boundary.module) == boundary.module
            ],
        )
    return facts


def _renamed(facts: FileFacts) -> dict[str, str]:
    """Return the replacements of names that contain secrets; different names get different ones."""
    is_code = not languages()[facts.language].modules.is_data
    names = {symbol.name for symbol in facts.symbols if not (is_code and symbol.name.isidentifier())}
    names |= set(facts.names).difference([symbol.name for symbol in facts.symbols])
    match = [
        name
        for name in _suspects(sorted(names))
        if (_code if is_code and _NAME.fullmatch(name) else _words)(name) != name
    ]
    return {name: REMOVED if number == 1 else f"{REMOVED}{number}" for number, name in enumerate(match, start=1)}


def _suspects(names: list[str]) -> Iterator[str]:
    """List the names that are suspect as a group: nearly all groups are not."""
    for first in range(0, len(names), _GROUP):
        group = names[first : first + _GROUP]
        if is_suspect("\n".join(group)):
            yield from group


def _renamed_symbol(symbol: SymbolFact, renamed: dict[str, str]) -> SymbolFact:
    return msgspec.structs.replace(symbol, name=renamed[symbol.name]) if symbol.name in renamed else symbol


def _texts(facts: FileFacts) -> Iterator[str]:
    """List the other texts that facts keep as written."""
    for symbol in facts.symbols:
        if symbol.signature is not None or symbol.returns is not None or symbol.type or symbol.header or symbol.bases:
            yield _written(symbol)
    yield from [fact.module for fact in facts.imports]
    yield from facts.texts
    yield from [f"{boundary.text} {boundary.module}" for boundary in facts.boundaries]


def _written(symbol: SymbolFact) -> str:
    return f"{symbol.signature} {symbol.returns} {symbol.type} {symbol.header} {' '.join(symbol.bases)}"


def _symbol(symbol: SymbolFact) -> SymbolFact:
    if not is_suspect(_written(symbol)):
        return symbol
    signature, returns = (text and _code(text) for text in (symbol.signature, symbol.returns))
    bases = tuple(map(_code, symbol.bases))
    return msgspec.structs.replace(
        symbol, signature=signature, returns=returns, type=_code(symbol.type), header=_code(symbol.header), bases=bases
    )


def _import(fact: ImportFact) -> ImportFact:
    """Return an import without the password that an address may contain. The name of a file stays: it may contain a
    digest, and leads to the file.
    """
    return msgspec.structs.replace(fact, module=_words(fact.module)) if "://" in fact.module else fact


def _code(text: str) -> str:
    """Return a piece of code without secrets; its names stay whatever they look like."""
    return without_doubts(text, is_code=True) if is_suspect(text) else text


def _words(text: str) -> str:
    """Return a text that is no code, without secrets: a key of a data file, a heading, an address."""
    return without_doubts(text, is_code=False) if is_suspect(text) else text
