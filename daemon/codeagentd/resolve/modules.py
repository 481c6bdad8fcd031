"""From an import as written to files: the named rules, one per module system, chosen in language.toml."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from .module_rules import bash, document, ecmascript, include, lua, paths, php, python, ruby, swift, terraform
from .world import File, World

Rule = Callable[[World, File, str], Sequence[File]]


def none(world: World, file: File, module: str) -> Sequence[File]:
    """Languages whose imports name no files, but symbols."""
    return ()


RULES: Final[dict[str, Rule]] = {
    "python": python.python, "path": ecmascript.ecmascript, "go": none, "rust": none, "include": include.include, "none": none,
    "document": document.document, "sass": paths.sass, "make": paths.make, "terraform": terraform.terraform, "protobuf": paths.protobuf,
    "notebook": python.python, "swift": swift.swift, "php": php.php, "ruby": ruby.ruby, "lua": lua.lua, "bash": bash.bash,
}  # fmt: skip
