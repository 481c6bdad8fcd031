"""Destructuring: the type of a variant's or tuple's part that a pattern binds, by the definition of that part."""

from __future__ import annotations

import re
from typing import Final

from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.syntax.signatures import parameters_in
from codeagentd.resolve.targets import Target

_BEFORE: Final = re.compile(r"^(?:#\[[^\]]*\]\s*|pub(?:\([^)]*\))?\s+)+")  # attributes and visibility


def part(names: NameLookup, target: Target | None, number: int) -> Target | None:
    """Infer the type of the part number `number` (from 0) of the variant or tuple type `target`; None if `target` is
    not of the repository or the part has no known type.
    """
    symbol = names.world.symbol(target.symbol) if target is not None and target.symbol else None
    if (
        target is None
        or symbol is None
        or not (symbol.kind == SymbolKind.ENUM_MEMBER or symbol.kind in TYPES)
        or not symbol.signature.startswith("(")
    ):
        return None
    parts = parameters_in(symbol.signature)
    result = (
        names.values.type_of_annotation(symbol, _BEFORE.sub("", parts[number]), symbol.parent)
        if number < len(parts)
        else None
    )
    return result.capped_by(target) if result else None
