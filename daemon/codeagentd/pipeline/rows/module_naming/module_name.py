"""The names of one file."""

from __future__ import annotations

import msgspec


class ModuleName(msgspec.Struct, frozen=True, gc=False):
    """The names of one file as a module. `qualified` prefixes the names of the file's symbols ('' = no prefix);
    `imported` is another name that imports use ('' = the same).
    """

    own: str  # name of the file's own symbol
    qualified: str
    imported: str = ""
    is_package: bool = False  # the file is one of several that make the namespace called `qualified`
