"""The table of generic languages: those that only the grammar is known of, and no folder of data describes.

`make grammars` derives their queries, and the digests in the table, from the grammars.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import Final

import msgspec

FOLDER: Final = "generic"
TABLE: Final = "languages.json"


class GenericRow(msgspec.Struct, frozen=True):
    """What readers of files need to know of a generic language. `digest`: of its query, which is read when a file needs
    it.
    """

    grammar: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    data: bool = False  # its names refer to nothing
    needs: str = ""  # as of [recognised]
    instead: dict[str, str] = {}
    digest: str = ""


class _Table(msgspec.Struct, frozen=True):
    languages: dict[str, GenericRow]


@functools.cache
def generic_rows() -> dict[str, GenericRow]:
    """Return the rows of the table by the names of languages. JSON, since every process reads it at its start."""
    file = resources.files("codeagentd.languages") / "data" / FOLDER / TABLE
    return msgspec.json.decode(file.read_bytes(), type=_Table).languages
