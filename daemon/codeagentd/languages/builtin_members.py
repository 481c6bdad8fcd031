"""What the values that a language brings along are asked for by name, so that a receiver of unknown type may be one of
them: members.toml of its folder.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import NamedTuple

from .language import languages

READ = "values"  # the key in members.toml of what is read; those of types have what is called


class Members(NamedTuple):
    """Names of members: those that are called, and those that are read."""

    called: frozenset[str]
    read: frozenset[str]


@functools.cache
def members(language: str) -> Members:
    """Those of a language; none where it names no members.toml."""
    folder = languages()[language].members
    if not folder:
        return Members(frozenset(), frozenset())
    file = resources.files("codeagentd.languages") / "data" / folder / "members.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return Members(
        frozenset(name for type_, names in table.items() if type_ != READ for name in names),
        frozenset(table.get(READ, ())),
    )
