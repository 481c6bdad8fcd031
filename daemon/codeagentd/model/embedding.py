"""Vectors of texts: the interface of what computes them, and their stored form."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

VECTOR_TYPE: Final = "<f4"  # numpy's name for how the numbers of a vector are handed over: little-endian float32


class Embedder(Protocol):
    """Texts as vectors of unit length. Thread-safe; answers at once when there is no model."""

    @property
    def model(self) -> str:
        """What names the model that is loaded, its version included; '' while there is none.

        Vectors of two models are never compared.
        """

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """One vector for each text (VECTOR_TYPE); None while no model is loaded.

        `urgent`: a caller waits, and it comes before the background work.
        """


class NoEmbedder:
    """The embedder of a daemon that has no model and gets none."""

    model = ""

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """Nothing."""
        return None


class EmbeddingState(msgspec.Struct, frozen=True):
    """How far search by meaning is. `state`: off | resting (it wakes when asked) | loading | ready | absent, with the
    reason and the remedy, '' before they are known; `is_damaged`: a model that was asked for cannot be used; `count`
    symbols have vectors, `pending` wait for theirs; `pid` of the process that has the model, 0 without one.
    """

    state: str = ""
    model: str = ""
    count: int = 0
    pending: int = 0
    reason: str = ""
    remedy: str = ""
    is_damaged: bool = False
    pid: int = 0

    @property
    def share(self) -> float:
        """Of the symbols that may have one, those that have their vector."""
        return round(self.count / max(1, self.count + self.pending), 3)


class StoredVector(NamedTuple):
    """A vector as it is kept: the signs of its numbers, 8 in a byte, and the numbers as signed bytes, the largest being
    127.

    Its length is lost.
    """

    bits: bytes
    numbers: bytes


def stored_vector(vector: bytes) -> StoredVector:
    """A vector as made (VECTOR_TYPE) in the form that is stored and searched."""
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    scale = 127 / (max(map(abs, numbers)) or 1)
    return of_numbers(array("b", [round(number * scale) for number in numbers]).tobytes())


def of_numbers(numbers: bytes) -> StoredVector:
    """The stored form of numbers that are signed bytes already."""
    signs = "".join("1" if 0 < number < 128 else "0" for number in numbers)
    return StoredVector(int(signs, 2).to_bytes(len(numbers) // 8, "big"), numbers)
