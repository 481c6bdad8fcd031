"""The interface of name lookup, member lookup and type inference, by which the rules of languages call each other.

Only name_lookup imports the implementations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from codeagentd.model.kinds import Origin
from codeagentd.resolve.usage import ANY, EITHER, TYPE, Side, Usage

from .packed_references import Receiver
from .query_cache import QueryState
from .symbol_table import File, Symbol, SymbolTable
from .targets import Target

S = TypeVar("S")
# in place of a type, where all extensions or constants of a name are looked up, which are no type's members
BY_NAME: Final = 0


class Bases(NamedTuple):
    """The bases of a type.

    `types`: the ids of those in the repository. `are_known`: whether these are all of them. `are_outside`: whether some
    lie in another package. `are_settled`: whether each is known to be in the repository or outside of it.
    """

    types: tuple[int, ...]
    are_known: bool
    are_outside: bool
    are_settled: bool  # each is of the repository, or known not to be


class MemberLookup(Protocol):
    """Looks up the bases and the members of types. Each lookup of a member is recorded as a dependency."""

    def bases(self, symbol: Symbol) -> Bases:
        """The bases that the type `symbol` names, and those that it has without naming them."""

    def mro(self, type_id: int) -> tuple[int, ...]:
        """The ids of the type `type_id` and of everything that it inherits from, in the order of lookup."""

    def is_mro_complete(self, type_id: int) -> bool:
        """Whether everything that the type `type_id` inherits from is of this repository."""

    def has_external_base(self, type_id: int) -> bool:
        """Whether the type `type_id` inherits members from outside of the repository."""

    def member(
        self, type_id: int, name: str, skip_own: bool = False, use: Usage = ANY, side: Side = EITHER
    ) -> Target | None:
        """The member `name` of the type `type_id`: its own, unless `skip_own`, else the first that it inherits. `side`
        restricts it to members of the type or of its objects.
        """

    def declared(self, symbol: int, name: str) -> Sequence[Symbol]:
        """The symbols called `name` that the type or other definition `symbol` contains itself."""

    def search_order(self, type_id: int, *names: str) -> tuple[int, ...]:
        """Return the MRO of the type `type_id` to a caller that searches it itself for members called `names`; these
        are recorded as looked up.
        """

    def constructors(self, type_id: int) -> list[Symbol]:
        """The constructors that the type `type_id` declares."""


class TypeInference(Protocol):
    """Infers the types of values that are declared, constructed, returned, or read from a value of a known type."""

    def type_of_target(self, target: Target) -> Target | None:
        """Infer the type whose members are read from `target`: of a variable the type of its value, of any other target
        itself.
        """

    def type_of_symbol(self, symbol: Symbol, owner: int = 0) -> Target | None:
        """Infer the type of `symbol`, a variable, field, property or enum member. `owner` is the type of the receiver,
        0 for none.
        """

    def type_of_call(self, target: Target) -> Target | None:
        """Infer the type of the result of calling `target`; None if it is unknown."""

    def type_of_annotation(self, place: Symbol, text: str, owner: int = 0) -> Target | None:
        """Return an instance of the type that the annotation `text` names, as seen where `place` is declared. `owner`
        is the type of the receiver, 0 for none.
        """

    def is_of_platform(self, place: Symbol, text: str) -> bool:
        """Whether no file of the repository declares any of the types that the annotation `text` of `place` names."""

    def second(self, target: Target) -> Target | None:
        """Infer the type of the second of several results of calling `target`."""

    def iteration_type(self, target: Target) -> Target | None:
        """Infer the element type of iterating over the value `target`."""

    def subscript_type(self, target: Target) -> Target | None:
        """Infer the type of the result of subscripting `target`; a type with type arguments is that type."""

    def context_manager_type(self, target: Target) -> Target | None:
        """Infer the type of the value that the context manager `target` binds in its block."""

    def container_method(self, container: Target, name: str) -> Target:
        """The method `name` of the external `container`: it may return the element, or a container of the same
        elements.
        """

    def universal_method(self, value: Target, name: str) -> Target | None:
        """The method `name` if every value has it, else None. It returns a value of the type of `value`, or passes such
        a value to a callback.
        """


class NameLookup(Protocol):
    """Looks names up in one state of the repository."""

    @property
    def world(self) -> SymbolTable:
        """The symbols of the repository."""

    @property
    def queries(self) -> QueryState:
        """The state that the query caches share."""

    @property
    def inheritance(self) -> MemberLookup:
        """The lookup of members."""

    @property
    def values(self) -> TypeInference:
        """The inference of types."""

    def state(self, make: Callable[[NameLookup], S]) -> S:
        """The state that a rule keeps for this lookup. `make` creates it on first use, and is the key under which it is
        kept.
        """

    def files(self, file: File, module: str) -> Sequence[File]:
        """The files that `module` names in `file`."""

    def named(self, name: str, language: str) -> Sequence[Symbol]:
        """The symbols with the bare name `name`, in `language` or those that share its names; recorded as a
        dependency.
        """

    def symbols_where(self, language: str, name: str, judge: Callable[[Symbol], bool]) -> tuple[Symbol, ...]:
        """The symbols with the bare name `name` in `language` that satisfy `judge`; recorded as a dependency."""

    def qualified(self, family: tuple[str, ...], name: str) -> Sequence[Symbol]:
        """The symbols with the qualified name `name` in any language of `family`, without files and modules; recorded
        as a dependency.
        """

    def imported(self, file: File, module: str, name: str, depth: int = 0, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`, as imported into `file`; an external target if `module` is not of this
        repository, None if it lacks the name. `depth` is the number of imports followed before.
        """

    def imported_from_file(self, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of the file that `module` names, as imported into `file`. `depth` is the number of
        imports followed before.
        """

    def module(self, name: str) -> Target | None:
        """The module with the whole dotted name `name`: a file, else a folder of modules."""

    def module_member(self, file: File, name: str, depth: int = 0) -> Target | None:
        """The export `name` of `file`: its own definition, a re-export, a submodule, or a name behind a wildcard.
        `depth` is the number of imports followed before.
        """

    def wildcard(self, file: File, name: str) -> Target | None:
        """The target of `name` if an `import *` of `file` binds it, else None."""

    def expression(self, place: Symbol, text: str, arity: int = 0) -> Target | None:
        """The target of the name `text` in a type position with `arity` type arguments, as seen from the scope around
        `place`.
        """

    def dotted(self, place: Symbol, text: str) -> Target | None:
        """The target of the dotted name `text`, each part a member of the one before, as seen from the scope around
        `place`.
        """

    def lookup_in_scope(self, place: Symbol, name: str, types_only: bool = False, use: Usage = TYPE) -> Target | None:
        """The target of a bare `name` as seen from the scope around `place`; `use` is how the name is used, for name
        rules that depend on it.
        """

    def enclosing(self, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare `name` that the definitions around `place` contain, or that `file` binds."""

    def of_body(self, place: Symbol, name: str) -> Target | None:
        """The target of `name`, a type that the function `place` declares in its own body; None if it has none."""

    def in_file(self, file: File, place: Symbol, name: str, types_only: bool = False) -> Target | None:
        """The target of a bare `name` that `file` itself declares, imports, or sees without binding it; definitions
        around `place` are not searched.
        """

    def lookup_unbound(
        self, file: File, place: Symbol, name: str, use: Usage = ANY, tag: bool = False
    ) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and that nothing in `file` binds; `tag`: it is
        written as a struct, union or enum.
        """

    def lookup_wildcard_or_builtin(self, file: File, name: str) -> Target | None:
        """The target of a `name` that a wildcard import brings into `file`, that every file sees, or that
        is built in.
        """

    def further_bases(self, symbol: Symbol) -> tuple[int, ...]:
        """The ids of types whose members `symbol` has without naming them as bases."""

    def first_by_position(self, symbols: Sequence[Symbol], origin: Origin) -> Target:
        """One of `symbols` with the same name in the same place: types first, then by path and line. The result is
        inferred if there are several.
        """

    def select_overload(self, symbols: Sequence[Symbol], use: Usage, origin: Origin) -> Target:
        """One of `symbols`, which all fit the call `use`: the one with the best conversions and without the need for a
        default value. It is inferred unless it is certainly the best.
        """

    def member(self, target: Target, name: str, place: Symbol | None = None, use: Usage = ANY) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`. It is external if `target` is, None
        if unknown.
        """

    def default_member(self, target: Target, name: str, place: Symbol | None = None, use: Usage = ANY) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`, by the rules that most languages
        share.
        """


class ReferenceTargets(Protocol):
    """The targets of one file's references."""

    def target_of(self, index: int) -> Target | None:
        """The target of the reference number `index` of the file, at any position."""

    def receiver_target(self, source: int, receiver: Receiver) -> Target | None:
        """The target of `receiver` in the symbol with the index `source`: a symbol, an instance, EXTERNAL, or None if
        unknown.
        """

    def local_type(self, source: int, binding: int) -> Target | None:
        """The type of a local variable in the symbol with the index `source`, by its binding as a receiver."""
