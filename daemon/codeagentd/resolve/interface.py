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
    """The types that a type names as its bases; whether all of them are known, and whether some lie in a package
    outside of the repository.
    """

    types: tuple[int, ...]
    are_known: bool
    are_outside: bool
    are_settled: bool  # each is of the repository, or known not to be


class MemberLookup(Protocol):
    """Looks up the bases and the members of types. Each lookup of a member is recorded as a dependency."""

    def bases(self, symbol: Symbol) -> Bases:
        """The bases that a type names, and those that it has without naming them."""

    def mro(self, type_id: int) -> tuple[int, ...]:
        """A type and everything that it inherits from, in the order of lookup."""

    def is_mro_complete(self, type_id: int) -> bool:
        """Whether everything that a type inherits from is of this repository."""

    def has_external_base(self, type_id: int) -> bool:
        """Whether a type inherits members from outside of the repository."""

    def member(
        self, type_id: int, name: str, skip_own: bool = False, use: Usage = ANY, side: Side = EITHER
    ) -> Target | None:
        """A member of a type by name: its own, else the first that it inherits."""

    def declared(self, symbol: int, name: str) -> Sequence[Symbol]:
        """The symbols of a name that a type or another definition contains itself."""

    def search_order(self, type_id: int, *names: str) -> tuple[int, ...]:
        """The MRO of a type in which a rule searches for members of these names itself."""

    def constructors(self, type_id: int) -> list[Symbol]:
        """The constructors that a type declares."""


class TypeInference(Protocol):
    """Infers the types of values that are declared, constructed, returned, or read from a value of a known type."""

    def type_of_target(self, target: Target) -> Target | None:
        """The value that members are read from: of a variable its value, of every other target itself."""

    def type_of_symbol(self, symbol: Symbol, owner: int = 0) -> Target | None:
        """The value of a variable, field, property or enum member; `owner` is the type of the receiver."""

    def type_of_call(self, target: Target) -> Target | None:
        """The result of calling a target."""

    def type_of_annotation(self, place: Symbol, text: str, owner: int = 0) -> Target | None:
        """An instance of the type that a declaration names, read where `place` is declared; `owner` is the type of the
        receiver.
        """

    def is_of_platform(self, place: Symbol, text: str) -> bool:
        """Whether no file of the repository declares any of the types that a text may name."""

    def second(self, target: Target) -> Target | None:
        """The second of several results of calling a target."""

    def iteration_type(self, target: Target) -> Target | None:
        """The element type of iterating over a value."""

    def subscript_type(self, target: Target) -> Target | None:
        """The result of subscripting a value; a type with arguments is that type."""

    def context_manager_type(self, target: Target) -> Target | None:
        """The value that a context manager binds in its block."""

    def container_method(self, container: Target, name: str) -> Target:
        """A method of an external container: it may return the element, or a container of the same elements."""

    def universal_method(self, value: Target, name: str) -> Target | None:
        """A method that every value has and that returns a value of the same type, or passes it to a function."""


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
        """The state that a rule keeps for this lookup: made when it is first needed, by a class or function that stands
        for it.
        """

    def files(self, file: File, module: str) -> Sequence[File]:
        """The files that `module` names in `file`."""

    def named(self, name: str, language: str) -> Sequence[Symbol]:
        """The symbols with a bare name, in a language or those that share its names; recorded as a dependency."""

    def symbols_where(self, language: str, name: str, judge: Callable[[Symbol], bool]) -> tuple[Symbol, ...]:
        """The symbols of a bare name in a language that satisfy `judge`; recorded as a dependency."""

    def qualified(self, family: tuple[str, ...], name: str) -> Sequence[Symbol]:
        """The symbols with a qualified name in any of these languages, which share their names; without files and
        modules. Recorded as a dependency.
        """

    def imported(self, file: File, module: str, name: str, depth: int = 0, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module` in `file`; an external target when the module is not of this repository,
        None when it lacks the name.
        """

    def imported_from_file(self, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of a module that is a file."""

    def module(self, name: str) -> Target | None:
        """A module by its whole dotted name: a file, else a folder of modules."""

    def module_member(self, file: File, name: str, depth: int = 0) -> Target | None:
        """The export of a file by name: its own definition, a re-export, a submodule, or a name behind a wildcard."""

    def wildcard(self, file: File, name: str) -> Target | None:
        """The target of a name that only an `import *` of this file can bind."""

    def expression(self, place: Symbol, text: str, arity: int = 0) -> Target | None:
        """The target of a name in a type position, with so many type arguments, as seen from the scope around
        `place`.
        """

    def dotted(self, place: Symbol, text: str) -> Target | None:
        """A name of dotted parts, each a member of the one before."""

    def lookup_in_scope(self, place: Symbol, name: str, types_only: bool = False, use: Usage = TYPE) -> Target | None:
        """The target of a bare name as seen from the scope around `place`; `use` is the use of the name, for name rules
        that depend on it.
        """

    def enclosing(self, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare name that the definitions around `place` contain, or that the file binds."""

    def of_body(self, place: Symbol, name: str) -> Target | None:
        """The target of a type that a function declares in its own body."""

    def in_file(self, file: File, place: Symbol, name: str, types_only: bool = False) -> Target | None:
        """The target of a bare name that the file of `place` contains, and no definition around it."""

    def prefer_import(self, value: Symbol, imports: Sequence[Target | None]) -> Target | None:
        """The target that an import binds to the name of a variable, where the variable only stands in for an import
        that fails or is left out.
        """

    def lookup_unbound(
        self, file: File, place: Symbol, name: str, use: Usage = ANY, tag: bool = False
    ) -> Target | None:
        """The target of a bare name that nothing in its file binds; `tag`: written as a struct, union or enum."""

    def lookup_wildcard_or_builtin(self, file: File, name: str) -> Target | None:
        """The target of a name that a wildcard import brings into a file, that every file sees, or that is built in."""

    def further_bases(self, symbol: Symbol) -> tuple[int, ...]:
        """Types whose members a type has without naming them."""

    def first_by_position(self, symbols: Sequence[Symbol], origin: Origin) -> Target:
        """One of several symbols with the same name in the same place, the first by path and line; more than one makes
        the choice inferred.
        """

    def select_overload(self, symbols: Sequence[Symbol], use: Usage, origin: Origin) -> Target:
        """One of several that fit a call: the one that needs no default value for it comes first, and is inferred."""

    def member(self, target: Target, name: str, place: Symbol | None = None, use: Usage = ANY) -> Target | None:
        """The target of `.name` on a target inside of `place`; EXTERNAL stays external, None is unknown."""

    def default_member(self, target: Target, name: str, place: Symbol | None = None, use: Usage = ANY) -> Target | None:
        """The target of `.name` on a target, where the language of the place has no rule of its own."""


class ReferenceTargets(Protocol):
    """The targets of one file's references."""

    def target_of(self, index: int) -> Target | None:
        """The target of a reference of the file, at any position."""

    def receiver_target(self, source: int, receiver: Receiver) -> Target | None:
        """The target of a receiver in the symbol `source`: a symbol, an instance, EXTERNAL, or None when unknown."""
