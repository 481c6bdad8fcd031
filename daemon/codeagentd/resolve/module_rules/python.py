"""Python: dotted names, absolute or relative."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.model.kinds import Origin
from codeagentd.model.parameters import language_family
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind
from codeagentd.resolve.types.inference import OBJECT_VARIABLES

from .rule import ModuleRule


class PythonModules(ModuleRule):
    """The module rule of Python. A module is a file, or a folder of modules without a file of its own."""

    def __init__(self) -> None:
        super().__init__(python)

    def folder(self, names: NameLookup, file: File, module: str, name: str) -> Target | None:
        """The target of `name` of the folder of modules `module`, which has no file of its own; EXTERNAL if there is no
        such folder.
        """
        whole = _absolute(file, module)
        if not whole or not names.world.is_namespace(whole):
            return EXTERNAL
        return (
            Target(namespace=whole, kind=TargetKind.NAMESPACE, origin=int(Origin.IMPORT))
            if name in ("", "*")
            else names.module(f"{whole}.{name}")
        )

    def prefer_import(self, value: Symbol, imports: Sequence[Target | None]) -> Target | None:
        """The import before the variable: `try: import shelf`, `except ImportError: shelf = None`."""
        if value.kind not in OBJECT_VARIABLES:
            return None
        return next((target for target in imports if target is not None and target.symbol not in (0, value.id)), None)

    def imported_instead(self, names: NameLookup, file: File, value: Symbol, depth: int) -> Target | None:
        """The same among all imports of the file."""
        if value.kind not in OBJECT_VARIABLES:
            return None
        entries = [
            entry
            for entry in names.world.imports(file.id)
            if entry.local == value.name and entry.module and entry.name != "*"
        ]
        imports = [names.imported(file, entry.bound_module, entry.name, depth + 1) for entry in entries]
        result = self.prefer_import(value, imports)
        return result.inferred() if result else None

    def submodule(self, names: NameLookup, file: File, name: str) -> Target | None:
        """The module `name` in the package that `file` is."""
        return names.module(f"{file.module}.{name}" if file.module else name)


def _absolute(file: File, module: str) -> str:
    """The absolute name of a module; a relative one begins at the file's own module. '' where it leads above the
    top.
    """
    if not module.startswith("."):
        return module
    rest = module.lstrip(".")
    parts = file.module.split(".") if file.module else []
    up = len(module) - len(rest) - (file.path.endswith("/__init__.py") or file.path == "__init__.py")
    if up > len(parts):
        return ""
    parts = parts[: len(parts) - up]
    return ".".join([*parts, rest] if rest else parts)


def python(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file of the dotted name `module`, absolute or relative, as imported into `file`; of several the nearest to
    `file`.
    """
    name = _absolute(file, module)
    family = language_family(file.language)
    result = (
        _nearest(file, [other for other in world.files_of_module(name) if other.language in family]) if name else ()
    )
    if result and result[0].project != file.project and _has_package(world, file, name.partition(".")[0]):
        return ()
    return result


def _has_package(world: SymbolTable, file: File, name: str) -> bool:
    """Whether the project of a file has a package of this name itself: it hides those of others with everything inside
    (The import system, "Packages").
    """
    return any(
        other.project == file.project and other.path.endswith("/__init__.py") for other in world.files_of_module(name)
    )


def _nearest(file: File, candidates: Sequence[File]) -> Sequence[File]:
    if len(candidates) < 2:
        return candidates

    def distance(other: File) -> tuple[int, int, str]:
        shared = len(posixpath.commonprefix([file.path, other.path]))
        return (other.project != file.project, -shared, other.path)

    return (min(candidates, key=distance),)
