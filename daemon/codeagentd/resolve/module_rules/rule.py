"""The interface of module rules; a method that a rule does not override follows the usual rules, by which a module is a
file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from codeagentd.model.kinds import Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.overload_resolution import applicable
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import Usage

Files = Callable[["SymbolTable", "File", str], Sequence["File"]]

FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


def no_files(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """Return no files: the rule for imports that name symbols."""
    return ()


class ModuleRule:
    """The rules by which a module system looks names up.

    In every method `place` is the symbol that contains the name, and `use` is how it is used. A method returns EXTERNAL
    for a target that is certainly outside of the repository, and None for an unknown one.
    """

    depends_on_position: ClassVar[bool] = False  # the target of a bare name depends on its position in the file
    # a bare name that may be a member of a type is looked up in the types alone
    finds_members_by_type: ClassVar[bool] = False

    importing: ClassVar[frozenset[int]] = frozenset()  # kinds that may import all names of a module for themselves

    def __init__(self, files: Files = no_files) -> None:
        self.files = files  # those that a module means in a file

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of `module`, as imported into `file`; `depth` is the number of imports
        followed before.
        """
        return names.imported_from_file(file, module, name, depth)

    def folder(self, names: NameLookup, file: File, module: str, name: str) -> Target | None:
        """The target of `name` of a `module` without a file, as imported into `file`."""
        return EXTERNAL

    def prefer_import(self, value: Symbol, imports: Sequence[Target | None]) -> Target | None:
        """The target that an import binds to the name of a variable, where the variable only stands in for an import
        that fails or is left out.
        """
        return None

    def imported_instead(self, names: NameLookup, file: File, value: Symbol, depth: int) -> Target | None:
        """The target of an import of the file that a variable of its name only stands in for."""
        return None

    def submodule(self, names: NameLookup, file: File, name: str) -> Target | None:
        """The module `name` inside of the module that `file` is."""
        return None

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage
    ) -> Target | None:
        """The target of `name` if the wildcard import of `module` in a function around `place` brings it
        in, else None.
        """
        return None

    def visible(self, names: NameLookup, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare `name` in a declaration, as seen from the scope around `place`. With `types_only` only
        types and namespaces are candidates.
        """
        return names.enclosing(file, place, name, types_only)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and that nothing in `file` binds; `tag`: it is
        written as a struct, union or enum.
        """
        return names.lookup_wildcard_or_builtin(file, name)

    def is_foreign(self, names: NameLookup, file: File, name: str) -> bool:
        """Whether `name`, the first part of a qualified name in a declaration, is certainly external."""
        return False

    def exported_member(self, names: NameLookup, module: Symbol, name: str, use: Usage) -> Target | None:
        """The target of `name` in `module`, the symbol of a file or of a module inside of a file."""
        return names.module_member(names.world.file(module.file), name)

    def inside(self, names: NameLookup, file: File, namespace: Symbol, name: str, use: Usage) -> Target | None:
        """The member `name` of `namespace`, as seen in `file`."""
        members = names.world.members(namespace.id).get(name)
        fits = applicable(names, members, use) if members else ()
        return names.first_by_position(fits, Origin.MEMBER) if fits else None

    def nested(self, names: NameLookup, outer: Symbol, name: str) -> Target | None:
        """The type `name` that `outer` declares and that is defined elsewhere."""
        return None
