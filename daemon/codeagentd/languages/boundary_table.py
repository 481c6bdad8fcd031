"""Boundary tables: the calls, decorators and annotations of a language that cross a boundary, and the meaning of their
arguments, in boundaries.toml.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import Final

import msgspec

from .language import languages

_ROLES: Final = {"route": 1, "group": 2, "mount": 3, "call": 4, "try": 5, "run": 6, "bind": 7, "offer": 8}
NOWHERE: Final = -1  # of an argument: it has no number
VERBS: Final = ("get", "post", "put", "patch", "delete", "head", "options")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One shape of a call, or, with `mark`, of a decorator or annotation. Arguments are counted from 0; -1 is none, -2
    the last.

    `of`: a pattern for the receiver: `module:` where the file imports the name from one of the table's modules
    (`module:rest` with the names between), `@tag` for an object that a row of the role `group` made, else the last name
    of the receiver (`name()` where that is called); empty for a bare name.
    """

    role: str
    of: str = ""
    calls: tuple[str, ...] = ()  # names; `*Stub` for all names with that ending, '' for the imported object itself
    verbs: bool = False  # and the names of HTTP's methods
    protocol: str = "http"
    path: int = 0  # the number of the argument that is the literal
    names: tuple[str, ...] = ()  # or its names, where it is a named argument
    method: str = ""  # the HTTP method of calls that name none
    method_at: int = NOWHERE
    method_name: str = ""  # the named argument with the methods
    to: int = NOWHERE  # the number of the argument that is the handler, or is mounted below the path
    to_name: str = ""
    least: int = 0  # the least number of arguments
    begins: bool = False  # the literal begins with a slash, or is empty
    empty: bool = False  # the literal may be missing
    code: bool = False  # the handler is no data
    mark: bool = False
    tag: str = ""  # the tag of the object of a group
    replaces: bool = False  # the path of a mount replaces the group's own
    rule: str = ""  # the rule of extract.boundaries for shapes that columns cannot express

    @property
    def number(self) -> int:
        """The number that stands for the role in facts."""
        return _ROLES[self.role]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of one boundaries.toml.

    A file may have boundaries where it imports one of `modules` (patterns), has one of `words` as a name, or contains
    one of `texts`.
    """

    rows: tuple[Row, ...] = ()
    calls: tuple[str, ...] = ()  # types of nodes that are calls
    callees: tuple[str, ...] = ()  # names that may end in a called name
    marks: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    known: tuple[str, ...] = ()  # modules that do not make a file have boundaries
    words: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    # a pattern for names without references: unbound names, attributes; its group is the name
    signs: str = ""
    natives: str = ""  # the form of definitions whose body is in another language: extract.boundaries.ffi
    serves: str = ""  # a pattern for bases of types that serve procedures; its group is the service
    procedures: bool = False  # services have procedures: an interface definition
    commands: bool = False  # every command may start a program
    libraries: str = ""  # a pattern for modules of native code
    hands_over: bool = False  # objects with routes are passed to functions that add routes


class Boundaries:
    """A boundary table with its compiled patterns."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.serves = re.compile(table.serves) if table.serves else None
        self.signs = re.compile(table.signs.encode()) if table.signs else None
        self._rows: dict[str, list[tuple[Row, re.Pattern[str]]]] = {}
        for row in table.rows:
            for name in (*row.calls, *(VERBS if row.verbs else ())):
                self._rows.setdefault(name, []).append((row, re.compile(row.of)))
        self._library = _any_of((table.libraries,) if table.libraries else ())
        self._endings = tuple(name[1:] for name in self._rows if name.startswith("*"))
        self._texts = [text.encode() for text in table.texts]
        self._module = _any_of(table.modules)
        self._known = _any_of((*table.modules, *table.known))

    def concerns(self, names: Iterable[str], source: bytes) -> bool:
        """Whether a file with these names and this source may have boundaries."""
        return not self.table.words.isdisjoint(names) or any(text in source for text in self._texts)

    def is_crossed(self, modules: Iterable[str]) -> bool:
        """Whether a file that imports `modules` may have boundaries, by these and by its language."""
        return self.table.commands or self.table.procedures or any(map(self._module.fullmatch, modules))

    def knows(self, module: str) -> bool:
        """Whether a row of the table concerns the module `module`."""
        return self._known.fullmatch(module) is not None

    def is_library(self, module: str) -> bool:
        """Whether the module `module` is native code."""
        return self._library.fullmatch(module) is not None

    def may_call(self, name: str) -> bool:
        """Whether a row of the table concerns calls of `name`."""
        return name in self._rows or name.endswith(self._endings)

    def row(self, of: str, name: str, is_mark: bool) -> Row | None:
        """Return the first row that matches the callee `name` on the receiver `of` or, with `is_mark`, a decorator or
        annotation; None if none does.
        """
        rows = self._rows.get(name) or next(
            (self._rows["*" + ending] for ending in self._endings if name.endswith(ending)), []
        )
        return next((row for row, pattern in rows if row.mark == is_mark and pattern.fullmatch(of)), None)


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) if patterns else "(?!)")


@functools.cache
def boundaries(language: str) -> Boundaries | None:
    """Return the boundaries of `language`; None for a language without a table."""
    folder = languages()[language].boundaries
    if not folder:
        return None
    file = resources.files("codeagentd.languages") / "data" / folder / "boundaries.toml"
    return Boundaries(msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Table))
