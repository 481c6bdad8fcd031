"""The named rules of modules, one per module system, chosen in language.toml; what else is told of a system stands in languages.module_systems."""

from __future__ import annotations

from typing import Final

from codeagentd.languages.language import languages

from .anchors import DocumentModules
from .declared import IncludedModules
from .module_rules.bash import bash
from .module_rules.ecmascript import ecmascript
from .module_rules.go import GoModules
from .module_rules.lua import lua
from .module_rules.namespaces import NamespaceFiles, NamespaceModules
from .module_rules.paths import make, protobuf, sass
from .module_rules.php import php
from .module_rules.python import PythonModules
from .module_rules.ruby import ruby
from .module_rules.rule import ModuleRule
from .module_rules.rust import RustModules
from .module_rules.swift import swift
from .module_rules.terraform import TerraformModules

RULES: Final[dict[str, ModuleRule]] = {
    "bash": ModuleRule(bash), "document": DocumentModules(), "go": GoModules(), "include": IncludedModules(), "lua": ModuleRule(lua), "make": ModuleRule(make),
    "none": NamespaceModules(), "notebook": PythonModules(), "path": ModuleRule(ecmascript), "php": ModuleRule(php), "protobuf": NamespaceFiles(protobuf),
    "python": PythonModules(), "ruby": ModuleRule(ruby), "rust": RustModules(), "sass": ModuleRule(sass), "swift": ModuleRule(swift),
    "terraform": TerraformModules(),
}  # fmt: skip


def rule_of(language: str) -> ModuleRule:
    """The rule that a language chooses."""
    return RULES[languages()[language].rules.module]
