"""Completions of an incomplete name, id or community: names that begin with the text, the most connected first; then
names that contain its letters in this order.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from typing import Final

from codeagentd.model.ids import NODE_ID_LENGTH, UID_BYTES, node_id
from codeagentd.model.labels import clean
from codeagentd.store.connection import Database

from .nodes import Node, nodes

LONGEST: Final = 100  # characters of the text that are used
# lengths of a text whose letters may be scattered over a name: fewer letters are in most names, more take long to
# compare
FUZZY: Final = range(3, 33)
SHORTEST_ID: Final = 4  # characters from which a text is an id and not a name by chance

_SEPARATORS: Final = ("::", "#", "\\")


def labels(db: Database, written: str, limit: int) -> list[str]:
    """Return at most `limit` labels of nodes that complete `written`, each once; a label that several nodes have is
    completed as label@file.
    """
    matches = _nodes(db, written, limit)
    count = Counter(node.label for node in matches)
    return list(
        dict.fromkeys(node.label if count[node.label] == 1 else f"{node.label}@{node.file}" for node in matches)
    )


def ids(db: Database, written: str, limit: int) -> list[str]:
    """Return at most `limit` node ids that begin with `written`, and qualified names, which are accepted wherever an id
    is.
    """
    matches = _beginning(db, written, limit) if len(written) >= SHORTEST_ID else []
    numbers = [node.number for node in _nodes(db, written, limit)]
    names: dict[int, str] = dict(db.all("completing.qualified_names", (json.dumps(numbers),)))
    return list(dict.fromkeys([*matches, *(clean(names[number]) for number in numbers)]))[:limit]


def communities(db: Database, written: str, limit: int) -> list[str]:
    """Return at most `limit` numbers of communities: those that begin with `written`, then those of communities whose
    name contains it.
    """
    written = written[:LONGEST]
    parameters = {"begun": _prefix_pattern(written), "inside": _inside(written), "limit": limit}
    return [str(number) for (number,) in db.all("completing.communities", parameters)]


def _nodes(db: Database, written: str, limit: int) -> list[Node]:
    written = written.strip()[:LONGEST]
    dotted = written.lower().removesuffix("()")
    for separator in _SEPARATORS:
        dotted = dotted.replace(separator, ".")
    above, _, last = dotted.rpartition(".")
    numbers: list[int] = []
    if "/" in written:
        numbers += _numbers(db.all("completing.files", {"begun": _prefix_pattern(written), "limit": limit}))
    else:
        numbers += _numbers(
            db.all(
                "completing.names",
                {"like": _prefix_pattern(last), "within": f".{dotted}" if above else ".", "limit": limit},
            )
        )
    if not above and len(last) in FUZZY and len(numbers) < limit:
        which = "completing.files" if "/" in written else "completing.names"
        numbers += _numbers(
            db.all(which, {"like": _scattered(last), "begun": _scattered(last), "within": ".", "limit": limit})
        )
    numbers = list(dict.fromkeys(numbers))[:limit]
    known = nodes(db, numbers)
    return [known[number] for number in numbers]


def _numbers(rows: list[tuple[int]]) -> list[int]:
    return [number for (number,) in rows]


def _beginning(db: Database, written: str, limit: int) -> list[str]:
    """Node ids that begin with the text: a range from the lowest to the highest such id."""
    try:
        least, greatest = (
            base64.b64decode(written.ljust(NODE_ID_LENGTH, filler) + "==", altchars=b"-_")[:UID_BYTES]
            for filler in "A_"
        )
    except (binascii.Error, ValueError):
        return []
    return [node_id(uid) for (uid,) in db.all("completing.ids", {"least": least, "greatest": greatest, "limit": limit})]


def _prefix_pattern(written: str) -> str:
    return f"{_escaped(written)}%"


def _inside(written: str) -> str:
    return f"%{_escaped(written)}%"


def _scattered(written: str) -> str:
    return f"%{'%'.join(map(_escaped, written))}%"


def _escaped(written: str) -> str:
    return "".join(f"\\{letter}" if letter in "%_\\" else letter for letter in written)
