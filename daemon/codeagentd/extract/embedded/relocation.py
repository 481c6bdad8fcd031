"""Relocation: moves facts of a decoded text to the positions of that text in the file."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

import msgspec

from codeagentd.model.boundaries import Boundary, Mention
from codeagentd.model.facts import COLUMNS, FileFacts, ImportFact, SymbolFact

Origin = Callable[[int, int], tuple[int, int]]
_LINE: Final = 2  # of a reference's numbers
_COLUMN: Final = 3


def moved(facts: FileFacts, origin: Origin) -> FileFacts:
    """Return `facts` with the positions that they have in the file. `origin` maps (line, column) in the decoded text to
    those in the file.
    """
    numbers = array("I")
    for row in facts.rows():
        line, column = origin(row[_LINE], row[_COLUMN])
        numbers.extend((*row[:_LINE], line, column, *row[_COLUMN + 1 :]))
    assert len(numbers) % COLUMNS == 0
    return msgspec.structs.replace(
        facts, symbols=[facts.symbols[0], *(_symbol(symbol, origin) for symbol in facts.symbols[1:])],
        imports=[_import(fact, origin) for fact in facts.imports], wide=True, columns=numbers.tobytes(),
        boundaries=[_boundary(boundary, origin) for boundary in facts.boundaries],
    )  # fmt: skip


def _symbol(symbol: SymbolFact, origin: Origin) -> SymbolFact:
    line, col = origin(symbol.line, symbol.col)
    return msgspec.structs.replace(
        symbol,
        line=line,
        col=col,
        line_start=origin(symbol.line_start, 0)[0],
        line_end=origin(symbol.line_end, 0)[0],
        more_lines=tuple(
            (origin(first, 0)[0], origin(last, 0)[0], origin(at, 0)[0]) for first, last, at in symbol.more_lines
        ),
    )


def _boundary(boundary: Boundary, origin: Origin) -> Boundary:
    line, col = origin(boundary.line, boundary.col)
    return msgspec.structs.replace(
        boundary, line=line, col=col, on=_mention(boundary.on, origin), to=_mention(boundary.to, origin)
    )


def _mention(mention: Mention | None, origin: Origin) -> Mention | None:
    return None if mention is None else Mention(mention.name, *origin(mention.line, mention.col))


def _import(fact: ImportFact, origin: Origin) -> ImportFact:
    line, col = origin(fact.line, fact.col)
    module_line, module_col = origin(fact.module_line, fact.module_col) if fact.module_line else (0, 0)
    return msgspec.structs.replace(fact, line=line, col=col, module_line=module_line, module_col=module_col)
