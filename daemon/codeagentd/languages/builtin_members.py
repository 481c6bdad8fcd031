"""Built-in members: the names of members of a language's own types, in members.toml. A receiver of unknown type may be
a value of such a type.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import NamedTuple

from .language import languages

READ = "values"  # the key in members.toml of the members that are read; the keys of types have those that are called


class Members(NamedTuple):
    """The names of the built-in members that are called, and of those that are read."""

    called: frozenset[str]
    read: frozenset[str]


@functools.cache
def members(language: str) -> Members:
    """Return the built-in members of `language`; empty ones if it has no members.toml."""
    folder = languages()[language].members
    if not folder:
        return Members(frozenset(), frozenset())
    file = resources.files("codeagentd.languages") / "data" / folder / "members.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return Members(
        frozenset(name for type_, names in table.items() if type_ != READ for name in names),
        frozenset(table.get(READ, ())),
    )
