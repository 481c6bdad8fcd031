"""What a language's own rule of names answers; what it does not say follows the usual rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.model.kinds import Origin
from codeagentd.resolve.overloads.overload_resolution import TYPE
from codeagentd.resolve.targets import Target

if TYPE_CHECKING:
    from codeagentd.resolve.name_lookup import NameLookup
    from codeagentd.resolve.symbol_table import File, Symbol


class NameRule:
    """Answers as in resolve.names: EXTERNAL for what is proved to lie outside, None for what is unknown.

    `use` is one of resolve.namesakes.
    """

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: int = 0) -> Target | None:
        """What `name` of `module` means in `file`; None when the module's file is to be asked."""
        return None

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """An expression in a declaration (a base, a type), as seen from the scope around `place`."""
        return names.dotted(place, text)

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: int = TYPE
    ) -> Target | None:
        """The first name of an expression in a declaration, as seen from the scope around `place`."""
        return names.in_file(file, place, name)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: int = 0) -> Target | None:
        """A bare name that nothing in its file binds, used inside of `place`."""
        return names.wildcard(file, name)

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: int = 0
    ) -> Target | None:
        """What a bare name means inside of `place` that its own file binds to `symbol`."""
        return Target(symbol.id)

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: int = 0
    ) -> Target | None:
        """What an import of everything in `module` brings in under a name, where the import stands around `place`."""
        return None

    def shadowing_member(self, names: NameLookup, place: Symbol, name: str, use: int = 0) -> Target | None:
        """What hides an imported name inside of `place`."""
        return None

    def further_bases(self, names: NameLookup, symbol: Symbol) -> tuple[int, ...]:
        """Types whose members a type has besides those of the bases that it names; only asked in languages that say so
        (symbols.further_bases).
        """
        return ()

    def is_type(self, place: Symbol) -> bool:
        """Whether the object itself is the type inside of `place`, not one of its objects."""
        return False

    def asks_unknown(self, names: NameLookup, place: Symbol, name: str) -> bool:
        """Whether a bare name that nothing answers may be a member of the object inside of `place`, of what it is
        besides.
        """
        return False

    def own(self, names: NameLookup, owner: int, place: Symbol, name: str, above: bool, use: int = 0) -> Target | None:
        """A member of the object itself inside of `place`, a part of the type `owner`; `above`: one that `owner`
        inherits.
        """
        result = names.inheritance.member(owner, name, skip_own=above, use=use)
        return result.with_origin(Origin.SUPER) if result and above else result

    def of_class(self, names: NameLookup, owner: int, place: Symbol, name: str, use: int = 0) -> Target | None:
        """A member of the object's class inside of `place`, a part of the type `owner`."""
        return self.own(names, owner, place, name, False, use)

    def member(self, names: NameLookup, place: Symbol, target: Target, name: str, use: int = 0) -> Target | None:
        """What `.name` means inside of `place`."""
        return names.default_member(target, name, place, use)

    def fallback_member(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: int = 0
    ) -> Target | None:
        """What `.name` means inside of `place` on a namespace, on what lies outside, or on a type or value whose type
        has no such member.
        """
        return None

    def of_arity(self, names: NameLookup, target: Target, arity: int) -> Target:
        """Of definitions of one name the one with so many type parameters, where a reference gives so many types."""
        return target

    def disambiguate_color_color(self, names: NameLookup, target: Target, name: str) -> Target:
        """What a bare name means that is asked for a member `name`."""
        return target

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: int = 0) -> Target | None:
        """What `.name` means inside of `place` on something of which nothing is known."""
        return None
