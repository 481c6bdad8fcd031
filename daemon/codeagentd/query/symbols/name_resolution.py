"""Resolution of the name, path or id of a definition by the rule of `name_precedence`, the same for every toolset and
the command line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import CodedError, InvalidParameter, NotFound
from codeagentd.model.ids import name_key, uid_of
from codeagentd.model.kinds import HEIRS, TYPES
from codeagentd.model.labels import clean
from codeagentd.query.paging import Key
from codeagentd.store.connection import Database

from .aliases import aliased
from .lookup import LABELS, SEPARATORS, Subject, candidates, named
from .name_precedence import PrecedenceRow, chosen
from .name_search import COUNTED
from .near_names import unknown
from .outline import indexed_file

COMPARED: Final = 2_000  # definitions of one name that are compared; of more, none is ruled out
MOST_TOGETHER: Final = 5  # distinct definitions that one list includes
NAMED: Final = 3  # definitions that a note names


class Usable(NamedTuple):
    """The definitions that a tool supports: a test, and a description of those that pass it."""

    test: Callable[[Subject], bool]
    what: str


ANYTHING: Final = Usable(lambda _: True, "a symbol")
IMPLEMENTABLE: Final = Usable(
    lambda subject: (
        subject.id < 0 or (subject.kind in HEIRS and not subject.is_file) or subject.is_member or subject.may_override
    ),
    "a type, or a member of one",
)


class NameResolution(NamedTuple):
    """The resolution of a name: groups of definitions that agree, the best first in each. Several groups are ambiguous.
    `beside`: definitions of the name that were not selected.

    `signatures` distinguish definitions with the same qualified name. `is_alias`: the definition has another name.
    `unread`: the number of further definitions of the name.
    """

    name: str
    groups: list[list[Subject]]
    beside: list[Subject] = []
    signatures: Mapping[int, str] = MappingProxyType({})
    is_alias: bool = False
    unread: int = 0

    @property
    def best(self) -> Subject:
        """The definition that represents all."""
        return self.groups[0][0]

    @property
    def subjects(self) -> list[Subject]:
        """All definitions that were selected."""
        return [subject for group in self.groups for subject in group]

    @property
    def note(self) -> str:
        """The note in words on the definitions that a list includes and excludes; empty if the name has only one."""
        if len(self.groups) > 1:
            together = (
                f"{len(self.groups)} definitions are called {self._shown!r}, answered one after the other: "
                f"{self._listed([group[0] for group in self.groups])}"
            )
        else:
            group = self.groups[0]
            together = (
                f"{len(group)} definitions of {clean(self.best.qualified_name)!r} are answered together: "
                f"{self._listed(group)}"
                if len(group) > 1
                else ""
            )
        return self._in_words(together)

    @property
    def note_of_best(self) -> str:
        """The note for an answer about the best definition alone."""
        others = self.subjects[1:]
        return self._in_words(f"also defined: {self._listed(others)}" if others else "")

    @property
    def note_of_others(self) -> str:
        """The note on the definition that the name is an alias of, and on the definitions of the name that were not
        selected.
        """
        return self._in_words("")

    def _in_words(self, together: str) -> str:
        alias = f"{self._shown!r} is another name of {clean(self.best.qualified_name)!r}" if self.is_alias else ""
        beside = f"also called {self._shown!r}, and not meant: {self._listed(self.beside)}" if self.beside else ""
        return "; ".join(filter(None, (alias, together, beside)))

    @property
    def _shown(self) -> str:
        return clean(self.name)

    def _listed(self, subjects: Sequence[Subject]) -> str:
        more = f" and {len(subjects) - NAMED} more" if len(subjects) > NAMED else ""
        return ", ".join(map(self._named, subjects[:NAMED])) + more

    def _named(self, subject: Subject) -> str:
        is_overloaded = (
            sum(other.qualified_name == subject.qualified_name for other in (*self.subjects, *self.beside)) > 1
        )
        name = clean(
            f"{subject.qualified_name}{self.signatures.get(subject.id, '') if is_overloaded else ''}", generics=True
        )
        return f"{name} ({LABELS[subject.kind]}, {clean(subject.path)}:{subject.line_start})"


def resolve_name(
    db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING, paths: Sequence[str] | None = None
) -> NameResolution:
    """Return the resolution of `name`, a node id, path or name, for a tool. `paths` are its possible meanings as a path
    of the repository, the likeliest first; None: itself.

    Errors: not_found with the nearest names; invalid_parameter if the tool supports none of the name's definitions.
    """
    uid = uid_of(name)
    if uid is not None and (row := db.row("symbols.by_uid", (uid,))):
        return NameResolution(name, [_usable(name, [Subject(*row)], parameter, usable)])
    for path in (name.removeprefix("./"),) if paths is None else paths:
        if db.row("files.by_path", (path,)) is not None:
            return NameResolution(name, [_usable(name, [file_subject(db, path, parameter)], parameter, usable)])
    if rows := called(db, name):
        result = [Subject(*row[:-1]) for row in rows]
        return decided(db, name, _usable(name, result, parameter, usable), rows[0][-1] - len(rows))
    if others := aliased(db, name):
        return decided(db, name, _usable(name, others, parameter, usable))._replace(is_alias=True)
    raise unknown(db, name, parameter)


def single(
    db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING, paths: Sequence[str] | None = None
) -> NameResolution:
    """Return the resolution of `name` for an answer about one definition.

    Errors: as `resolve_name`; for an ambiguous name invalid_parameter with the candidates.
    """
    result = resolve_name(db, name, parameter, usable, paths)
    if len(result.groups) > 1:
        raise ambiguous(db, result, parameter)
    return result


def listed(
    db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING, paths: Sequence[str] | None = None
) -> NameResolution:
    """Return the resolution of `name` for a list, which answers for a few distinct definitions in turn.

    Errors: as `single`, if there are more than a few.
    """
    result = resolve_name(db, name, parameter, usable, paths)
    if len(result.groups) > MOST_TOGETHER:
        raise ambiguous(db, result, parameter)
    return result


def resolve(db: Database, symbol: str, parameter: str = "node_id") -> Subject:
    """Return the definition that `symbol`, a node id, path or name, means. Errors: as `single`."""
    return single(db, symbol, parameter).best


def decided(db: Database, name: str, subjects: Sequence[Subject], unread: int = 0) -> NameResolution:
    """Return the resolution of `name` to some of its definitions, `subjects`, by the rule.

    If not all were read, none is ruled out: each is a group of its own.
    """
    if len(subjects) < 2 or unread:
        return NameResolution(name, [[subject] for subject in subjects], unread=unread)
    rows = db.all("symbols.standings", (json.dumps([subject.id for subject in subjects]),))
    precedence_rows = {row[0]: PrecedenceRow(*row) for row in rows}
    groups, beside = chosen(name, subjects, precedence_rows)
    return NameResolution(
        name,
        [_best_first(db, group) for group in groups],
        beside,
        {precedence_row.id: precedence_row.signature for precedence_row in precedence_rows.values()},
    )


def _best_first(db: Database, group: list[Subject]) -> list[Subject]:
    """Types before other definitions, then the most referenced first."""
    if len(group) < 2:
        return group
    counts: dict[bytes, int] = dict(
        db.all(
            "retrieval.referenced", {"uids": json.dumps([subject.uid.hex() for subject in group]), "counted": COUNTED}
        )
    )
    return sorted(group, key=lambda subject: (subject.kind not in TYPES, -counts[subject.uid]))


def file_subject(db: Database, path: str, parameter: str) -> Subject:
    """Return the symbol of the indexed file at `path`. Errors: not_found, with the reason if the file was left out of
    the index.
    """
    try:
        indexed_file(db, path)
    except CodedError as error:
        error.facts["parameter"] = parameter
        raise
    row = db.row("nodes.of_file", {"path": path})
    if row is None:
        raise NotFound(
            f"{path!r} defines nothing that the index knows", remedy="read_file shows its text", parameter=parameter
        )
    return Subject(*row[:-1])


def ambiguous(db: Database, resolution: NameResolution, parameter: str) -> InvalidParameter:
    """Return the error about the ambiguous name of `resolution`."""
    total = len(resolution.groups) + resolution.unread
    return InvalidParameter(
        f"{parameter}: {total} symbols are called {resolution.name!r}",
        remedy="pass the path:line, or the node_id, of the one you mean",
        parameter=parameter,
        candidates=candidates(db, [group[0] for group in resolution.groups]),
        total_candidates=total,
    )


def called(db: Database, name: str, place: str = "") -> list[Key]:
    """Return the rows of all symbols of `name`, in files with `place` in their path; a bare name also matches qualified
    names that end in it.

    The last column is their number.
    """
    rows = named(db, name, place, COMPARED)
    if rows and (SEPARATORS.search(name) or rows[0][-1] > COMPARED):
        return rows
    parameters: dict[str, Any] = {
        "key": name_key(name),
        "name": name,
        "suffix": "",
        "place": place,
        "documents": False,
        "limit": COMPARED,
    }
    return db.all("symbols.by_name", parameters) or rows


def _usable(name: str, subjects: list[Subject], parameter: str, usable: Usable) -> list[Subject]:
    """The subjects that a tool supports. If it supports none, all are returned, since "none" is a correct answer about
    a function.

    Errors: invalid_parameter if the only subject is a file.
    """
    result = [subject for subject in subjects if usable.test(subject)]
    if not result and all(subject.is_file for subject in subjects):
        raise InvalidParameter(f"{parameter}: {name!r} is a file", remedy=f"name {usable.what}", parameter=parameter)
    return result or subjects
