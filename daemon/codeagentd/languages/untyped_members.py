"""What can a member's name mean where nobody knows what has the member? A member of any type, but no constructor, nor
what only a type has and no object.
"""

from __future__ import annotations

import functools
import json
from typing import Any

from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind

from .language import languages


@functools.cache
def lending() -> dict[str, Any]:
    """The parameters of statements that ask so: types (JSON array of symbol kinds), constructor, static (a flag),
    by_side (JSON array of languages where what is static belongs to the type alone).
    """
    return {
        "types": json.dumps(sorted(int(kind) for kind in TYPES)),
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
