"""The changes of a batch that other files can notice, and the files that they affect, judged by the names that these
mention.
"""

from __future__ import annotations

import functools
import re
import sys
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final

import msgspec

from codeagentd.languages.language import Language, languages
from codeagentd.model.facts import EXPRESSION
from codeagentd.model.ids import name_hash, numbers_of
from codeagentd.model.kinds import HEIRS, TYPES, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.resolve.interface import BY_NAME, NameLookup
from codeagentd.resolve.name_lookup import NAME_RULES
from codeagentd.resolve.symbol_table import File
from codeagentd.store.connection import Database, Row

from .inheritance_index import InheritanceIndex
from .member_dependencies import (
    depends_on,
    has_others,
    is_found_by_name,
    member_dependency_hashes,
    uses_type_lookups_only,
)

OF_FOLDERS: Final = frozenset({"__init__", "index", "_index", "README"})  # files that go by their folder's name
RUST_FOLDERS: Final = frozenset({"mod", "lib", "main"})  # Rust: the modules of the folder are inside of these
_ACCESS: Final = re.compile(r"(\.|::?|->|#)?\s*([\w$]+)")  # a name, and the operator of a member access before it
_OF_VALUES: Final = ("typeof", "decltype")  # types that are said by values
SEARCHED_NAMES: Final = 2  # changed names up to which SQLite searches for them: 72 ms a name of 60,000 files
FEW_NAMES: Final = 40  # changed names up to which a search per name beats building a set per file


class Lookup(IntEnum):
    """The ways in which references find a symbol; each has fewer than the one before."""

    FREE = 0  # by its bare name as well
    VALUE = 1  # as a member of a type, and in a type that is written as a value
    METHOD = 2  # as a member of a type


class Imports(msgspec.Struct, frozen=True):
    """Imports that a file has gained or lost.

    `rows`: (local name, module, name, whether it is exported). `is_there`: whether the file still exists.
    """

    file: File
    rows: frozenset[tuple[str, str, str, int]]
    is_there: bool


class NameDependency(msgspec.Struct, frozen=True):
    """A changed name, as a condition on the files that depend on it: they mention `key`, and one of `others` as well,
    or lie below `folder`, unless they may be `anywhere`.

    `languages`: those in which the name has changed; a file depends on it only where it may see names of one of them
    ('' among them: every file does). `lookup`: the ways in which references find it. `member_hashes`: where it only is
    a member of types, the lookups of it; a file that finds members through types alone depends on it only if it made
    one of these. None: every file that mentions the name depends on it.
    """

    key: int
    anywhere: bool = True
    others: tuple[int, ...] = ()
    folder: str = ""
    languages: frozenset[str] = frozenset({""})
    lookup: Lookup = Lookup.FREE
    member_hashes: frozenset[int] | None = None

    def __or__(self, other: NameDependency) -> NameDependency:
        """Return the dependency that covers both, which are on one name, as far as symbols depend on it."""
        ours, theirs = self.member_hashes, other.member_hashes
        members = None if ours is None or theirs is None else ours | theirs
        return NameDependency(self.key, lookup=min(self.lookup, other.lookup), member_hashes=members)


class ApiChanges:
    """The changes of a batch that other files can notice, collected while it is written."""

    def __init__(self) -> None:
        # keys of names that mean something else to files that see these languages ('': to all files)
        self.names: dict[int, set[str]] = defaultdict(set)
        self.lookups: dict[int, Lookup] = {}  # the ways in which references find these names
        self.members: dict[
            int, set[tuple[int, int]] | None
        ] = {}  # by key: changed symbols and the owners they are looked up on; None = not only members of types
        # by type: keys of its members that came, went or are others: members of subtypes may override them
        self.overridable: dict[int, set[int]] = defaultdict(set)
        self.constructed: set[int] = set()  # types whose constructors came, went or are others
        self.modules: set[NameDependency] = set()  # files that came or went
        self.has_other_modules = False  # a file came or went, ceased to be read, or has another language or module
        self.rebased: set[int] = set()  # types whose bases are written differently
        self.locals: dict[
            int, set[int] | None
        ] = {}  # by file of the batch: keys of names that its imports bind to something else; None = any name
        self.imports: list[Imports] = []
        self.included: set[str] = set()  # paths of files that came or went, or include others than before
        self.languages: set[str] = set()  # in which an import came or went that holds for all files
        self.files: list[int] = []  # files of the batch itself
        # files that declare a symbol together with others, which now has another parent or is stored with another file
        self.declaring: set[int] = set()

    def dependencies(self, database: Database, inheritance: InheritanceIndex | None) -> set[NameDependency]:
        """Return the dependencies of files on the collected changes.

        Args: inheritance: None where the subtypes of some type are not known.
        """
        return {self._dependency(database, key, inheritance) for key in self.names} | self.modules

    def _dependency(self, database: Database, key: int, inheritance: InheritanceIndex | None) -> NameDependency:
        spoken, lookup, members = self.names[key], self.lookups[key], self.members[key] or set()
        changed, owners = {symbol for symbol, _ in members}, {owner for _, owner in members}
        by_members = (
            inheritance
            and members
            and all(has_others(database, key, language, changed, values=lookup == Lookup.VALUE) for language in spoken)
        )
        return NameDependency(
            key,
            languages=frozenset(spoken),
            lookup=lookup,
            member_hashes=member_dependency_hashes(inheritance, owners, key) if inheritance and by_members else None,
        )

    def note(
        self,
        key: int,
        kind: int,
        language: str | None,
        owner_kind: int = 0,
        symbol: int = 0,
        owner: int = 0,
        by_name: bool = False,
    ) -> None:
        """Note that the name with this key has another meaning now, because of a symbol of this kind in `language`.
        Namespaces belong to all languages.

        Args: owner_kind: the kind of the symbol's `owner`; by_name: the symbol is looked up by its name alone as well.
        """
        if owner and owner_kind in HEIRS and kind not in TYPES:
            if kind == SymbolKind.CONSTRUCTOR:
                self.constructed.add(owner)
            else:
                self.overridable[owner].add(key)
        lookup = lookup_kind(key, kind, language, owner_kind)
        self.names[key].add("" if kind == SymbolKind.NAMESPACE else language or "")
        self.lookups[key] = min(self.lookups.get(key, Lookup.METHOD), lookup)
        members = self.members.setdefault(key, set())
        if members is not None and owner and is_member_lookup(kind, lookup):
            members.update((symbol, owner_id) for owner_id in _owners_to_look_up(owner, by_name))
        else:
            self.members[key] = None


def lookup_kind(key: int, kind: int, language: str | None, owner_kind: int) -> Lookup:
    """Return the ways in which references find a symbol with these properties. A bare name finds one that is no member
    of a type, a type inside of a type, and a constructor that has the name of its type.
    """
    if (
        owner_kind not in TYPES
        or kind in TYPES
        or (kind == SymbolKind.CONSTRUCTOR and key not in _constructors(language or ""))
    ):
        return Lookup.FREE
    return Lookup.METHOD if kind in (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR) else Lookup.VALUE


def is_member_lookup(kind: int, lookup: Lookup) -> bool:
    """Whether references that find a symbol of this kind by `lookup` find it only as a member of its type. Members of
    an enum may be imported into scopes.
    """
    return lookup != Lookup.FREE and kind != SymbolKind.ENUM_MEMBER


def _owners_to_look_up(owner: int, by_name: bool) -> tuple[int, ...]:
    """The owners on which a member of a type is looked up."""
    return (owner, BY_NAME) if by_name else (owner,)


@functools.cache
def _constructors(language: str) -> frozenset[int]:
    known = languages().get(language)
    return frozenset(map(key_of, known.symbols.constructors)) if known else frozenset()


@functools.cache
def visible_languages(language: str) -> frozenset[str]:
    """Return the languages whose definitions a file of `language` can refer to by name ('' among them). For a language
    whose files contain others, or refer to paths, these are all languages.
    """
    known = languages()[language]
    if known.rules.parts != "none" or not known.modules.in_family:
        return frozenset({"", *languages()})
    return frozenset({"", *language_family(language)})


def names_with_changed_type(
    database: Database,
    names: NameLookup,
    file: int,
    changed: Mapping[int, NameDependency] | None,
    inheritance: InheritanceIndex | None,
) -> set[NameDependency]:
    """Return the dependencies on those symbols of `file` whose types, results, values or callbacks are written with a
    name in `changed`.

    Args: changed: None: any name; inheritance: as for ApiChanges.dependencies.
    """
    language = languages().get(str(database.value("world.language_of_file", (file,), "")))
    signed = language is not None and _may_name_types(language)
    bare = language is None or language.symbols.members_in_scope or language.rules.names in NAME_RULES
    inheritance = inheritance if language is not None and uses_type_lookups_only(language.name) else None
    result = set()
    for symbol, key, kind, owner, owner_kind, type_, returns, signature, bases in database.all(
        "world.valued_of_file", (file,)
    ):
        if changed is not None:
            type_dependencies = _rests_on((type_, returns or ""), changed, bare=bare)
            signs = _rests_on((signature or "",), changed, bare=bare) if signed else []
            if not type_dependencies and not signs:
                continue
            hashes = set[int]().union(*(dependency.member_hashes or () for dependency in type_dependencies))
            if (
                inheritance
                and not signs
                and all(dependency.member_hashes is not None for dependency in type_dependencies)
                and not depends_on(names, symbol, hashes)
            ):
                continue
        lookup = lookup_kind(key, kind, language.name if language else None, owner_kind)
        owners = _owners_to_look_up(owner, is_found_by_name(kind, owner_kind, bases, signature))
        member_hashes = (
            member_dependency_hashes(inheritance, owners, key)
            if inheritance and is_member_lookup(kind, lookup)
            else None
        )
        result.add(
            NameDependency(
                key,
                languages=frozenset({language.name if language else ""}),
                lookup=lookup,
                member_hashes=member_hashes,
            )
        )
    return result


def _may_name_types(language: Language) -> bool:
    """Whether the signature of a definition may decide a type in another file: that of a callback, an argument or a
    part of a variant.
    """
    rules, types = language.symbols, language.types
    return types.callbacks or types.payloads or bool(language.arguments) or rules.extending_parameters or rules.labels


def _rests_on(texts: Iterable[str], changed: Mapping[int, NameDependency], *, bare: bool) -> list[NameDependency]:
    """The changed names that are written in a type or an expression where they may change its meaning.

    Args: bare: members of a type are looked up without a dot as well.
    """
    result = []
    for text in texts:
        is_value = text.startswith(EXPRESSION) or any(sign in text for sign in _OF_VALUES)
        for sign, word in _ACCESS.findall(text):
            dependency = changed.get(key_of(word))
            if dependency is not None and (
                dependency.lookup == Lookup.FREE or ((is_value or dependency.lookup == Lookup.VALUE) and (bare or sign))
            ):
                result.append(dependency)
    return result


def packages(database: Database, whole: str) -> Iterator[int]:
    """Yield the keys of the names that begin or cease to lead to the namespace `whole`: the last part of its qualified
    name, and the parts before it, unless another namespace has them as well.
    """
    while whole:
        outer, _, last = whole.rpartition(".")
        yield key_of(last)
        whole = "" if database.value("world.package", (outer, f"{outer}.", f"{outer}/")) else outer


def importers(database: Database, path: str, module: str, imported: str, project: int | None) -> set[NameDependency]:
    """Return dependencies that concern files which may import the file at `path`, now added or removed: they mention
    its name and its folder's, or lie in its folder.
    """
    folder, _, name = path.rpartition("/")
    stem, last = name.partition(".")[0], folder.rpartition("/")[2]
    dependencies = set()
    if last and (stem in OF_FOLDERS or not database.value("world.others_below", (f"{folder}/", f"{folder}0", path))):
        dependencies.add(NameDependency(key_of(last)))  # the folder's own name begins or ceases to mean something
    head, dot, _ = (imported or module).partition(".")
    if dot and not database.value("world.others_in", (f"{head}.", f"{head}/", path, f"{head}.", f"{head}/", path)):
        # so does the first name of its modules, which otherwise is a package of somebody else
        dependencies.add(NameDependency(key_of(head)))
    if imported and imported.rpartition(".")[2] not in (stem, last):
        dependencies.add(NameDependency(key_of(imported.rpartition(".")[2])))  # a name that a manifest gives it
    shared = (imported or module).rstrip("/").replace("/", ".").rpartition(".")[2]
    if shared not in ("", stem) and (
        stem == "main" or not database.value("world.others_before", (module, imported, path, path, project))
    ):
        # of a module of several files, the first stands for all, or its main one
        dependencies.add(NameDependency(key_of(shared)))
    whole = all("." in name or "/" in name for name in (module, imported) if name)
    for word in {stem, stem.lstrip("_")} if stem not in OF_FOLDERS else ():
        dependencies.add(NameDependency(key_of(word), not (whole and last and module), (key_of(last),), f"{folder}/"))
    if name.endswith(".rs"):
        is_folder = stem in RUST_FOLDERS
        dependencies.add(NameDependency(key_of(last if is_folder else stem)))
        dependencies.add(
            NameDependency(key_of("super"), anywhere=False, folder=f"{folder}/" if is_folder else f"{folder}/{stem}/")
        )
    return dependencies


def includers(database: Database, paths: Iterable[str]) -> set[int]:
    """Return the ids of the files that include one of `paths` by its name, directly or through others: they see other
    names now.
    """
    result: set[int] = set()
    waiting, seen = list(paths), set[str]()
    while waiting:
        name = waiting.pop().rpartition("/")[2]
        if name in seen:
            continue
        seen.add(name)
        for file in files_mentioning(database, {NameDependency(key_of(name.partition(".")[0]))}) - result:
            modules = (module for _, module, *_ in database.all("world.imports", numbers_of(file)))
            if any(module.rstrip(">").rpartition("/")[2].lstrip("<") == name for module in modules):
                result.add(file)
                waiting.append(database.value("world.path_of_file", (file,), ""))
    return result


def files_mentioning(database: Database, dependencies: Iterable[NameDependency]) -> set[int]:
    """Return the ids of the files that one of `dependencies` concerns. A hash that matches by chance costs a little
    time and changes nothing.
    """
    by_hash: dict[bytes, list[NameDependency]] = defaultdict(list)
    for dependency in dependencies:
        by_hash[name_hash(dependency.key)].append(dependency)
    if not by_hash:
        return set()
    by_number = {int.from_bytes(name, sys.byteorder): name for name in by_hash}
    result = set()
    for file, path, language, names in _files_with_names(database, by_hash):
        if len(by_hash) <= FEW_NAMES:
            hits: Iterable[bytes] = (name for name in by_hash if name in names)
        else:
            hits = (by_number[number] for number in _numbers(names) if number in by_number)
        seen = visible_languages(language)
        matching = [
            dependency
            for name in hits
            for dependency in by_hash[name]
            if not seen.isdisjoint(dependency.languages) and _is_met_by(dependency, path, names)
        ]
        if matching and _depends_on_any(database, file, language, matching):
            result.add(file)
    return result


def _files_with_names(database: Database, hashes: Collection[bytes]) -> Iterable[Row]:
    """Return (id, path, language, hashes of names) of the files that mention one of very few names, or of all files."""
    if len(hashes) > SEARCHED_NAMES:
        return database.all("world.mentions")
    return dict.fromkeys(row for hashed in hashes for row in database.all("world.mentions_of", (hashed,)))


def _depends_on_any(database: Database, file: int, language: str, dependencies: Sequence[NameDependency]) -> bool:
    """Whether a file has one of these dependencies, whose names it mentions. Where all are on members of types, the
    lookups that the file made decide; they are read once.
    """
    members = [dependency.member_hashes for dependency in dependencies if dependency.member_hashes is not None]
    if len(members) < len(dependencies) or not uses_type_lookups_only(language):
        return True
    known = database.value("world.member_dependencies", (file,))
    numbers = frozenset(_numbers(known)) if known is not None else frozenset[int]()
    return known is None or any(not hashes.isdisjoint(numbers) for hashes in members)


def _is_met_by(dependency: NameDependency, path: str, names: bytes) -> bool:
    if dependency.anywhere or (dependency.folder and path.startswith(dependency.folder)):
        return True
    return any(name_hash(other) in names for other in dependency.others)


def _numbers(names: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(names)
    return numbers
