"""What a module system answers; what it does not say follows the usual rules, by which a module is a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from codeagentd.model.kinds import Origin
from codeagentd.resolve.overloads.overload_resolution import applicable
from codeagentd.resolve.targets import EXTERNAL, Target

if TYPE_CHECKING:
    from codeagentd.resolve.name_lookup import NameLookup
    from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable

Files = Callable[["SymbolTable", "File", str], Sequence["File"]]


def no_files(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """Imports that name no files, but symbols."""
    return ()


class ModuleRule:
    """Answers as in resolve.names: EXTERNAL for what is proved to lie outside, None for what is unknown.

    `use` is one of resolve.namesakes.
    """

    depends_on_position: ClassVar[bool] = False  # what a bare name means depends on where in its file it stands
    asks_types: ClassVar[bool] = (
        False  # what a bare name means that may be a member of a type is found by asking the types alone
    )

    def __init__(self, files: Files = no_files) -> None:
        self.files = files  # those that a module means in a file

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """What `name` of `module` means in `file`; `depth`: how many imports were followed before."""
        return names.imported_from_file(file, module, name, depth)

    def folder(self, names: NameLookup, file: File, module: str, name: str) -> Target | None:
        """What `name` of a module means that has no file."""
        return EXTERNAL

    def submodule(self, names: NameLookup, file: File, name: str) -> Target | None:
        """A module of this name inside of the one that a file is."""
        return None

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: int
    ) -> Target | None:
        """What an import of everything in `module` brings in under a name, where the import stands in a function around
        `place`.
        """
        return None

    def visible(self, names: NameLookup, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """A bare name in a declaration, as seen from the scope around `place`."""
        return names.enclosing(file, place, name, types_only)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: int, tag: bool) -> Target | None:
        """A bare name that nothing in its file binds, used inside of `place`; `tag`: said to be a struct, union or
        enum.
        """
        return names.lookup_wildcard_or_builtin(file, name)

    def is_foreign(self, names: NameLookup, file: File, name: str) -> bool:
        """Whether what a qualified name in a declaration begins with is surely from outside."""
        return False

    def exported_member(self, names: NameLookup, module: Symbol, name: str, use: int) -> Target | None:
        """What a module has under a name, be it a file or inside of one."""
        return names.module_member(names.world.file(module.file), name)

    def inside(self, names: NameLookup, file: File, namespace: Symbol, name: str, use: int) -> Target | None:
        """A member of a namespace, as seen in `file`."""
        members = names.world.members(namespace.id).get(name)
        fits = applicable(names, members, use) if members else ()
        return names.first_by_position(fits, Origin.MEMBER) if fits else None

    def nested(self, names: NameLookup, outer: Symbol, name: str) -> Target | None:
        """A type of a type that is declared inside of it and defined elsewhere."""
        return None
