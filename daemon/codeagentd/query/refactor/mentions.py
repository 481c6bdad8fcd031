"""Mentions: the places of a name in any text, in comments, strings and documents as well."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codeagentd.model.ids import name_key
from codeagentd.store.connection import Database

PIECES: Final = 400  # pieces of text that are searched

PART: Final = re.compile(r"[^\W_]+")  # a word of a name, as the text index has it

Lines = Callable[[str], Sequence[str]]
Place = tuple[str, int, int]


def word(name: str) -> re.Pattern[str]:
    """Return a pattern for `name` as a whole word."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")


def mentions(db: Database, name: str, symbols: Sequence[int], lines: Lines) -> Iterator[Place]:
    """Yield the places of `name` as a whole word in any text, also with dashes, as command lines have it, without those
    that are known to mean other symbols than `symbols`.
    """
    match = " AND ".join(f'"{part}"' for part in PART.findall(name))
    pieces = db.all("change.saying", {"match": match, "limit": PIECES}) if match else []
    paths = sorted({path for path, _, _ in pieces})
    parameters = {"paths": json.dumps(paths), "key": name_key(name), "symbols": json.dumps(symbols)}
    others = set(db.all("change.others_named", parameters)) if paths else set()
    pattern = re.compile(f"{word(name).pattern}|{_dashed(name)}")
    for path, first, last in sorted(pieces):
        text = lines(path)
        for line in range(first, min(last, len(text)) + 1):
            for occurrence in pattern.finditer(text[line - 1]):
                if (place := (path, line, occurrence.start())) not in others:
                    yield place


def _dashed(name: str) -> str:
    """A pattern for the name with dashes between its parts; one that matches nothing for a name of one part."""
    dashed = re.sub(r"(?<=[^\W_])_(?=[^\W_])", "-", name).strip("_")
    return rf"(?<![\w$]-)(?<![\w$]){re.escape(dashed)}(?![\w$-])" if "-" in dashed else "(?!)"
