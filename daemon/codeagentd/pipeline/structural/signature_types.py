"""The meanings of the names in the signatures of methods, from the references inside the signatures."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, Protocol

from codeagentd.model.ids import name_key
from codeagentd.model.kinds import Confidence, ReferenceKind, SymbolKind
from codeagentd.store.connection import Database

from .go_signatures import Likeness, Meaning, Signature, compare

_DECLARED: Final = {  # kinds of the language's own types; two of them are aliases
    **{name: name for name in (
        "any", "bool", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16",
        "int32", "int64", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
    )},
    "byte": "uint8",
    "rune": "int32",
}  # fmt: skip
_KINDS: Final = {
    "accepts": int(ReferenceKind.ACCEPTS),
    "returns": int(ReferenceKind.RETURNS),
    "type": int(SymbolKind.TYPE),
}


class Declared(Protocol):
    """One declaration of a method, as far as the comparison of signatures needs it."""

    @property
    def id(self) -> int:
        """The declaration's number."""

    @property
    def file(self) -> int:
        """The file that contains the declaration."""

    @property
    def read(self) -> Signature | None:
        """The parsed signature; None if it cannot be parsed."""


class Meanings:
    """The meanings of the names in signatures, read in bulk and cached for a query."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._of: dict[int, list[Meaning]] = {}

    def load(self, methods: Iterable[Declared]) -> None:
        """Read the meanings of the names in the signatures of these methods, except for those that the language
        predeclares.
        """
        missing = {method.id: method for method in methods if method.id not in self._of}
        signatures = {number: signature for number, method in missing.items() if (signature := method.read)}
        named = [number for number, signature in signatures.items() if not _DECLARED.keys() >= set(signature.names)]
        meanings: dict[int, dict[int, list[Meaning]]] = defaultdict(lambda: defaultdict(list))
        if named:
            files = sorted({missing[number].file for number in named})
            parameters = {"files": json.dumps(files), "methods": json.dumps(named), **_KINDS}
            for method, key, target, confidence, is_alias in self._db.all(
                "structural.signature_references", parameters
            ):
                is_sure = target is not None and confidence == Confidence.EXACT
                meanings[method][key].append(Meaning(target, "", bool(is_alias)) if is_sure else Meaning())
        self._of |= {number: _in_order(signature, meanings[number]) for number, signature in signatures.items()}

    def compare(self, declared: Declared, other: Declared) -> Likeness:
        """Return how alike the signatures of the methods `declared` and `other` are."""
        if declared.id not in self._of or other.id not in self._of:
            self.load((declared, other))
        mine, others = declared.read, other.read
        if mine is None or others is None:
            return Likeness.UNDECIDED
        return compare(mine, others, self._of[declared.id], self._of[other.id])


def _in_order(signature: Signature, by_key: dict[int, list[Meaning]]) -> list[Meaning]:
    """A meaning for each name. If a name has another number of references than of occurrences, they cannot be matched,
    and the meaning is unknown.
    """
    keys = [name_key(name.rpartition(".")[2]) for name in signature.names]
    expected, seen = Counter(keys), Counter[int]()
    meanings = []
    for name, key in zip(signature.names, keys, strict=True):
        known = by_key.get(key, [])
        if not known:
            meanings.append(Meaning(declared=_DECLARED.get(name, "")))
        else:
            meanings.append(known[seen[key]] if len(known) == expected[key] else Meaning())
        seen[key] += 1
    return meanings
