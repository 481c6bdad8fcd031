"""Members that a receiver of unknown type may have: those of any type, without constructors and without members of the
type itself.
"""

from __future__ import annotations

import functools
import json
from typing import Any

from codeagentd.model.kinds import TYPE_NUMBERS, SymbolFlag, SymbolKind
from codeagentd.model.parameters import language_family

from .language import GENERIC, languages


@functools.cache
def lending() -> dict[str, Any]:
    """Return the parameters of the statements that select the members a receiver of unknown type may have: types (JSON
    array of symbol kinds), constructor, static (a flag), by_side (JSON array of languages in which static members
    belong to the type alone).
    """
    return {
        "types": TYPE_NUMBERS,
        "constructor": int(SymbolKind.CONSTRUCTOR),
        "static": int(SymbolFlag.STATIC),
        "by_side": json.dumps(
            [
                name
                for name, language in languages().items()
                if language.symbols.separate_static and not language.symbols.implied
            ]
        ),
    }


@functools.cache
def families() -> str:
    """Return a JSON object from each language that has such receivers to the first language of its family."""
    known = [name for name, language in languages().items() if language.tier != GENERIC]
    return json.dumps({name: language_family(name)[0] for name in known})
