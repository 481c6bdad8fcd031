"""Measured languages: how much of what other tools find in public repositories our index has.

`make eval-languages` writes the figures into `data/measured.json`.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

import msgspec

FILE: Final = "measured.json"


class Measured(msgspec.Struct, frozen=True, omit_defaults=True):
    """The F1 of a language's definitions and references, None where nothing says what is right; `against` names the
    tools that do, `repositories` are owner/name@commit.
    """

    against: str
    repositories: tuple[str, ...]
    definitions: float | None = None
    references: float | None = None


def measured() -> dict[str, Measured]:
    """Return the figures by language."""
    file = resources.files("codeagentd.languages") / "data" / FILE
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Measured]) if file.is_file() else {}
