"""Would the same bytes give the same facts? A number for each language, which changes with whatever its facts depend
on, and leaves the others alone.
"""

from __future__ import annotations

import functools
import hashlib
from importlib import resources
from typing import Final

from codeagentd.model.facts import EXTRACTOR_VERSION

from .language import languages

NUMBER_BYTES: Final = 6  # of a digest: SQLite's integers have 8, with a sign


@functools.cache
def version_of(language: str) -> int:
    """Of the extraction of a language: the extractor's own version and the data of the language; of one with parts in
    others, the data of all.
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
    """What stands in a folder of data, in brief."""
    place = resources.files("codeagentd.languages") / "data" / folder
    digest = hashlib.blake2b(digest_size=NUMBER_BYTES)
    for file in sorted(place.iterdir(), key=lambda entry: entry.name):
        if file.is_file():
            content = file.read_bytes()
            digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return digest.digest()
