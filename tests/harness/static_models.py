"""Small static models, written into a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from codeagentd.embed.wordpiece import NORMALIZER, PRE_TOKENIZER


def static_model(folder: Path, vectors: Mapping[str, Sequence[int]], **config: Any) -> Path:
    """Write a model that knows these tokens, and `[UNK]` for all others, which has the last of eight dimensions alone."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [[0] * 7 + [1], *([*vector, *[0] * (8 - len(vector))] for vector in vectors.values())]
    tokenizer = {
        "version": "1.0", "added_tokens": [], "normalizer": NORMALIZER, "pre_tokenizer": PRE_TOKENIZER,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": {token: number for number, token in enumerate(["[UNK]", *vectors])},
        },
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    known = {"model_type": "static", "tokens": 256, "repeated": 0.5, "half_at": 1e9}
    (folder / "config.json").write_text(json.dumps(known | config))
    np.save(folder / "vectors.npy", np.array(rows, dtype=np.int8))
    np.save(folder / "factors.npy", np.ones(len(rows), dtype=np.float32))
    return folder
