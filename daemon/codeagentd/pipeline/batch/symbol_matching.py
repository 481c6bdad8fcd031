"""Matching of a batch's symbols with known ids: a symbol keeps its id through a rename or move, or gets a new one."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

import msgspec

from codeagentd.model.ids import UID_BYTES
from codeagentd.pipeline.rows.symbol_row import NAME, PARENT, SymbolRow


class Known(msgspec.Struct, frozen=True, gc=False):
    """A symbol that the index has from before the batch, in one of the batch's files."""

    id: int
    uid: bytes
    path: str
    names: tuple[str, ...]  # from the file's own symbol down
    kind: int
    body: int


class Fresh(msgspec.Struct, frozen=True, gc=False):
    """A symbol of the batch that has no id yet; `place` is (file index, symbol index) in the batch."""

    place: tuple[int, int]
    path: str
    names: tuple[str, ...]
    kind: int
    body: int


def alternative(uid: bytes, path: str) -> bytes:
    """Return the uid of a symbol in the file at `path`, where another file already has the derived `uid`."""
    return hashlib.blake2b(uid + path.encode(errors="surrogateescape"), digest_size=UID_BYTES).digest()


def chain_of(rows: Sequence[SymbolRow], index: int) -> tuple[str, ...]:
    """Return the names that lead from the file's own symbol (left out) to the symbol at `index` of `rows`."""
    names: list[str] = []
    while index > 0:
        names.append(rows[index][NAME])
        index = rows[index][PARENT]
    return tuple(reversed(names))


def match(gone: Iterable[Known], fresh: Iterable[Fresh], moves: Mapping[str, str]) -> dict[tuple[int, int], Known]:
    """Match symbols that vanished with symbols that appeared, where both are the same one. Returns: the former symbol
    by the `place` of the new one.

    A pair has to be the only candidate on both sides. Rules, strictest first: same names in a moved file; same name,
    kind and body anywhere; same surroundings, kind and body under another name.

    Args: moves: new path -> old path of files that were moved.
    """
    left_gone, left_fresh = list(gone), list(fresh)
    result: dict[tuple[int, int], Known] = {}
    rules = (
        (
            lambda known: (known.path, known.names, known.kind),
            lambda new: (moves.get(new.path, ""), new.names, new.kind),
        ),
        (
            lambda known: known.body and (known.names[-1:], known.kind, known.body),
            lambda new: new.body and (new.names[-1:], new.kind, new.body),
        ),
        (
            lambda known: known.body and (known.path, known.names[:-1], known.kind, known.body),
            lambda new: new.body and (new.path, new.names[:-1], new.kind, new.body),
        ),
    )
    for key_of_gone, key_of_fresh in rules:
        pairs = _unique_pairs(left_gone, left_fresh, key_of_gone, key_of_fresh)
        result.update({new.place: known for known, new in pairs})
        matched = {known.id for known, _ in pairs}
        left_gone = [known for known in left_gone if known.id not in matched]
        left_fresh = [new for new in left_fresh if new.place not in result]
    return result


def _unique_pairs(gone, fresh, key_of_gone, key_of_fresh) -> list[tuple[Known, Fresh]]:  # type: ignore[no-untyped-def]
    by_key: dict[Hashable, tuple[list[Known], list[Fresh]]] = defaultdict(lambda: ([], []))
    for known in gone:
        if key := key_of_gone(known):
            by_key[key][0].append(known)
    for new in fresh:
        if key := key_of_fresh(new):
            by_key[key][1].append(new)
    return [(olds[0], news[0]) for olds, news in by_key.values() if len(olds) == 1 and len(news) == 1]
