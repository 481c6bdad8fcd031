"""The files of a static model, written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, Final

import numpy as np

from codeagentd.embed.static_model import CONFIG, FACTORS, TABLE, TOKENIZER

UNKNOWN: Final = "[UNK]"
LEVELS: Final = 31  # the largest number of a row: 6 bits lose nothing that is seen, and are packed to two thirds


def vocabulary(teacher: Path) -> list[str]:
    """Return the tokens of `teacher` that the table has, in the order of its rows: those of ASCII, and no markers."""
    numbers = _tokenizer(teacher)["model"]["vocab"]
    tokens = sorted(numbers, key=lambda token: int(numbers[token]))
    return [token for token in tokens if token == UNKNOWN or (token.isascii() and not _is_marker(token))]


def _is_marker(token: str) -> bool:
    return len(token) > 2 and token.startswith("[") and token.endswith("]")


def _tokenizer(teacher: Path) -> Any:
    return json.loads((teacher / TOKENIZER).read_text(encoding="utf-8"))


def write(folder: Path, teacher: Path, vectors: Any, config: dict[str, Any]) -> None:
    """Write the model with the `vectors` of the vocabulary into `folder`, in place of what is there."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    tokens = vocabulary(teacher)
    content = _tokenizer(teacher)
    content["model"]["vocab"] = {token: number for number, token in enumerate(tokens)}
    content["added_tokens"] = [
        added | {"id": tokens.index(UNKNOWN)} for added in content["added_tokens"] if added["content"] == UNKNOWN
    ]
    content |= {"truncation": None, "padding": None, "post_processor": None}
    (part / TOKENIZER).write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    factors = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / LEVELS
    np.save(part / TABLE, np.rint(vectors / factors[:, None]).astype(np.int8))
    np.save(part / FACTORS, factors.astype(np.float32))
    (part / CONFIG).write_text(json.dumps({"model_type": "static"} | config, indent=1) + "\n", encoding="utf-8")
    old = folder.with_name(f"{folder.name}.old")
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)
