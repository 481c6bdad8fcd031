"""The members that override a member, and those that it overrides, computed from inheritance by each query: they are
stored in no row.
"""

from __future__ import annotations

from typing import Any, Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import Origin, ReferenceKind, SymbolKind
from codeagentd.query.paging import Key
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

# the rows of inheritance, as parameters
_LINES: Final = (
    ReferenceKind.INHERIT,
    ReferenceKind.IMPLEMENT,
    ReferenceKind.EXTEND,
    ReferenceKind.EMBED,
    ReferenceKind.MIXIN,
)
INHERITS: Final = sum(1 << kind for kind in _LINES)
MAX_ANCESTORS: Final = 500  # more than any type has; a limit for sources with errors


def overriding(db: Database, subject: Subject, page: dict[str, Any]) -> list[Key]:
    """Return the rows of the members that override `subject`: those of its name in all descendants of its type. If
    parameters distinguish members, only those with the same number of parameters count.
    """
    return db.all("graph.overriding", {**page, **_edge(subject), "type": subject.parent, "inherits": INHERITS})


def overridden(db: Database, subject: Subject) -> list[Key]:
    """Return the rows of the members that `subject` overrides: the nearest of its name on every path up from
    its type.
    """
    rows: dict[bytes, Key] = {}
    place = f"{subject.file}:{subject.line}:{subject.col}"
    surest = {subject.parent: 0}
    level = [subject.parent]
    while level and len(surest) <= MAX_ANCESTORS:
        following = []
        for child in level:
            for base, confidence in db.all("graph.bases", {"type": child, "inherits": INHERITS}):
                total = max(surest[child], confidence)
                if surest.get(base, 9) <= total:
                    continue
                surest[base] = total
                members = db.all("graph.member", {**_edge(subject), "type": base, "confidence": total, "place": place})
                rows |= {row[3]: row for row in members}
                if not members:
                    following.append(base)
        level = following
    return list(rows.values())


def _edge(subject: Subject) -> dict[str, Any]:
    language = languages().get(subject.language)
    return {
        "key": subject.key, "kind": int(ReferenceKind.OVERRIDE), "origin": int(Origin.OVERRIDE),
        "constructor": int(SymbolKind.CONSTRUCTOR), "symbol": subject.id,
        "overloads": language is not None and language.symbols.overloads,
    }  # fmt: skip
