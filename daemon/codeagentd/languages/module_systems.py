"""Module systems: how imports lead to definitions, with one line for each system that language.toml may choose."""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec


class Reexport(Enum):
    """The extent to which other files can use what a file imports."""

    NOTHING = 0
    BY_PATH = 1  # they can be referred to by the path of the module that has them
    BY_FILE = 2  # they can be imported from the file that has them


class ModuleSystem(msgspec.Struct, frozen=True):
    """The facts of a module system. A rule of resolve.modules finds the targets of its imports."""

    reexport: Reexport = Reexport.NOTHING
    by_name: bool = False  # definitions of one name are the same symbol in all files
    looks_further: bool = False  # a name that a file does not bind may be defined in another file, without an import
    inner_imports: bool = False  # what a definition imports, its file imports
    in_family: bool = False  # only languages of one family refer to each other's definitions
    # an import inserts the text of the file, with its macros; qualified names begin at the top of the file
    is_pasted: bool = False
    is_data: bool = False  # files refer only to positions in files
    is_example: bool = False  # a fence of this kind in a document is an example, and defines nothing


MODULE_SYSTEMS: Final[dict[str, ModuleSystem]] = {
    "bash": ModuleSystem(),
    "clojure": ModuleSystem(in_family=True),
    "dart": ModuleSystem(reexport=Reexport.BY_FILE, looks_further=True),
    "document": ModuleSystem(is_data=True, is_example=True),
    "files": ModuleSystem(looks_further=True, in_family=True),
    "fortran": ModuleSystem(by_name=True, looks_further=True, in_family=True),
    "elixir": ModuleSystem(reexport=Reexport.BY_PATH, inner_imports=True, in_family=True),
    "erlang": ModuleSystem(reexport=Reexport.BY_FILE, inner_imports=True, in_family=True),
    "generic": ModuleSystem(looks_further=True, in_family=True),
    "go": ModuleSystem(looks_further=True, in_family=True),
    "haskell": ModuleSystem(reexport=Reexport.BY_FILE, looks_further=True, in_family=True),
    "include": ModuleSystem(is_pasted=True, looks_further=True, in_family=True),
    "lua": ModuleSystem(reexport=Reexport.BY_FILE),
    "make": ModuleSystem(is_example=True),
    "none": ModuleSystem(by_name=True, looks_further=True, in_family=True),
    "notebook": ModuleSystem(reexport=Reexport.BY_FILE),
    "ocaml": ModuleSystem(reexport=Reexport.BY_FILE, looks_further=True, in_family=True),
    "path": ModuleSystem(reexport=Reexport.BY_FILE),
    "php": ModuleSystem(in_family=True),
    "protobuf": ModuleSystem(looks_further=True, in_family=True),
    "python": ModuleSystem(reexport=Reexport.BY_FILE, in_family=True),
    "r": ModuleSystem(reexport=Reexport.BY_FILE, looks_further=True, in_family=True),
    "ruby": ModuleSystem(in_family=True),
    "rust": ModuleSystem(reexport=Reexport.BY_PATH, looks_further=True, in_family=True),
    "sass": ModuleSystem(reexport=Reexport.BY_FILE, is_example=True),
    "swift": ModuleSystem(in_family=True),
    "terraform": ModuleSystem(looks_further=True, in_family=True),
    "zig": ModuleSystem(reexport=Reexport.BY_FILE),
}
