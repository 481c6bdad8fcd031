"""The part of a text that text search has: all of it, or of data their begin.

Texts that no grammar reads are documents, sources of other languages, and data: tables, translations, drawings, logs,
recorded outputs. A few megabytes of data would have more chunks than all the code, and their words would push others
out of the first hits. What a file of data is about is said at its begin: names of columns, a header, the first rows.
"""

from __future__ import annotations

from typing import Final

from codeagentd.base.limits import DATA_HEAD_CHARACTERS, DATA_HEAD_LINES, HAND_WRITTEN_BYTES, JUDGED_DATA_BYTES
from codeagentd.languages.language import GENERIC, OTHER, is_parsed, languages

SAMPLE: Final = 65_536  # characters whose kinds are counted
# Shares of a sample, between what was measured of sources and documents of 20 repositories and what of their data:
# hand-written text has at least .63 letters among what is no space, tables of numbers and encoded bytes at most .58
LETTERS: Final = 0.6
SPACES: Final = 0.05  # encoded bytes and packed scripts have less; languages without spaces are not ASCII
FOREIGN: Final = 0.3

_PLAIN: Final = frozenset({"csv", "text", OTHER})  # those of any content; a document in markup is none of data
_SUFFIXES: Final = frozenset(
    {
        "csv", "tsv", "psv", "dat", "data", "ndjson", "jsonl", "arff", "mtx", "fits", "vcf", "gff", "fasta", "pdb",
        "po", "pot", "xlf", "xliff", "resx", "log", "out", "snap", "svg", "eps", "ps", "pdf", "ai", "xpm", "map",
        "obj", "stl", "ply", "gcode", "patch", "diff", "lock", "pem", "crt", "cer", "crl", "asc", "sha1", "sha256",
        "md5", "hex", "srec", "mbox", "eml", "bib", "dic", "aff",
    }
)  # fmt: skip


def searched(text: str, path: str, language: str) -> str:
    """Return the part of `text`, the file at `path`, that text search has."""
    may_be_data = _may_be_data(language)
    if is_parsed(language) and not may_be_data:
        return text
    if len(text) <= HAND_WRITTEN_BYTES and not (may_be_data and _is_data(text, path)):
        return text
    return "\n".join(text[:DATA_HEAD_CHARACTERS].split("\n", DATA_HEAD_LINES)[:DATA_HEAD_LINES])


def _may_be_data(language: str) -> bool:
    """Whether texts in a language have any content: settings or a table, written by people or not."""
    known = languages().get(language)
    return language in _PLAIN or (known is not None and known.tier == GENERIC and known.modules.is_data)


def _is_data(text: str, path: str) -> bool:
    """Whether a text is data, by its name, or by the characters of a large one."""
    is_named_so = path.rpartition(".")[2].lower() in _SUFFIXES
    return is_named_so or (len(text) > JUDGED_DATA_BYTES and ("\0" in text or not _is_written(text[:SAMPLE])))


def _is_written(sample: str) -> bool:
    """Whether a text reads as if people have written it."""
    data = sample.encode(errors="replace")
    spaces = len(data) - len(data.translate(None, _SPACE))
    foreign = len(data) - len(data.translate(None, _FOREIGN))
    letters = foreign + len(data) - len(data.translate(None, _LETTER))
    if spaces < SPACES * len(data) and foreign < FOREIGN * len(data):
        return False
    return letters >= LETTERS * (len(data) - spaces)


_SPACE: Final = b" \t\r\n"
_LETTER: Final = bytes(byte for byte in range(128) if chr(byte).isalpha())
_FOREIGN: Final = bytes(range(128, 256))
