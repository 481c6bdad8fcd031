"""The locations of failures in this repository: paths as in the index, and the symbols at the lines that a tool
named.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from codeagentd.memory.memory_store import Code
from codeagentd.model.file_kinds import is_test
from codeagentd.model.reflection import Finding
from codeagentd.query.symbols.lookup import Subject, named
from codeagentd.store.connection import Database

from .failures import Fact, Place

_FOREIGN: Final = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|\.cargo|rustc|lib/python\d|<[^>]*>)(?:/|$)|^(?:node:|<)"
    r"|/library/(?:std|core)/"
)
_KNOWN: Final = 3  # definitions listed for a name


class Spot(NamedTuple):
    """A place in this repository; `symbol`: the qualified name of the definition at that place, '' at the top level of
    a file.
    """

    path: str
    line: int
    symbol: str

    @property
    def text(self) -> str:
        """The place in words, for sentences."""
        at = f"{self.path}:{self.line}" if self.line else self.path
        return f"{self.symbol} ({at})" if self.symbol else at


class Traced(NamedTuple):
    """A failure with its places in this repository, innermost first."""

    fact: Fact
    spots: list[Spot]

    @property
    def cause(self) -> Spot | None:
        """The place to look at first: the innermost one outside of tests, or else the innermost one; None without
        places.
        """
        return next((spot for spot in self.spots if not is_test(spot.path)), self.spots[0] if self.spots else None)

    def view(self) -> Finding:
        """Return the failure as answers contain it."""
        fact, spot = self.fact, self.cause
        place = fact.places[0] if fact.places else Place("", 0)
        path, line, symbol = (spot.path, spot.line, spot.symbol) if spot else (place.file, place.line, "")
        return Finding(fact.tool or "node", fact.kind, fact.error, fact.message, path, line, fact.test, symbol)


def traced(code: Code, facts: Iterable[Fact]) -> list[Traced]:
    """Return the failures `facts` with their places in this repository."""
    with code.read() as db:
        known: dict[str, str] = {}
        return [Traced(fact, list(_spots(db, code, fact.places, known))) for fact in facts]


def _spots(db: Database, code: Code, places: Iterable[Place], known: dict[str, str]) -> Iterator[Spot]:
    for place in places:
        if place.file not in known:
            known[place.file] = path_of(db, code, place.file)
        if path := known[place.file]:
            row = db.row("reflection.symbol_at", (path, place.line))
            yield Spot(path, place.line, row[0] if row else "")


def path_of(db: Database, code: Code, written: str) -> str:
    """Return the path of the indexed file that `written`, a path in a tool's output, means; '' when no file or more
    than one matches. The tool may have run in another folder, or print only the end of the path.
    """
    plain = posixpath.normpath(written.replace("\\", "/"))
    if code.root and plain.startswith(f"{code.root}/"):
        plain = plain[len(code.root) + 1 :]
    if _FOREIGN.search(plain):
        return ""
    if not plain.startswith(("/", "../")) and db.row("files.by_path", (plain,)):
        return plain
    parts = [part for part in plain.split("/") if part not in ("", "..")]
    # the same file in another checkout, or below the directory where the tool ran
    for start in range(max(0, len(parts) - 12), len(parts) - 1):
        if db.row("files.by_path", (tail := "/".join(parts[start:]),)):
            return tail
    if posixpath.isabs(plain) or not parts:
        return ""
    rows = db.all("reflection.files_ending", {"suffix": "/" + "/".join(parts)})
    return str(rows[0][0]) if len(rows) == 1 else ""


def definitions(code: Code, name: str) -> list[Spot]:
    """Return the places where the index has a definition of `name`."""
    last = re.split(r"::|[./#]", name)[-1]
    if not last:
        return []
    with code.read() as db:
        result = [Subject(*row[:-1]) for row in named(db, last, limit=_KNOWN)]
    return [Spot(subject.path, subject.line, subject.qualified_name) for subject in result if subject.id > 0]
