"""What makes vectors of texts, as those see it who use them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

VECTOR_TYPE: Final = "<f4"  # numpy's name for how the numbers of a vector are kept: little-endian float32


class Embedder(Protocol):
    """Texts as vectors of unit length. Thread-safe; answers at once when there is no model."""

    @property
    def model(self) -> str:
        """What names the model that is loaded, its version included; '' while there is none. Vectors of two models are never compared."""

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """One vector for each text (VECTOR_TYPE); None while no model is loaded. `urgent`: somebody waits for it, and it passes what is done in the background."""


class NoEmbedder:
    """No model, and none to come."""

    model = ""

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """Nothing."""
        return None
