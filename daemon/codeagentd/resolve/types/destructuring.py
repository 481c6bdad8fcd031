"""What a pattern takes out of a variant or a tuple: a value of the type that its definition says for that part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.resolve.syntax.signatures import parameters_in
from codeagentd.resolve.targets import Target

if TYPE_CHECKING:
    from codeagentd.resolve.name_lookup import NameLookup

_BEFORE: Final = re.compile(r"^(?:#\[[^\]]*\]\s*|pub(?:\([^)]*\))?\s+)+")  # attributes and visibility


def part(names: NameLookup, target: Target | None, number: int) -> Target | None:
    """What stands at a place (from 0) of what a target holds; None where that is not of the
    repository or says nothing.
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
