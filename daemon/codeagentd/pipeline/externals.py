"""Symbols for what lies outside of the repository: a package is a file of its own, what is asked of it stands in there.

They have numbers below zero, which follow from their names, so that whoever resolves a reference needs nobody to give one. One that nothing refers to
any more stays, and no answer shows it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from codeagentd.model.ids import outside_number
from codeagentd.model.kinds import SymbolKind
from codeagentd.resolve.targets import Outside
from codeagentd.store.connection import Database

EXTERNAL: Final = "external"  # the status of such a file, and how its path begins
_LANGUAGES: Final = {"c": "c", "ecmascript": "javascript", "jvm": "java"}  # that stand for their families
_LAST: Final = re.compile(r"[^./:]+$")


class Externals:
    """Writes them; used inside of the writer's transactions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.versions: Mapping[tuple[str, str], str] = {}  # of packages, by family and name

    def add(self, found: Collection[Outside]) -> None:
        """Make sure that these have rows."""
        numbered = {outside_number(one.uid): one for one in found}
        numbered |= {outside_number(one.uid): one for one in {one.whole for one in found}}
        known = {number for (number,) in self._database.all("writer.known_symbols", (json.dumps(list(numbered)),))}
        fresh = {number: one for number, one in numbered.items() if number not in known}
        packages = [(number, one) for number, one in fresh.items() if one.name == one.package]
        self._database.run_many("writer.put_external_file", [(number, self._path(one), _language(one)) for number, one in packages])
        self._database.run_many("writer.put_symbol", [_row(number, one) for number, one in fresh.items()])

    def _path(self, package: Outside) -> str:
        """How answers name the file of a package: `external:python/requests@2.31.0`."""
        version = self.versions.get((package.family, package.package), "")
        return f"{EXTERNAL}:{package.family}/{package.package}" + (f"@{version}" if version else "")


def _language(one: Outside) -> str:
    return _LANGUAGES.get(one.family, one.family)


def _row(number: int, one: Outside) -> tuple[Any, ...]:
    package = outside_number(one.whole.uid)
    is_package = number == package
    last = _LAST.search(one.name)
    name = one.name if is_package or last is None else last[0]
    kind = SymbolKind.PACKAGE if is_package else SymbolKind.EXTERNAL
    return (
        number, one.uid, package, None if is_package else package, int(kind), 0, 0, name, one.name, 0, 0, 0, 0, "public", None, None, None, 0, "", "", 0,
    )  # fmt: skip
