"""The answers of the toolsets `lens` and `hierarchy`, as frozen values.

File paths are absolute there; packages have `external:<family>/<package>`.
"""

from __future__ import annotations

import msgspec

from .symbol_results import Result


class Range(msgspec.Struct, frozen=True):
    """Lines of a symbol, 1-based and inclusive; 0 to 0 outside of the repository."""

    start_line: int
    end_line: int


class SymbolPlace(Result, frozen=True):
    """A symbol and where it is defined."""

    name: str
    kind: str
    file_path: str
    range: Range
    qualified_name: str


class ReferencePlace(Result, frozen=True):
    """The place of one reference: line 1-based, column 0-based in characters."""

    file_path: str
    line: int
    column: int
    edge_type: str
    confidence: str


class HoverCard(msgspec.Struct, frozen=True):
    """The content of a symbol's hover card; `documentation` without comment signs, None when there is none."""

    name: str
    kind: str
    signature: str
    file_path: str
    start_line: int
    end_line: int
    qualified_name: str
    documentation: str | None


class DocumentSymbol(Result, frozen=True):
    """A symbol of a file.

    `parent` is the qualified name of the enclosing symbol, for a flat list or a parent on another page.
    """

    name: str
    kind: str
    range: Range
    qualified_name: str
    parent: str = ""
    children: list[DocumentSymbol] = []


class TypePlace(Result, frozen=True):
    """A type of a value, with its origin: `via` is the text that names the type."""

    name: str
    kind: str
    file_path: str
    range: Range
    qualified_name: str
    confidence: str
    via: str = ""


class TypeRelative(Result, frozen=True):
    """A supertype or subtype of another type.

    `via` is the qualified name of the type one step nearer, for more than one step.
    """

    name: str
    kind: str
    file_path: str
    range: Range
    qualified_name: str
    direction: str
    depth: int
    edge_type: str
    confidence: str
    via: str = ""


class Position(msgspec.Struct, frozen=True):
    """A place in a file that is named elsewhere: line 1-based, column 0-based in characters."""

    line: int
    column: int


class CallRelative(Result, frozen=True):
    """A caller or callee. `sites` are places in the caller's file; `total_sites` is present when some are left out."""

    name: str
    kind: str
    file_path: str
    range: Range
    qualified_name: str
    depth: int
    confidence: str
    sites: list[Position]
    total_sites: int = 0
    via: str = ""


class ChainLink(Result, frozen=True):
    """One type of a chain; `edge_type` and `confidence` are those of the inheritance from the type before to
    this one.
    """

    name: str
    kind: str
    file_path: str
    range: Range
    qualified_name: str
    edge_type: str = ""
    confidence: str = ""


class InheritanceChain(Result, frozen=True):
    """The bases of a type, up to one whose bases are not known; `truncated` when the chain goes on."""

    chain: list[ChainLink]
    truncated: bool = False


class FileRelative(Result, frozen=True):
    """A file that a file imports, or that imports it. `line` is that of the first import, in the importing file.

    `names` are the imported names, `total_names` their number when some are left out; `via` the file one step nearer,
    for more than one step.
    """

    file_path: str
    direction: str
    depth: int
    line: int
    names: list[str]
    confidence: str
    total_names: int = 0
    via: str = ""
