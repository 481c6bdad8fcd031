"""Vectors of texts: the interface of an embedder, and the stored form of a vector."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from .kinds import SymbolKind

PACKAGED: Final = "static-minilm"  # the model of this package, the default of embedding.model: no download
VECTOR_TYPE: Final = "<f4"  # numpy's name for the numbers of a vector: little-endian float32
EMBEDDED_KINDS: Final = [  # fields, variables, keys and the like have too little text
    kind for kind in SymbolKind if kind not in {
        SymbolKind.NAMESPACE, SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER,
        SymbolKind.KEY, SymbolKind.ELEMENT, SymbolKind.RULE, SymbolKind.INDEX, SymbolKind.PACKAGE, SymbolKind.EXTERNAL,
    }
]  # fmt: skip


class Embedder(Protocol):
    """Computes vectors of unit length for texts. Thread-safe; returns at once when there is no model."""

    @property
    def model(self) -> str:
        """The name of the loaded model, with its version; '' while there is none.

        Vectors of two models are never compared.
        """

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """Return one vector for each of `texts`, in their order (VECTOR_TYPE); None while no model is loaded.

        `urgent`: a caller waits, so the texts precede the background work.
        """


class NoEmbedder:
    """The embedder of a daemon that has no model and gets none."""

    model = ""

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """Return None, whatever the texts: there is no model."""
        return None


class EmbeddingState(msgspec.Struct, frozen=True):
    """The state of search by meaning: off | resting (the model is loaded when needed) | loading | ready | absent.
    `reason` and `remedy`: why there is no model, or why it is not the chosen one; `is_damaged`: a configured model
    cannot be used; `count` symbols
    have vectors, `pending` have none yet; `pid` is the process that has the model, 0 without one. At most `budget`
    symbols (0: all) of the `eligible` ones that may have a vector get one.
    """

    state: str = ""
    model: str = ""
    count: int = 0
    pending: int = 0
    reason: str = ""
    remedy: str = ""
    is_damaged: bool = False
    pid: int = 0
    budget: int = 0
    eligible: int = 0

    @property
    def share(self) -> float:
        """The share of symbols that have their vector, among those that may have one."""
        return round(self.count / max(1, self.count + self.pending, self.eligible), 3)

    @property
    def is_limited(self) -> bool:
        """Whether symbols have no vector because the budget has no place for them."""
        return 0 < self.budget < self.eligible

    @property
    def limit_note(self) -> str:
        """A sentence about the symbols that have no vector because of the budget; '' where there are none."""
        return (
            f"by meaning only the {self.budget:,} most referenced of {self.eligible:,} symbols are compared "
            "(`codeagentd index --embed N` raises that)"
            if self.is_limited
            else ""
        )


class StoredVector(NamedTuple):
    """A vector in its stored form: the signs of its numbers, 8 in a byte, and the numbers as signed bytes, scaled so
    that the largest is 127.

    The length of the vector is not kept.
    """

    bits: bytes
    numbers: bytes


def stored_vector(vector: bytes) -> StoredVector:
    """Return the stored form of `vector`, as an embedder computes it (VECTOR_TYPE)."""
    return stored_mean([vector])


def stored_mean(vectors: Sequence[bytes]) -> StoredVector:
    """Return the stored form of the mean of `vectors`, as an embedder computes them."""
    numbers = [*map(sum, zip(*map(_numbers, vectors), strict=True))]
    scale = 127 / (max(map(abs, numbers)) or 1)
    return of_numbers(array("b", [round(number * scale) for number in numbers]).tobytes())


def _numbers(vector: bytes) -> array[float]:
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def of_numbers(numbers: bytes) -> StoredVector:
    """Return the stored form of a vector whose `numbers` are signed bytes already."""
    signs = "".join("1" if 0 < number < 128 else "0" for number in numbers)
    return StoredVector(int(signs, 2).to_bytes(len(numbers) // 8, "big"), numbers)
