"""Versions of extraction: a number for each language that changes exactly when something that its facts depend on
changes.
"""

from __future__ import annotations

import functools
import hashlib
from importlib import resources
from typing import Final

import msgspec

from codeagentd.model.facts import EXTRACTOR_VERSION

from .generic_table import generic_rows
from .language import languages

NUMBER_BYTES: Final = 6  # of a digest: SQLite's integers have 8, with a sign


@functools.cache
def version_of(language: str) -> int:
    """Return the version of the extraction of `language`. It depends on the extractor and the language's data; for a
    language with embedded parts, on the data of all languages.
    """
    known = languages()
    digest = hashlib.blake2b(str(EXTRACTOR_VERSION).encode(), digest_size=NUMBER_BYTES)
    chosen = known.get(language)
    if chosen is not None:
        own = {chosen.name, chosen.like, chosen.boundaries, chosen.members} - {""}
        for folder in sorted(own if chosen.rules.parts == "none" else known):
            digest.update(_data_of(folder))
    return int.from_bytes(digest.digest())


@functools.cache
def _data_of(folder: str) -> bytes:
    """Return a digest of a folder of data, or of the row that stands for one."""
    if row := generic_rows().get(folder):
        return msgspec.json.encode(row)
    place = resources.files("codeagentd.languages") / "data" / folder
    digest = hashlib.blake2b(digest_size=NUMBER_BYTES)
    for file in sorted(place.iterdir(), key=lambda entry: entry.name):
        if file.is_file():
            content = file.read_bytes()
            digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return digest.digest()
