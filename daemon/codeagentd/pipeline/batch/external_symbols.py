"""External symbols: each package outside of the repository is a file of its own, with the symbols that the repository
uses.

Their numbers are below zero and follow from their names, so that a worker that resolves a reference can compute the
number by itself. A symbol that is not referred to any more stays, and no answer shows it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from codeagentd.model.kinds import SymbolKind
from codeagentd.resolve.targets import ExternalSymbol
from codeagentd.scan.lockfiles.versions import Package, normalised
from codeagentd.store.connection import Database

EXTERNAL: Final = "external"  # the status of such a file, and the beginning of its path
_LANGUAGES: Final = {"c": "c", "ecmascript": "javascript", "jvm": "java"}  # that stand for their families
_ECOSYSTEMS: Final = {  # by family: the ecosystem whose lock files have the versions
    "csharp": "nuget", "ecmascript": "npm", "go": "go", "lua": "luarocks", "php": "composer", "python": "pypi",
    "ruby": "gem", "rust": "cargo", "swift": "swift",
}  # fmt: skip
_LAST: Final = re.compile(r"[^./:]+$")


class Externals:
    """Writes external symbols, inside the writer's transactions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._versions: Mapping[Package, str] | None = None  # None until they are known: the index may have older ones

    def add(self, symbols: Collection[ExternalSymbol]) -> None:
        """Write rows for those of `symbols` that have none."""
        numbered = {symbol.number: symbol for symbol in {*symbols, *(symbol.whole for symbol in symbols)}}
        known = {number for (number,) in self._database.all("writer.known_symbols", (json.dumps(list(numbered)),))}
        fresh = {number: symbol for number, symbol in numbered.items() if number not in known}
        packages = [(number, symbol) for number, symbol in fresh.items() if symbol.name == symbol.package]
        self._database.run_many(
            "writer.put_external_file",
            [(number, self._path(symbol.family, symbol.package), _language(symbol)) for number, symbol in packages],
        )
        self._database.run_many("writer.put_symbol", [_row(number, symbol) for number, symbol in fresh.items()])

    def use(self, versions: Mapping[Package, str]) -> None:
        """Set the versions of packages to `versions`, also in the rows that are written already."""
        if versions == self._versions:
            return
        self._versions = versions
        for number, path, family, package in self._database.all("writer.packages"):
            current = self._path(family, package)
            if current != path:
                self._database.run("writer.rename_file", (current, number))

    def _path(self, family: str, package: str) -> str:
        """Return the name of a package's file in answers: `external:python/requests@2.31.0`."""
        ecosystem, versions = _ECOSYSTEMS.get(family, ""), self._versions or {}
        version = next(
            (known for name in _holders(package) if (known := versions.get((ecosystem, normalised(ecosystem, name))))),
            "",
        )
        return f"{EXTERNAL}:{family}/{package}" + (f"@{version}" if version else "")


def _holders(package: str) -> list[str]:
    """Return the package and the packages that may contain it: the module example.org/a contains the Go package
    example.org/a/b.
    """
    parts = package.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _language(symbol: ExternalSymbol) -> str:
    return _LANGUAGES.get(symbol.family, symbol.family)


def _row(number: int, symbol: ExternalSymbol) -> tuple[Any, ...]:
    package, is_package = symbol.whole.number, symbol.name == symbol.package
    last = _LAST.search(symbol.name)
    name = symbol.name if is_package or last is None else last[0]
    kind = SymbolKind.PACKAGE if is_package else SymbolKind.EXTERNAL
    return (
        number, symbol.uid, package, None if is_package else package, int(kind), 0, 0, name, symbol.name, 0, 0, 0, 0,
        "public", None, None, None, 0, "", "", 0, "",
    )  # fmt: skip
