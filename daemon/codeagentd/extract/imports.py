"""Import and export statements: the named rules, one per shape of module system, chosen in language.toml."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from .import_rules import csharp, ecmascript, go, include, links, python
from .import_rules.imported import Exported, ExportRule, Imported, Rule, Statement

__all__ = ["EXPORT_RULES", "RULES", "Exported", "Imported"]


def nothing(statement: Node) -> Statement:
    """For languages without import statements."""
    return iter(())


RULES: Final[dict[str, Rule]] = {
    "python": python.python,
    "csharp": csharp.csharp,
    "ecmascript": ecmascript.ecmascript,
    "go": go.go,
    "include": include.include,
    "none": nothing,
    **links.RULES,
}
EXPORT_RULES: Final[dict[str, ExportRule]] = {  # by capture
    "export.list": ecmascript.export_list,
    "export.object": ecmascript.export_object,
    "export.assignment": ecmascript.export_assignment,
    "export.default": ecmascript.export_default,
    "export.module": ecmascript.export_module,
}
