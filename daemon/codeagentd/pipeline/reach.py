"""How far a change reaches: which other files have to be resolved again, judged by the names that they mention."""

from __future__ import annotations

import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

import msgspec

from codeagentd.model.ids import FILE_SHIFT, name_hash, name_key
from codeagentd.store.connection import Database

FEW_NAMES: Final = 40  # changed names up to which a search per name beats building a set per file


class Clause(msgspec.Struct, frozen=True):
    """Files that mention `key`, and besides, unless `anywhere`: one of `others`, or lie below `folder`, or are among `files`."""

    key: int
    anywhere: bool = True
    others: tuple[int, ...] = ()
    folder: str = ""
    files: frozenset[int] = frozenset()


class Reach:
    """What a batch has changed for others, gathered while it is written."""

    def __init__(self) -> None:
        self.names: set[int] = set()  # keys of names that mean something else to whoever can see them
        self.members: set[tuple[int, int]] = set()  # (key, type) of members that came, went or changed
        self.balance: Counter[int] = Counter()  # by key: how many more members have this name than before
        self.modules: set[Clause] = set()  # files that came or went
        self.rebased: set[int] = set()  # types whose bases are written differently
        self.included: set[str] = set()  # paths of files that came or went, or include others than before
        self.files: list[int] = []  # files of the batch itself

    def clauses(self, database: Database) -> set[Clause]:
        """The gathered changes as questions to the files."""
        found = {Clause(key) for key in self.names} | self.modules
        for key, owner in self.members:
            now = int(database.value("world.member_count", (key,), 0))
            if 0 in (now, now - self.balance[key]):
                found.add(Clause(key))  # open references to this name come or go everywhere
            else:
                names, files = _descendants(database, owner)
                found.add(Clause(key, False, tuple(sorted(names)), "", frozenset(files)))
        return found


def _descendants(database: Database, owner: int) -> tuple[set[int], set[int]]:
    """(name keys, files) of a type and of everything that inherits from it."""
    names: set[int] = set()
    files: set[int] = set()
    waiting, seen = [owner], set()
    while waiting:
        symbol = waiting.pop()
        if symbol in seen:
            continue
        seen.add(symbol)
        if row := database.one("world.key_and_file", (symbol,)):
            names.add(row[0])
            files.add(row[1])
        waiting += [source for (source,) in database.all("world.heirs", (symbol,))]
    return names, files


def mentioning(database: Database, clauses: Iterable[Clause]) -> set[int]:
    """The files for which one of the clauses holds. A hash that matches by chance costs a little time and changes nothing."""
    by_hash: dict[bytes, list[Clause]] = defaultdict(list)
    for clause in clauses:
        by_hash[name_hash(clause.key)].append(clause)
    if not by_hash:
        return set()
    by_number = {int.from_bytes(name, sys.byteorder): name for name in by_hash}
    found = set()
    for file, path, names in database.all("world.mentions"):
        if len(by_hash) <= FEW_NAMES:
            hits: Iterable[bytes] = (name for name in by_hash if name in names)
        else:
            hits = (by_number[number] for number in _numbers(names) if number in by_number)
        if any(_holds(clause, file, path, names) for name in hits for clause in by_hash[name]):
            found.add(file)
    return found


def _holds(clause: Clause, file: int, path: str, names: bytes) -> bool:
    if clause.anywhere or file in clause.files or (clause.folder and path.startswith(clause.folder)):
        return True
    return any(name_hash(other) in names for other in clause.others)


def _numbers(names: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(names)
    return numbers


def importers(database: Database, path: str, module: str, imported: str) -> set[Clause]:
    """Who may import a file that came or went: files that mention its name and its folder's, or lie in its folder."""
    folder, _, name = path.rpartition("/")
    stem, last = name.partition(".")[0], folder.rpartition("/")[2]
    clauses = set()
    if last and (stem in ("__init__", "index") or not database.value("world.others_below", (f"{folder}/", f"{folder}0", path))):
        clauses.add(Clause(name_key(last)))  # the folder's own name begins or ceases to mean something
    whole = all("." in name or "/" in name for name in (module, imported) if name)
    if stem not in ("__init__", "index"):
        clauses.add(Clause(name_key(stem), not (whole and last and module), (name_key(last),), f"{folder}/"))
    return clauses


def includers(database: Database, paths: Iterable[str]) -> set[int]:
    """The files that include one of these by its name, themselves or through others: they see other names now."""
    found: set[int] = set()
    waiting, asked = list(paths), set[str]()
    while waiting:
        name = waiting.pop().rpartition("/")[2]
        if name in asked:
            continue
        asked.add(name)
        for file in mentioning(database, {Clause(name_key(name.partition(".")[0]))}) - found:
            modules = (module for _, module, *_ in database.all("world.imports", (file << FILE_SHIFT, ((file + 1) << FILE_SHIFT) - 1)))
            if any(module.rstrip(">").rpartition("/")[2].lstrip("<") == name for module in modules):
                found.add(file)
                waiting.append(database.value("world.path_of_file", (file,), ""))
    return found
