"""The rules for import and export statements, by the names in language.toml."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from . import (
    bash,
    csharp,
    dart,
    ecmascript,
    fortran,
    go,
    include,
    java,
    kotlin,
    links,
    lua,
    php,
    python,
    r,
    ruby,
    rust,
    scala,
    starlark,
    swift,
    verilog,
    vhdl,
    zig,
)
from .functional import clojure, elixir, erlang, haskell, ocaml
from .imported import Exported, ExportRule, Imported, Rule, Statement

__all__ = ["EXPORT_RULES", "RULES", "Exported", "Imported"]


def nothing(statement: Node) -> Statement:
    """Return no imports: the rule of languages without import statements."""
    return iter(())


RULES: Final[dict[str, Rule]] = {
    "python": python.python,
    "clojure": clojure.clojure,
    "csharp": csharp.csharp,
    "dart": dart.dart,
    "ecmascript": ecmascript.ecmascript,
    "fortran": fortran.fortran,
    "elixir": elixir.elixir,
    "erlang": erlang.erlang,
    "go": go.go,
    "haskell": haskell.haskell,
    "ocaml": ocaml.ocaml,
    "php": php.php,
    "r": r.r,
    "ruby": ruby.ruby,
    "bash": bash.bash,
    "lua": lua.lua,
    "include": include.include,
    "java": java.java,
    "kotlin": kotlin.kotlin,
    "rust": rust.rust,
    "scala": scala.scala,
    "starlark": starlark.starlark,
    "swift": swift.swift,
    "verilog": verilog.verilog,
    "vhdl": vhdl.vhdl,
    "zig": zig.zig,
    "none": nothing,
    **links.RULES,
}
EXPORT_RULES: Final[dict[str, ExportRule]] = {  # by capture
    "export.list": ecmascript.export_list,
    "export.object": ecmascript.export_object,
    "export.assignment": ecmascript.export_assignment,
    "export.default": ecmascript.export_default,
    "export.items": haskell.export_items,
    "export.module": ecmascript.export_module,
    "export.name": lua.returned_name,
    "export.table": lua.returned_table,
}
