"""Lookup of symbols by name, and the details of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from codeagent_protocol.errors import NotFound
from codeagentd.languages.language import languages
from codeagentd.model.ids import name_key, node_id
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.model.results.symbol_results import Candidate, SymbolDetails, SymbolHit
from codeagentd.query.paging import Key, Slice, cut
from codeagentd.store.connection import Database

MAX_CANDIDATES: Final = 10  # candidates of an ambiguous name; the error has the total
MAX_NEAR: Final = 5  # symbols listed that only share the last part of a name
MAX_PROJECTS: Final = 20  # projects named when a project is unknown
LABELS: Final = {int(kind): kind.label for kind in SymbolKind}
KINDS: Final = {kind.label: int(kind) for kind in SymbolKind}

SEPARATORS: Final = re.compile(r"::|[.#\\]")
_START: Final[Key] = ("", 0, b"")


class Subject(NamedTuple):
    """The symbol that a query is about: the columns of the statement symbols.by_uid."""

    id: int
    uid: bytes
    name: str
    qualified_name: str
    kind: int
    key: int
    file: int
    path: str
    language: str
    parent: int | None
    parent_kind: int | None
    line_start: int
    line_end: int
    line: int
    col: int

    @property
    def is_member(self) -> bool:
        """Whether an open reference by its bare name can mean the symbol. Members of types can be meant; constructors
        are called by the name of their type.
        """
        return self.parent_kind in TYPES and self.kind != SymbolKind.CONSTRUCTOR

    @property
    def is_file(self) -> bool:
        """Whether the symbol stands for a whole file of the repository."""
        return self.parent is None and self.kind in (SymbolKind.FILE, SymbolKind.MODULE) and self.id > 0

    @property
    def may_override(self) -> bool:
        """Whether subtypes can override the symbol by a member of the same name. A nested type of the same name is
        another type. A module can ask others for functions where it is not a file.
        """
        return (self.is_member and self.kind not in TYPES) or (
            self.parent_kind == SymbolKind.MODULE
            and self.kind in (SymbolKind.FUNCTION, SymbolKind.MACRO)
            and self.language in languages()
            and languages()[self.language].symbols.file != SymbolKind.MODULE.label
        )


class Filters(msgspec.Struct, frozen=True):
    """The filters of a search; None does not filter."""

    kind: int | None = None
    language: str | None = None
    project: int | None = None

    @property
    def are_set(self) -> bool:
        """Whether any filter is set."""
        return (self.kind, self.language, self.project) != (None, None, None)


def filters(db: Database, node_type: str | None, language: str | None, project_id: str | None) -> Filters:
    """Return the filters for these parameters of a tool. Errors: not_found for a project that is not in the index."""
    project = None
    if project_id is not None:
        project = db.value("files.project", (project_id,))
        if project is None:
            known = [key for (key,) in db.all("files.projects", (MAX_PROJECTS,))]
            raise NotFound(
                f"no project has the project_id {project_id!r}",
                remedy="use one of `projects`, or leave project_id out",
                parameter="project_id",
                projects=known,
            )
    return Filters(KINDS[node_type] if node_type else None, language, project)


def named(db: Database, name: str, place: str = "", limit: int = MAX_CANDIDATES) -> list[Key]:
    """Return the rows of the symbols that `name` can mean, at most `limit`; the last column is the number of all.
    `place` limits them to files whose path contains it.

    Symbols of code come before those of documents, and these before external symbols.
    """
    rows = db.all("symbols.by_qualified_name", {"qualified_name": name, "place": place, "limit": limit})
    if rows:
        return rows
    dotted = SEPARATORS.sub(".", name)
    last = dotted.rpartition(".")[2]
    suffix = f".{dotted}" if last != dotted else ""
    parameters: dict[str, Any] = {"key": name_key(last), "name": last, "suffix": suffix, "place": place, "limit": limit}
    return (
        db.all("symbols.by_name", parameters | {"documents": False})
        or db.all("symbols.by_name", parameters | {"documents": True})
        or db.all(
            "symbols.outside",
            {"name": last, "suffix": SEPARATORS.sub("_", f".{dotted}"), "place": place, "limit": limit},
        )
    )


def with_constructors(db: Database, subject: Subject) -> list[Subject]:
    """Return `subject` and, if it is a type, its constructors, since both are called by the type's name."""
    return [
        subject,
        *(
            Subject(*row)
            for row in db.all(
                "retrieval.constructors", {"symbol": subject.id, "constructor": int(SymbolKind.CONSTRUCTOR)}
            )
        ),
    ]


def candidates(db: Database, subjects: Sequence[Subject]) -> list[dict[str, Any]]:
    """Return `subjects` as the candidates of an error about a name, at most `MAX_CANDIDATES`; those with the same
    qualified name are listed with their parameters.
    """
    names = Counter(subject.qualified_name for subject in subjects)
    return [
        msgspec.to_builtins(
            Candidate(
                node_id(subject.uid), subject.qualified_name, LABELS[subject.kind], subject.path, subject.line_start,
                db.value("symbols.signature", (subject.id,)) if names[subject.qualified_name] > 1 else None,
            )
        )
        for subject in subjects[:MAX_CANDIDATES]
    ]  # fmt: skip


def details(db: Database, subject: Subject) -> SymbolDetails:
    """Return all fields of the symbol `subject`."""
    flags, access, signature, parameters, returns, status, project = db.all("symbols.details", (subject.id,))[0]
    return SymbolDetails(
        node_id=node_id(subject.uid),
        name=subject.name,
        qualified_name=subject.qualified_name,
        node_type=LABELS[subject.kind],
        language=subject.language,
        project_id=project,
        file_path=subject.path,
        line_start=subject.line_start,
        line_end=subject.line_end,
        access_modifier=access,
        parse_status=status,
        reference_count=db.value("symbols.reference_count", (subject.id,)),
        parameter_signature=signature,
        parameter_count=parameters,
        return_type=returns,
        **_flags(flags | (SymbolFlag.OVERRIDE if db.value("symbols.is_overriding", (subject.id,)) else 0)),
    )


def _flags(flags: int) -> dict[str, Any]:
    return {
        "is_public_api": bool(flags & SymbolFlag.PUBLIC_API),
        "is_static": bool(flags & SymbolFlag.STATIC),
        "is_abstract": bool(flags & SymbolFlag.ABSTRACT),
        "is_async": bool(flags & SymbolFlag.ASYNC),
        "is_override": bool(flags & SymbolFlag.OVERRIDE),
        "is_deprecated": bool(flags & SymbolFlag.DEPRECATED),
        "has_doc_comment": bool(flags & SymbolFlag.DOC_COMMENT),
    }


def lookup(db: Database, qualified_name: str, narrowed: Filters, after: Key | None, limit: int) -> Slice[SymbolHit]:
    """Return the symbols with exactly this qualified name, by path and line: overloads, declarations in several
    projects.
    """
    place = dict(zip(("after_path", "after_line", "after_uid"), after or _START, strict=True))
    parameters: dict[str, Any] = {
        "qualified_name": qualified_name,
        "language": narrowed.language,
        "project": narrowed.project,
        "limit": limit + 1,
    }
    rows, following = cut(db.all("symbols.lookup", parameters | place), limit, len(_START))
    return Slice([_hit(row) for row in rows], following)


def _hit(row: Key) -> SymbolHit:
    path, line_start, uid, name, qualified_name, kind, language, line_end, access, signature, returns = row
    return SymbolHit(
        node_id(uid),
        name,
        qualified_name,
        LABELS[kind],
        language,
        path,
        line_start,
        line_end,
        access,
        signature,
        returns,
    )
