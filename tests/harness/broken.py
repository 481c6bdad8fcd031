"""Source in the middle of typing: a text with a few of its tokens removed, doubled, moved or replaced by wrong characters."""

from __future__ import annotations

import random
import re
from typing import Final

_TOKEN: Final = re.compile(rb"\w+|\s+|[^\w\s]")
_SIGNS: Final = tuple(b"( ) { } [ ] < > :: . , ; : = * & | ? @ # ' \" ` -> => // /* self super".split())
_SPANS: Final = (1, 1, 1, 2, 3, 10, 40)  # tokens that a change takes
_CHANGES: Final = 4


def broken(text: bytes, chance: random.Random) -> bytes:
    """A text with up to four such changes."""
    tokens = _TOKEN.findall(text)
    for _ in range(chance.randint(1, _CHANGES) if tokens else 0):
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        some = slice(at, at + chance.choice(_SPANS))
        act = chance.randrange(5)
        if act == 0:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif act == 1:
            tokens[other:other] = tokens[some]
        else:
            tokens[some] = [] if act == 2 else [*tokens[some], *tokens[some]] if act == 3 else [chance.choice(_SIGNS)]
        if not tokens:
            break
    return b"".join(tokens)
