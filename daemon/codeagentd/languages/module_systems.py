"""Module systems: how imports lead to definitions, one line for each system that language.toml may choose."""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec


class Reexport(Enum):
    """How other files can use the imports of a file."""

    NOTHING = 0
    BY_PATH = 1  # they can be named by the path of the module that has them
    BY_FILE = 2  # they can be imported from the file that has them


class ModuleSystem(msgspec.Struct, frozen=True):
    """Facts of a module system. A rule of resolve.modules finds the targets of its imports."""

    reexport: Reexport = Reexport.NOTHING
    by_name: bool = False  # a definition is the same one in whichever file it stands
    looks_further: bool = False  # what nothing in a file binds may stand in another, without an import that says so
    in_family: bool = False  # only languages of one family refer to each other's definitions
    # a file stands in place of its import, macros with it, and a qualified name begins at the top of the file
    is_pasted: bool = False
    is_data: bool = False  # files name nothing but places in files
    is_example: bool = False  # a fence in a document that is written so shows data, and defines nothing


MODULE_SYSTEMS: Final[dict[str, ModuleSystem]] = {
    "bash": ModuleSystem(),
    "document": ModuleSystem(is_data=True, is_example=True),
    "go": ModuleSystem(looks_further=True, in_family=True),
    "include": ModuleSystem(is_pasted=True, looks_further=True, in_family=True),
    "lua": ModuleSystem(reexport=Reexport.BY_FILE),
    "make": ModuleSystem(is_example=True),
    "none": ModuleSystem(by_name=True, looks_further=True, in_family=True),
    "notebook": ModuleSystem(reexport=Reexport.BY_FILE),
    "path": ModuleSystem(reexport=Reexport.BY_FILE),
    "php": ModuleSystem(in_family=True),
    "protobuf": ModuleSystem(looks_further=True, in_family=True),
    "python": ModuleSystem(reexport=Reexport.BY_FILE, in_family=True),
    "ruby": ModuleSystem(in_family=True),
    "rust": ModuleSystem(reexport=Reexport.BY_PATH, looks_further=True, in_family=True),
    "sass": ModuleSystem(reexport=Reexport.BY_FILE, is_example=True),
    "swift": ModuleSystem(in_family=True),
    "terraform": ModuleSystem(looks_further=True, in_family=True),
}
