"""A static model: a table with a vector for each token. The vector of a text is the sum of those of its tokens, scaled
to unit length.

It needs no runtime and is a hundred times as fast as a sentence model. A directory holds it: `tokenizer.json` (with the
WordPiece of uncased BERT), the table as signed bytes (`vectors.npy`) with a factor for each row (`factors.npy`), and
`config.json`, which says how the tokens of a text are weighted. numpy is loaded here, so only the embedding process may
import this module.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from .wordpiece import WordPiece

CONFIG: Final = "config.json"
TABLE: Final = "vectors.npy"
FACTORS: Final = "factors.npy"
TOKENIZER: Final = "tokenizer.json"
LEAST: Final = 1e-9  # the length of a vector that is divided by: a sum may be zero
_INSIDE_NAME: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # between the words of a name in camel case
BATCH: Final = 64  # texts at once: 15 ms; larger batches are no faster


class StaticModel:
    """A loaded static model. Thread-safe: it keeps nothing between two calls. The vector of a text does not depend on
    the texts beside it.

    Errors of the constructor: OSError, ValueError and others where the files are none of a static model.
    """

    batch = BATCH

    def __init__(self, name: str, folder: Path) -> None:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        self._table = np.load(folder / TABLE, allow_pickle=False)
        self._factors = np.load(folder / FACTORS, allow_pickle=False).astype(np.float32)
        self._tokenizer = WordPiece(json.loads((folder / TOKENIZER).read_text(encoding="utf-8")))
        self._most = int(config["tokens"])  # of a text
        if self._table.dtype != np.int8 or self._table.ndim != 2 or self._table.shape[:1] != self._factors.shape:
            raise ValueError(f"{TABLE} and {FACTORS} do not belong together")
        if not self._table.shape[1] or self._table.shape[1] % 8:
            raise ValueError(f"{TABLE} has {self._table.shape[1]} columns, which are no multiple of 8")
        if self._tokenizer.size > len(self._table):
            raise ValueError(f"{TOKENIZER} has tokens without a row in {TABLE}")
        # a token that occurs n times counts n ** repeated, and half as much `half_at` tokens behind the first one
        self._repeated, self._half_at = float(config["repeated"]), float(config["half_at"])
        self._splits_names = bool(config.get("splits_names", False))
        self.reason = self.remedy = ""
        self.name = name
        self.version = f"{name}@{_digest(folder)}"
        self.dimensions = int(self._table.shape[1])

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """Return one float32 array of unit length for each of `texts`, in their order."""
        return [vector for at in range(0, len(texts), BATCH) for vector in self._encode(texts[at : at + BATCH])]

    def weighted_tokens(self, texts: Sequence[str]) -> tuple[Any, Any, Any]:
        """Return the distinct tokens of each of `texts`, at least one, with their weights, one text after the other,
        and where each text begins.
        """
        read = [_INSIDE_NAME.sub(" ", text) for text in texts] if self._splits_names else texts
        tokens = [self._tokenizer.tokens(text, self._most) or [self._tokenizer.unknown] for text in read]
        lengths = [len(ids) for ids in tokens]
        ends, size = np.cumsum(lengths), len(self._table)
        # a number for each token of each text
        numbers = np.repeat(np.arange(len(tokens)), lengths) * size + np.array([*chain(*tokens)])
        places = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        distinct, which = np.unique(numbers, return_inverse=True)
        counts = np.bincount(which, weights=1 / (1 + places / self._half_at))
        texts_of, ids = np.divmod(distinct, size)
        return ids, (counts**self._repeated).astype(np.float32), np.searchsorted(texts_of, np.arange(len(tokens)))

    def _encode(self, texts: Sequence[str]) -> Iterator[Any]:
        ids, weights, starts = self.weighted_tokens(texts)
        sums = np.add.reduceat(self._table[ids] * (self._factors[ids] * weights)[:, None], starts)
        yield from sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), LEAST)


def _digest(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for name in (CONFIG, TABLE, FACTORS, TOKENIZER):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()
