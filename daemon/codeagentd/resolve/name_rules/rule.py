"""The interface of name rules; a method that a rule does not override follows the usual rules."""

from __future__ import annotations

from typing import ClassVar

from codeagentd.model.kinds import Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import ANY, TYPE, Usage


class NameRule:
    """The rules by which a language looks names up beyond their file.

    In every method `place` is the symbol that contains the name, and `use` is how it is used. A method returns EXTERNAL
    for a target that is certainly outside of the repository, and None for an unknown one.
    """

    has_further_bases: ClassVar[bool] = False  # whether types may have the members of bases that they do not name
    # whether `decorator` and `as_written` may return another target than that of the name
    depends_on_writing: ClassVar[bool] = False

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`, as imported into `file`; None if the file that `module` names is to be
        searched.
        """
        return None

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the expression `text` in a declaration (a base class, a type), as seen from the scope around
        `place`.
        """
        return names.dotted(place, text)

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration, as seen from the scope around
        `place`.
        """
        return names.in_file(file, place, name)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and that nothing in `file` binds."""
        return names.wildcard(file, name)

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and that `file` binds to `symbol`."""
        return Target(symbol.id)

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `name` if the wildcard import of `module` around `place` brings it in, else None."""
        return None

    def shadowing_member(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The member `name` of a type around `place` if it hides an imported name, else None."""
        return None

    def further_bases(self, names: NameLookup, symbol: Symbol) -> tuple[int, ...]:
        """The ids of types whose members `symbol` has besides those of the bases that it names. It is only called where
        `has_further_bases` is true.
        """
        return ()

    def is_type(self, place: Symbol) -> bool:
        """Whether `self` or `this` is the enclosing type inside of `place`, and not one of its objects."""
        return False

    def may_be_unknown_member(self, names: NameLookup, place: Symbol, name: str) -> bool:
        """Whether an unresolved bare `name` inside of `place` may be a member of `self`, through a type of it that is
        not known.
        """
        return False

    def own(
        self, names: NameLookup, owner: int, place: Symbol, name: str, above: bool, use: Usage = ANY
    ) -> Target | None:
        """The member `name` of `self` or `this` inside of `place`, a part of the type `owner`. With `above` only
        inherited members are candidates, as for `super`.
        """
        result = names.inheritance.member(owner, name, skip_own=above, use=use)
        return result.with_origin(Origin.SUPER) if result and above else result

    def of_class(self, names: NameLookup, owner: int, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The member `name` of the class of `self` inside of `place`, a part of the type `owner`."""
        return self.own(names, owner, place, name, False, use)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`."""
        return names.default_member(target, name, place, use)

    def fallback_member(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`, where member lookup finds none:
        `target` is a namespace, external, or a type or value without such a member.
        """
        return None

    def of_arity(self, names: NameLookup, target: Target, arity: int) -> Target:
        """The definition with `arity` type parameters among those that have the name of `target`; `target` itself if
        there is none.
        """
        return target

    def decorator(
        self, names: NameLookup, file: File, place: Symbol, name: str, has_receiver: bool, receiver: Target | None
    ) -> Target | None:
        """The type that the decorator `name` inside of `place` stands for if the type has another name, else None. With
        `has_receiver`, `receiver` is the target of the expression before the name.
        """
        return None

    def as_written(
        self, names: NameLookup, target: Target, type_arguments: int, member: str, *, has_receiver: bool
    ) -> Target:
        """The target of a reference with `type_arguments` type arguments, whose name was resolved to `target`. `member`
        is the name of the member that is read from it, or ''; with `has_receiver` it is itself a member.
        """
        return target

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of the member `name` of a receiver of unknown type, as seen inside of `place`."""
        return None
