"""The interface of name rules; a method that a rule does not override follows the usual rules."""

from __future__ import annotations

from typing import ClassVar

from codeagentd.model.kinds import Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import ANY, TYPE, Usage


class NameRule:
    """Name lookup rules of a language. Results: EXTERNAL for a target that is proved to be outside, None for an unknown
    one.
    """

    # whether `decorator` and `as_written` may return another target than that of the name
    depends_on_writing: ClassVar[bool] = False

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module` in `file`; None when the module's file is to be searched."""
        return None

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of an expression in a declaration (a base, a type), as seen from the scope around `place`."""
        return names.dotted(place, text)

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of the first name of an expression in a declaration, as seen from the scope around `place`."""
        return names.in_file(file, place, name)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare name that nothing in its file binds, used inside of `place`."""
        return names.wildcard(file, name)

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a bare name inside of `place` that its own file binds to `symbol`."""
        return Target(symbol.id)

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a name that a wildcard import of `module` brings in, where the import stands around `place`."""
        return None

    def shadowing_member(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The member that hides an imported name inside of `place`."""
        return None

    def further_bases(self, names: NameLookup, symbol: Symbol) -> tuple[int, ...]:
        """Types whose members a type has besides those of the bases that it names; only called for languages that have
        such types (symbols.further_bases).
        """
        return ()

    def is_type(self, place: Symbol) -> bool:
        """Whether the object itself is the type inside of `place`, not one of its objects."""
        return False

    def asks_unknown(self, names: NameLookup, place: Symbol, name: str) -> bool:
        """Whether an unresolved bare name may be a member of the object inside of `place`, by a type of it that is not
        known.
        """
        return False

    def own(
        self, names: NameLookup, owner: int, place: Symbol, name: str, above: bool, use: Usage = ANY
    ) -> Target | None:
        """A member of the object itself inside of `place`, a part of the type `owner`; `above`: one that `owner`
        inherits.
        """
        result = names.inheritance.member(owner, name, skip_own=above, use=use)
        return result.with_origin(Origin.SUPER) if result and above else result

    def of_class(self, names: NameLookup, owner: int, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """A member of the object's class inside of `place`, a part of the type `owner`."""
        return self.own(names, owner, place, name, False, use)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `.name` inside of `place`."""
        return names.default_member(target, name, place, use)

    def fallback_member(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `.name` inside of `place` on a namespace, on an external target, or on a type or value whose
        type has no such member.
        """
        return None

    def of_arity(self, names: NameLookup, target: Target, arity: int) -> Target:
        """Of definitions of one name the one with so many type parameters, where a reference gives so many types."""
        return target

    def decorator(
        self, names: NameLookup, file: File, place: Symbol, name: str, has_receiver: bool, receiver: Target | None
    ) -> Target | None:
        """The type that the name of a decorator inside of `place` stands for, where that has another name; `receiver`:
        the target of what stands before the name.
        """
        return None

    def as_written(self, names: NameLookup, target: Target, type_arguments: int, member: str) -> Target:
        """The target of a reference that has so many type arguments; `member`: the name of a member that is read from
        it, where it is a bare name, else ''. `target` is the symbol of its name.
        """
        return target

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of `.name` inside of `place` on an unknown receiver."""
        return None
