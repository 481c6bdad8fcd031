"""Swift: the files of a module see each other, and what imported modules offer.

Source: The Swift Programming Language, "Access Control" (modules and source files), "Extensions", and the reference's "Import Declaration".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codeagentd.model.kinds import TYPES, Origin, SymbolFlag
from codeagentd.resolve.namesakes import ANY, OF_OBJECTS, OF_TYPE
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.world import File, Symbol

from .packages import PackageNames

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names

MODULE: Final = "module:"  # how Target.namespace begins for a module, which is no symbol


class SwiftNames(PackageNames):
    """A module is a package without a clause; extensions are places of their type, so that members need no rule."""

    def imported(self, names: Names, file: File, module: str, name: str, use: int = ANY) -> Target | None:
        """`import struct Lib.Shelf`; a whole module is its files."""
        if name in ("", "*"):
            return None
        found = self._whole(names, file, f"{module}.{name}", use)
        return found.by(Origin.IMPORT) if found else EXTERNAL

    def free(self, names: Names, file: File, place: Symbol, name: str, use: int = ANY) -> Target | None:
        """Members that the types around inherit, then the module, then imported modules; a module's own name comes last."""
        if found := self._nested(names, place, name, use):
            return found
        modules = [file.module, *(entry.module for entry in names.world.imports(file.id) if entry.name == "*")]
        for module in modules:
            if found := self._whole(names, file, f"{module}.{name}" if module else name, use):
                found = found.by(Origin.NAMESPACE if module == file.module else Origin.WILDCARD)
                return found if self._is_sure(names, place, found, use) else found.inferred()
        if any(other.language == file.language for other in names.world.files_of_module(name)):
            return Target(namespace=MODULE + name)
        return EXTERNAL if name[:1].isupper() else None

    def beyond(self, names: Names, place: Symbol, target: Target, name: str, use: int = ANY) -> Target | None:
        """What a module declares; None for what no type is known to have."""
        if not target.namespace.startswith(MODULE):
            return None
        found = self._whole(names, names.world.file(place.file), f"{target.namespace.removeprefix(MODULE)}.{name}", use)
        return found.by(Origin.MEMBER) if found else EXTERNAL

    def own(self, names: Names, owner: int, place: Symbol, name: str, above: bool, use: int = ANY) -> Target | None:
        """A member of the object itself, or of the type in what is static."""
        found = names.inheritance.member(owner, name, skip_own=above, use=use, side=_side(names, place))
        return found.by(Origin.SUPER) if found and above else found

    def of_class(self, names: Names, owner: int, place: Symbol, name: str, use: int = ANY) -> Target | None:
        """A member of the type: `Self.lend`."""
        return names.inheritance.member(owner, name, use=use, side=OF_TYPE)

    def unknown(self, names: Names, place: Symbol, name: str, use: int = ANY) -> Target | None:
        """Nothing: extensions are members."""
        return None


def _side(names: Names, place: Symbol) -> int:
    """Whether `self` is the type or one of its objects inside of `place`."""
    while place.parent and names.world.symbol(place.parent).kind not in TYPES:
        place = names.world.symbol(place.parent)
    return OF_TYPE if place.flags & SymbolFlag.STATIC else OF_OBJECTS
