"""The changes of a batch that other files can notice, and the files that they affect, judged by the names that these
mention.
"""

from __future__ import annotations

import functools
import re
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from codeagentd.languages.language import Language, languages
from codeagentd.model.facts import EXPRESSION
from codeagentd.model.ids import name_hash, numbers_of
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.resolve.interface import BY_NAME, NameLookup
from codeagentd.resolve.name_lookup import NAME_RULES
from codeagentd.resolve.symbol_table import File
from codeagentd.store.connection import Database

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
FEW_NAMES: Final = 40  # changed names up to which a search per name beats building a set per file
# what a changed name is: anything, a value that stands in a type, a method; each is asked for in fewer ways than the
# one before
FREE, VALUE, METHOD = range(3)


class Imports(msgspec.Struct, frozen=True):
    """Imports of a file that came or went: (local name, module, name, whether it is exported); `is_there`: the file
    still is.
    """

    file: File
    rows: frozenset[tuple[str, str, str, int]]
    is_there: bool


class NameDependency(msgspec.Struct, frozen=True):
    """Files that mention `key`, and besides, unless `anywhere`: one of `others`, or lie below `folder`.

    `languages`: in which something of the name has changed; only files count that may see names of these (''
    among them: all files). `manner`: what has changed of the name. `member_hashes`: it is a member of types,
    and of files that find members through types alone those count that looked one of these up; None: all count.
    """

    key: int
    anywhere: bool = True
    others: tuple[int, ...] = ()
    folder: str = ""
    languages: frozenset[str] = frozenset({""})
    manner: int = FREE
    member_hashes: frozenset[int] | None = None

    def __or__(self, other: NameDependency) -> NameDependency:
        """Return the dependency on a name that covers both, as far as symbols rest on it."""
        ours, theirs = self.member_hashes, other.member_hashes
        members = None if ours is None or theirs is None else ours | theirs
        return NameDependency(self.key, manner=min(self.manner, other.manner), member_hashes=members)


class ApiChanges:
    """The changes of a batch that other files can notice, collected while it is written."""

    def __init__(self) -> None:
        # keys of names that mean something else to files that see these languages ('': to all files)
        self.names: dict[int, set[str]] = defaultdict(set)
        self.manners: dict[int, int] = {}  # what these names are
        self.members: dict[
            int, set[tuple[int, int]] | None
        ] = {}  # by key: changed symbols and what is asked for them; None = not only members of types
        self.modules: set[NameDependency] = set()  # files that came or went
        self.rebased: set[int] = set()  # types whose bases are written differently
        self.locals: dict[
            int, set[int] | None
        ] = {}  # by file of the batch: keys of names that its imports bind to something else; None = any name
        self.imports: list[Imports] = []
        self.included: set[str] = set()  # paths of files that came or went, or include others than before
        self.languages: set[str] = set()  # in which an import came or went that holds for all files
        self.files: list[int] = []  # files of the batch itself
        # files that declare a symbol together with others, which is held by something else or told beside another file
        # now
        self.declaring: set[int] = set()

    def clauses(self, database: Database, lineage: InheritanceIndex | None) -> set[NameDependency]:
        """The collected changes as conditions on files.

        Args: lineage: None where the subtypes of some type are not known.
        """
        return {self._clause(database, key, lineage) for key in self.names} | self.modules

    def _clause(self, database: Database, key: int, lineage: InheritanceIndex | None) -> NameDependency:
        spoken, manner, members = self.names[key], self.manners[key], self.members[key] or set()
        changed, owners = {symbol for symbol, _ in members}, {owner for _, owner in members}
        by_members = (
            lineage
            and members
            and all(has_others(database, key, language, changed, values=manner == VALUE) for language in spoken)
        )
        return NameDependency(
            key,
            languages=frozenset(spoken),
            manner=manner,
            member_hashes=member_dependency_hashes(lineage, owners, key) if lineage and by_members else None,
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
        """Note that a name of a symbol of this kind has another meaning now. Namespaces belong to all languages.

        Args: owner_kind: the kind of the symbol's `owner`; by_name: the symbol is looked up by its name alone as well.
        """
        manner = lookup_kind(key, kind, language, owner_kind)
        self.names[key].add("" if kind == SymbolKind.NAMESPACE else language or "")
        self.manners[key] = min(self.manners.get(key, METHOD), manner)
        members = self.members.setdefault(key, set())
        if members is not None and owner and is_member_lookup(kind, manner):
            members.update((symbol, owner_id) for owner_id in _owners_to_look_up(owner, by_name))
        else:
            self.members[key] = None


def lookup_kind(key: int, kind: int, language: str | None, owner_kind: int) -> int:
    """How references find a symbol: by its bare name where it has no type as its owner, or is a type in a type, or a
    constructor that has the name of its type.
    """
    if (
        owner_kind not in TYPES
        or kind in TYPES
        or (kind == SymbolKind.CONSTRUCTOR and key not in _constructors(language or ""))
    ):
        return FREE
    return METHOD if kind in (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR) else VALUE


def is_member_lookup(kind: int, manner: int) -> bool:
    """Whether a symbol is only looked up as a member of its type. Members of an enum may be brought into scope."""
    return manner != FREE and kind != SymbolKind.ENUM_MEMBER


def _owners_to_look_up(owner: int, by_name: bool) -> tuple[int, ...]:
    """The lookups that find a member of a type."""
    return (owner, BY_NAME) if by_name else (owner,)


@functools.cache
def _constructors(language: str) -> frozenset[int]:
    known = languages().get(language)
    return frozenset(map(key_of, known.symbols.constructors)) if known else frozenset()


@functools.cache
def visible_languages(language: str) -> frozenset[str]:
    """The languages whose definitions a file of this language can refer to by name ('' among them); all languages where
    a file contains others, or refers to paths.
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
    lineage: InheritanceIndex | None,
) -> set[NameDependency]:
    """The names of the file's symbols whose types, results, values or callbacks are written with one of the changed
    names (None: any).

    Args: lineage: as for ApiChanges.clauses.
    """
    language = languages().get(str(database.value("world.language_of_file", (file,), "")))
    signed = language is not None and _may_name_types(language)
    bare = language is None or language.symbols.members_in_scope or language.rules.names in NAME_RULES
    lineage = lineage if language is not None and uses_type_lookups_only(language.name) else None
    result = set()
    for symbol, key, kind, owner, owner_kind, type_, returns, signature, bases in database.all(
        "world.valued_of_file", (file,)
    ):
        if changed is not None:
            type_clauses = _rests_on((type_, returns or ""), changed, bare=bare)
            signs = _rests_on((signature or "",), changed, bare=bare) if signed else []
            if not type_clauses and not signs:
                continue
            hashes = set[int]().union(*(clause.member_hashes or () for clause in type_clauses))
            if (
                lineage
                and not signs
                and all(clause.member_hashes is not None for clause in type_clauses)
                and not depends_on(names, symbol, hashes)
            ):
                continue
        manner = lookup_kind(key, kind, language.name if language else None, owner_kind)
        owners = _owners_to_look_up(owner, is_found_by_name(kind, owner_kind, bases, signature))
        member_hashes = (
            member_dependency_hashes(lineage, owners, key) if lineage and is_member_lookup(kind, manner) else None
        )
        result.add(
            NameDependency(
                key,
                languages=frozenset({language.name if language else ""}),
                manner=manner,
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
    """The names among these by which a type or an expression may have another meaning; `bare`: members of a type are
    looked up without a dot as well.
    """
    result = []
    for text in texts:
        is_value = text.startswith(EXPRESSION) or any(sign in text for sign in _OF_VALUES)
        for sign, word in _ACCESS.findall(text):
            clause = changed.get(key_of(word))
            if clause is not None and (
                clause.manner == FREE or ((is_value or clause.manner == VALUE) and (bare or sign))
            ):
                result.append(clause)
    return result


def packages(database: Database, whole: str) -> Iterator[int]:
    """The keys of the names that begin or cease to lead to a namespace: the last part of its qualified name, and the
    parts before it that no other namespace has.
    """
    while whole:
        outer, _, last = whole.rpartition(".")
        yield key_of(last)
        whole = "" if database.value("world.package", (outer, f"{outer}.", f"{outer}/")) else outer


def importers(database: Database, path: str, module: str, imported: str, project: int | None) -> set[NameDependency]:
    """Files that may import a file that came or went: files that mention its name and its folder's, or lie in its
    folder.
    """
    folder, _, name = path.rpartition("/")
    stem, last = name.partition(".")[0], folder.rpartition("/")[2]
    clauses = set()
    if last and (stem in OF_FOLDERS or not database.value("world.others_below", (f"{folder}/", f"{folder}0", path))):
        clauses.add(NameDependency(key_of(last)))  # the folder's own name begins or ceases to mean something
    head, dot, _ = (imported or module).partition(".")
    if dot and not database.value("world.others_in", (f"{head}.", f"{head}/", path, f"{head}.", f"{head}/", path)):
        # so does the first name of its modules, which otherwise is a package of somebody else
        clauses.add(NameDependency(key_of(head)))
    if imported and imported.rpartition(".")[2] not in (stem, last):
        clauses.add(NameDependency(key_of(imported.rpartition(".")[2])))  # a name that a manifest gives it
    shared = (imported or module).rstrip("/").replace("/", ".").rpartition(".")[2]
    if shared not in ("", stem) and (
        stem == "main" or not database.value("world.others_before", (module, imported, path, path, project))
    ):
        # of a module of several files, the first stands for all, or its main one
        clauses.add(NameDependency(key_of(shared)))
    whole = all("." in name or "/" in name for name in (module, imported) if name)
    for word in {stem, stem.lstrip("_")} if stem not in OF_FOLDERS else ():
        clauses.add(NameDependency(key_of(word), not (whole and last and module), (key_of(last),), f"{folder}/"))
    if name.endswith(".rs"):
        is_folder = stem in RUST_FOLDERS
        clauses.add(NameDependency(key_of(last if is_folder else stem)))
        clauses.add(
            NameDependency(key_of("super"), anywhere=False, folder=f"{folder}/" if is_folder else f"{folder}/{stem}/")
        )
    return clauses


def includers(database: Database, paths: Iterable[str]) -> set[int]:
    """The files that include one of these by its name, directly or through others: they see other names now."""
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


def files_mentioning(database: Database, clauses: Iterable[NameDependency]) -> set[int]:
    """The files for which one of the clauses holds. A hash that matches by chance costs a little time and changes
    nothing.
    """
    by_hash: dict[bytes, list[NameDependency]] = defaultdict(list)
    for clause in clauses:
        by_hash[name_hash(clause.key)].append(clause)
    if not by_hash:
        return set()
    by_number = {int.from_bytes(name, sys.byteorder): name for name in by_hash}
    result = set()
    for file, path, language, names in database.all("world.mentions"):
        if len(by_hash) <= FEW_NAMES:
            hits: Iterable[bytes] = (name for name in by_hash if name in names)
        else:
            hits = (by_number[number] for number in _numbers(names) if number in by_number)
        seen = visible_languages(language)
        matching = [
            clause
            for name in hits
            for clause in by_hash[name]
            if not seen.isdisjoint(clause.languages) and _is_met_by(clause, path, names)
        ]
        if matching and _depends_on_any(database, file, language, matching):
            result.add(file)
    return result


def _depends_on_any(database: Database, file: int, language: str, clauses: Sequence[NameDependency]) -> bool:
    """Whether a file depends on one of the clauses that hold for it. Where all are members of types, the lookups of the
    file decide; they are read once.
    """
    members = [clause.member_hashes for clause in clauses if clause.member_hashes is not None]
    if len(members) < len(clauses) or not uses_type_lookups_only(language):
        return True
    known = database.value("world.member_dependencies", (file,))
    numbers = frozenset(_numbers(known)) if known is not None else frozenset[int]()
    return known is None or any(not hashes.isdisjoint(numbers) for hashes in members)


def _is_met_by(clause: NameDependency, path: str, names: bytes) -> bool:
    if clause.anywhere or (clause.folder and path.startswith(clause.folder)):
        return True
    return any(name_hash(other) in names for other in clause.others)


def _numbers(names: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(names)
    return numbers
