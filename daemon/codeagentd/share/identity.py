"""The keys of a file's entries: what a reader of files would look up for its present content."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.paths import read_regular
from codeagentd.languages.dialects import language_of_source
from codeagentd.languages.versions import version_of
from codeagentd.model.namespace_macros import digest_with
from codeagentd.pipeline.batch.file_listing import ParsedFile
from codeagentd.scan.secret_files import is_secret_file

from .entries import VECTORS, Key


class Identity(NamedTuple):
    """A file with its present content, and the keys of its facts and its vectors."""

    file: ParsedFile
    source: bytes
    facts: Key


def identity(root: Path, file: ParsedFile, max_bytes: int = MAX_FILE_BYTES) -> Identity | None:
    """Return the keys of the file below `root`; None for a file that cannot be read, or may hold secrets."""
    source = None if is_secret_file(file.path) else read_regular(root / file.path, max_bytes)
    if source is None:
        return None
    language = language_of_source(source, file.language)
    return Identity(file, source, Key(digest_with(source, file.openings), language, version_of(language)))


def vectors_key(digest: bytes, model: str) -> Key:
    """Return the key of the vectors that the model of this name has for the file with this content."""
    return Key(digest, VECTORS + model, 0)
