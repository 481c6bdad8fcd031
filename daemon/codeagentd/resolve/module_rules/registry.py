"""The registry of module rules, one per module system, chosen in language.toml; other data of a system is in
languages.module_systems.
"""

from __future__ import annotations

from typing import Final

from codeagentd.languages.language import languages

from .cpp import IncludedModules
from .dart import DartModules
from .document_anchors import DocumentModules
from .ecmascript import ecmascript
from .functional.erlang import erlang
from .functional.haskell import haskell
from .functional.ocaml import ocaml
from .go import GoModules
from .included_by_path import bash, php
from .lua import lua
from .make_proto_sass import make, protobuf, sass
from .namespaces import NamespaceFiles, NamespaceModules, UsedModules
from .python import PythonModules
from .r import RModules
from .ruby import ruby
from .rule import ModuleRule
from .rust import RustModules
from .swift import swift
from .terraform import TerraformModules
from .zig import ZigModules

RULES: Final[dict[str, ModuleRule]] = {
    "bash": ModuleRule(bash),
    "clojure": ModuleRule(),
    "dart": DartModules(),
    "document": DocumentModules(),
    "elixir": ModuleRule(),
    "erlang": ModuleRule(erlang),
    "files": NamespaceFiles(make),
    "fortran": UsedModules(),
    "generic": ModuleRule(),
    "go": GoModules(),
    "haskell": ModuleRule(haskell),
    "include": IncludedModules(),
    "lua": ModuleRule(lua),
    "make": ModuleRule(make),
    "none": NamespaceModules(),
    "notebook": PythonModules(),
    "ocaml": ModuleRule(ocaml),
    "path": ModuleRule(ecmascript),
    "php": ModuleRule(php),
    "protobuf": NamespaceFiles(protobuf),
    "python": PythonModules(),
    "r": RModules(),
    "ruby": ModuleRule(ruby),
    "rust": RustModules(),
    "sass": ModuleRule(sass),
    "swift": ModuleRule(swift),
    "terraform": TerraformModules(),
    "zig": ZigModules(),
}


def rule_of(language: str) -> ModuleRule:
    """The module rule of the language with the name `language`."""
    return RULES[languages()[language].rules.module]
