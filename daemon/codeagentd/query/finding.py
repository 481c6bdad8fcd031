"""Where is what somebody calls so defined? By the name itself, then by its words."""

from __future__ import annotations

import json
import re
from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.ids import uid_of
from codeagentd.model.kinds import OUTLINE
from codeagentd.model.results import SymbolHit
from codeagentd.model.retrieval_results import FoundSymbol
from codeagentd.store.connection import Database

from .names import COUNTED
from .ranking import is_test
from .search import search
from .symbols import Filters

FOUND: Final = 200  # definitions looked at, and reached by paging: who wants more names the qualified name

_EXACT, _OTHER_CASE, _WORDS = range(3)
_REASONS: Final = ("exact name", "the name in other case", "words of the name")
_DOCUMENTS: Final = frozenset(kind.label for kind in OUTLINE)
_SEPARATORS: Final = re.compile(r"::|[.#\\]")
_SIGNS: Final = re.compile(r"[^\w.$#:\\]+|(?<!:):(?!:)")  # what is an operator to full-text search, and no part of a name


def find(db: Database, name: str, kind: int | None) -> list[FoundSymbol]:
    """Definitions, best first: exact names, then those in other case, then those that have the words; of these code before documents, what is no
    test before tests, and what is referred to most.
    """
    hits = _hits(db, name, Filters(kind=kind))
    uids = json.dumps([(uid_of(hit.node_id) or b"").hex() for hit in hits])
    counts: dict[bytes, int] = dict(db.all("retrieval.referenced", {"uids": uids, "counted": COUNTED}))
    last = _SEPARATORS.split(name.strip())[-1]
    places = []
    for order, hit in enumerate(hits):
        tier = _tier(hit.name, last)
        count = counts.get(uid_of(hit.node_id) or b"", 0)
        worth = (tier, hit.node_type in _DOCUMENTS, is_test(hit.file_path), -count if tier < _WORDS else 0, order)
        places.append((worth, count, hit))
    places.sort(key=lambda place: place[0])
    return [_found(rank, hit, count, _REASONS[worth[0]]) for rank, (worth, count, hit) in enumerate(places, start=1)]


def _hits(db: Database, name: str, narrowed: Filters) -> list[SymbolHit]:
    plain = " ".join(_SIGNS.sub(" ", name).split())
    text = plain.lower() if " " in plain else plain  # AND, OR and NOT are words here
    try:
        return search(db, text or name.strip(), narrowed, FOUND)
    except InvalidParameter:
        return []  # nothing but signs, and no name has them


def _tier(name: str, wanted: str) -> int:
    if name == wanted:
        return _EXACT
    return _OTHER_CASE if name.lower() == wanted.lower() else _WORDS


def _found(rank: int, hit: SymbolHit, count: int, reason: str) -> FoundSymbol:
    return FoundSymbol(
        rank=rank,
        name=hit.name,
        qualified_name=hit.qualified_name,
        kind=hit.node_type,
        path=hit.file_path,
        lines=[hit.line_start, hit.line_end],
        signature=(hit.parameter_signature or "") + (f" -> {hit.return_type}" if hit.return_type else ""),
        references=count,
        reason=reason,
        node_id=hit.node_id,
    )
