"""Macros that open namespaces, or close the namespaces that such a macro has opened: `FMT_BEGIN_NAMESPACE`.

The replacement of such a macro is not in the files that use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from .ids import content_digest

CLOSING: Final = "}"
# the namespaces that a macro opens, outermost first, "" = unnamed; or CLOSING for each one that it closes
Opening = tuple[str, ...]
Openings = Mapping[str, Opening]
Region = tuple[int, int, bytes, int]  # start and end of a namespace that a macro opens, its name, where the macro ends


def used_in(source: bytes, openings: Openings) -> dict[str, Opening]:
    """Return those of `openings`, macros by name, that `source` may use."""
    return {name: opening for name, opening in openings.items() if name.encode() in source}


def digest_with(source: bytes, openings: Openings) -> bytes:
    """Return the key under which the facts of a file with this source are stored: a digest of its content, and of the
    replacements of the macros of other files that it uses.
    """
    used = used_in(source, openings) if openings else {}
    return content_digest(source + msgspec.json.encode(used, order="deterministic")) if used else content_digest(source)
