"""The analysis of one text as an editor has it: what it defines, which names it uses, and its local variables.

Lines count from 1, columns from 0 in characters of the text after an optional byte order mark, as in the index. A
*target* is a number that stands for a symbol: above zero its id in the index; below zero -1 - the index of a definition
of the same document that the index does not have; 0 for none.
"""

from __future__ import annotations

from typing import Final

import msgspec

OPEN: Final = 0  # the target of a member on a receiver of unknown type: it is matched by name

# DocumentAnalysis.status
FULL: Final = "full"
PARTIAL: Final = "partial"  # the parser skipped over errors
REFUSED: Final = "refused"  # too large, nested too deeply, or it has ended the process before: nothing is known of it

# Fold.kind
COMMENT: Final = "comment"
IMPORTS: Final = "imports"

LOCAL_VARIABLE: Final = 0  # Completion.kind, of what is no symbol; else it is a model.kinds.SymbolKind


class DocumentText(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A text of an editor. `path` is relative to the repository; `language` may be '' for that of the path."""

    path: str
    language: str
    text: str


class Definition(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A definition of a document; the first one is the file itself.

    `symbol` is its id in the index, 0 if the index has none; `parent` the index of the definition around it, -1 for the
    file; `line` and `column` are the place of its name. `kind` is a model.kinds.SymbolKind, `flags` are SymbolFlags.
    """

    symbol: int
    name: str
    qualified_name: str
    kind: int
    parent: int
    line_start: int
    line_end: int
    line: int
    column: int
    flags: int = 0
    signature: str | None = None
    returns: str | None = None
    type: str = ""


class NameUse(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A reference: an occurrence of a name, and its target. A place may have several.

    `kind` is a model.kinds.ReferenceKind, `confidence` a model.kinds.Confidence. External symbols are no targets.
    """

    line: int
    column: int
    target: int
    kind: int
    confidence: int


class LocalVariable(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A variable or parameter that is no symbol: the lines of its scope, and all of its occurrences in order, each as
    (line, column, whether it is bound there). `types` are the targets of its types as far as they are known.

    `is_import`: it is the name of an import, whose target may be outside of the repository.
    """

    name: str
    line_start: int
    line_end: int
    is_parameter: bool
    places: tuple[tuple[int, int, bool], ...]
    types: tuple[int, ...] = ()
    is_import: bool = False


class DocumentAnalysis(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The analysis of a document. The uses are in the order of their places, and so are the variables of theirs."""

    language: str
    status: str
    definitions: list[Definition] = []
    uses: list[NameUse] = []
    variables: list[LocalVariable] = []


class Fold(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Lines that an editor can fold. `kind` is COMMENT, IMPORTS or ''."""

    line_start: int
    line_end: int
    kind: str = ""


class Place(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A place in a document."""

    line: int
    column: int


class Range(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A range of a document; the end is exclusive."""

    line_start: int
    column_start: int
    line_end: int
    column_end: int


class Completion(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A name that may be written at a place. `kind` is a model.kinds.SymbolKind, or LOCAL_VARIABLE; `target` is 0 for a
    local variable or an imported name; `detail` is its signature or type in short.
    """

    name: str
    kind: int
    target: int
    detail: str = ""
