"""The hover card of a symbol: its signature and documentation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from codeagentd.languages.doc_comments import comment_above, documentation
from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.model.results.lens_results import HoverCard
from codeagentd.secrets.redaction import shown
from codeagentd.store.connection import Database

from .declaration import Declared, declaration
from .lookup import LABELS, Subject
from .name_search import COUNTED
from .spans import spans
from .symbol_places import absolute

PLACES: Final = 10  # places of one symbol that are searched for a comment, which may be at another declaration

Read = Callable[[str], Sequence[str]]  # the lines of a file; none when it cannot be read


def foremost(db: Database, subjects: list[Subject]) -> Subject:
    """Return the one of `subjects` with the most references; a file's symbol only if no other has the name."""
    subjects = [subject for subject in subjects if subject.parent is not None] or subjects
    if len(subjects) == 1:
        return subjects[0]
    best = db.value(
        "lens.most_referenced", {"symbols": json.dumps([subject.id for subject in subjects]), "counted": COUNTED}
    )
    return next(subject for subject in subjects if subject.id == best)


def hover(db: Database, root: Path, subject: Subject, read: Read) -> HoverCard:
    """Return the signature and documentation of `subject`, from the source if it has not changed since it was indexed,
    else from the index.
    """
    parameters, returns, _, _ = db.all("lens.written", (subject.id,))[0]
    lines = read(subject.path) if subject.id > 0 else ()
    declared = Declared(
        subject.name, subject.line_start, subject.line, subject.col, subject.kind in TYPES, parameters, returns or ""
    )
    is_whole = subject.parent is None
    signature = "" if is_whole else declaration(lines, declared)
    return HoverCard(
        name=subject.name,
        kind=LABELS[subject.kind],
        signature=shown(signature or _bare(subject, parameters, returns), subject.path),
        file_path=absolute(root, subject.path),
        start_line=subject.line_start,
        end_line=subject.line_end,
        qualified_name=subject.qualified_name,
        documentation=documented(db, subject, read) or None,
    )


def documented(db: Database, subject: Subject, read: Read) -> str:
    """Return the documentation of `subject`, without secrets; '' if it has none."""
    is_whole = subject.parent is None
    flags = db.all("lens.written", (subject.id,))[0][3]
    if subject.id < 0 or not (is_whole or flags & SymbolFlag.DOC_COMMENT):
        return ""
    text = _documentation(db, subject, read(subject.path), read, is_whole=is_whole)
    return shown(text, subject.path) if text else ""


def _bare(subject: Subject, parameters: str | None, returns: str | None) -> str:
    """The signature from the index alone."""
    if subject.kind == SymbolKind.EXTERNAL:
        return subject.qualified_name
    name = subject.qualified_name if subject.parent is None else subject.name
    return f"{LABELS[subject.kind]} {name}{parameters or ''}" + (f" -> {returns}" if returns else "")


def _documentation(db: Database, subject: Subject, lines: Sequence[str], read: Read, *, is_whole: bool) -> str | None:
    language = languages().get(subject.language)
    if language is None or (is_whole and subject.kind != SymbolKind.MODULE):
        return None
    rule, place = language.rules.doc, (subject.line_start, subject.line, subject.line_end)
    if (text := documentation(lines, rule, place, whole=is_whole)) or is_whole:
        return text
    for span in spans(db, subject, None, PLACES).items[1:]:
        if text := comment_above(read(span.file_path), span.line_start, rule):
            return text
    return None
