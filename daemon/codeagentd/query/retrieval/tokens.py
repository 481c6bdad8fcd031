"""Token counts of texts: exact, in cl100k, if tiktoken and its vocabulary are on this machine; else an upper estimate.

The estimate splits a text into the same pieces as cl100k, most of which are one token, and adds tokens for pieces that
seldom are: long words, words with rare pairs of letters, runs of punctuation, other scripts.
docs/decisions/0014-budgets.md has measurements of how often the estimate is high enough, and by how much it is too
high.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import math
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeagentd.base.log import EventLog

if TYPE_CHECKING:
    from tiktoken import Encoding

Count = Callable[[str], int]

VOCABULARY: Final = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # the name of cl100k_base.tiktoken in tiktoken's cache
DIGEST: Final = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"  # SHA-256 of that file
VOCABULARY_BYTES: Final = 1_681_126
INSTALL: Final = "pip install 'codeagentd[exact-tokens]'"
# the pattern by which cl100k splits a text
PIECES: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)

SHARE: Final = 1.15  # factor of the sum over all pieces
# factor of the root of the sum: with it the estimate is high enough for 999 of 1,000 texts, also short ones
SPREAD: Final = 1.4
WORD: Final = 5  # letters of a word that usually is one token; further letters add
PER_LETTER: Final = 0.08
CAPITALS: Final = 2  # the same for words in capitals
PER_CAPITAL: Final = 0.17
PER_RARE_PAIR: Final = 0.35
RANDOM: Final = 4  # letters per rare pair below which a word counts as random letters, each of which costs tokens
PER_RANDOM_LETTER: Final = 0.63
PER_SIGN: Final = 0.65  # tokens per punctuation character of a run, from the third on
REMEMBERED: Final = 16_384  # pieces whose cost is cached: the words of a repository

# the same for ASCII, in half the time
_ASCII_PIECE: Final = re.compile(
    r"[^\r\n0-9A-Za-z]?+[A-Za-z]++|\d{1,3}| ?[^\s0-9A-Za-z]++[\r\n]*+|\s*[\r\n]|\s+(?!\S)|\s", re.ASCII
)
_PIECE: Final = re.compile(
    r"(?:[^\r\n\w]|_)?+[^\W\d_]++|\d{1,3}| ?(?:[^\s\w]|_)++[\r\n]*+|\s*[\r\n]|\s+(?!\S)|\s|.", re.DOTALL
)
_HUMP: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_RUN: Final = re.compile(r"(.)\1*", re.DOTALL)
_OUTSIDE: Final = re.compile(r"[^\x00-\x7f]+")
# frequent second letters by first letter: the 260 pairs that make up 96 % of those in the words of 23 repositories
_FOLLOWERS: Final = {
    "a": "bcdfgiklmnprstuvwxy", "b": "aeijlosuy", "c": "acehiklortu", "d": "adeilorsuy", "e": "abcdefgilmnpqrstvwxy",
    "f": "aefilortu", "g": "aehinorsu", "h": "aeiort", "i": "abcdefglmnoprstvxz", "j": "es", "k": "eis",
    "l": "adeilostuvy", "m": "abeimopsu", "n": "acdefgiklnopstuv", "o": "abcdfgiklmnoprstuvw", "p": "aeiloprstu",
    "q": "u", "r": "acdegiklmnoprstuvy", "s": "acehiklopstuy", "t": "acdehiloprstuy", "u": "abcefilmnprst", "v": "aei",
    "w": "aeinors", "x": "cpt", "y": "npst", "z": "aeo",
}  # fmt: skip
_COMMON: Final = frozenset(first + second for first, seconds in _FOLLOWERS.items() for second in seconds)
_BLOCKS: Final = (
    0x80,
    0x100,
    0x400,
    0x460,
    0x900,
    0xE80,
    0x3000,
    0x3100,
    0x4E00,
    0xA000,
    0xAC00,
    0xD7A4,
    0x10000,
    0x1F300,
    0x1FB00,
)
# tokens of a randomly chosen character of each block
_COSTS: Final = (0.0, 1.4, 2.0, 1.4, 2.0, 2.1, 3.0, 1.5, 3.0, 2.4, 3.0, 2.6, 3.0, 4.0, 2.9, 4.0)

_log = EventLog(__name__)


def estimate(text: str) -> int:
    """Return an upper estimate of the tokens of `text`; never more than its bytes."""
    cost = sum(map(_cost, (_ASCII_PIECE if text.isascii() else _PIECE).findall(text)))
    return min(math.ceil(SHARE * cost + SPREAD * math.sqrt(cost)), len(text.encode(errors="replace")))


class Tokens:
    """Counts tokens.

    The vocabulary is searched in some folders and loaded when the first text is counted: 0.2 s, 46 MB. Nothing is ever
    downloaded.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = folders
        self._lock = threading.Lock()
        self._is_ready = False
        self._encoding: Encoding | None = None

    def __call__(self, text: str) -> int:
        """The number of tokens of a text, or an upper estimate."""
        with self._lock:
            if not self._is_ready:
                self._encoding, self._is_ready = _loaded(self._folders), True
        return len(self._encoding.encode_ordinary(text)) if self._encoding else estimate(text)


def _loaded(folders: Sequence[Path]) -> Encoding | None:
    """The encoding cl100k, built from the file; None without one. tiktoken itself would download a missing
    vocabulary.
    """
    for folder in folders:
        data = _read(folder / VOCABULARY)
        if hashlib.sha256(data).hexdigest() != DIGEST:
            continue
        try:
            from tiktoken import Encoding

            ranks = {
                base64.b64decode(token): int(rank)
                for token, _, rank in (line.partition(b" ") for line in data.splitlines())
            }
            return Encoding("cl100k_base", pat_str=PIECES, mergeable_ranks=ranks, special_tokens={})
        except ModuleNotFoundError:
            _log.info("tokens are estimated: the vocabulary is here, tiktoken is not", install=INSTALL)
        except (ImportError, ValueError, binascii.Error) as error:
            _log.error("the vocabulary cannot be used", error)
    return None


def _read(path: Path) -> bytes:
    """The bytes of a file, if it may be the vocabulary; else b''."""
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size == VOCABULARY_BYTES else b""
    except OSError:
        return b""


@functools.lru_cache(maxsize=REMEMBERED)
def _cost(piece: str) -> float:
    if piece.isspace():
        return _blank(piece)
    if not piece.isascii():
        return _foreign(piece)
    if piece[-1].isalpha():
        return _head(piece[0]) + sum(map(_hump, _HUMP.findall(piece)))
    return 1.0 if piece[-1].isdigit() else _signs(piece.strip(" \r\n"))


def _hump(word: str) -> float:
    """The estimated tokens of a word, or of a part of a name, with at most one capital or only capitals."""
    folded = word.lower()
    length = len(folded)
    rare = sum(folded[at : at + 2] not in _COMMON for at in range(length - 1))
    if rare * RANDOM > length:
        return max(1.0, length * PER_RANDOM_LETTER)
    if word.isupper():
        return 1.0 + PER_CAPITAL * max(0, length - CAPITALS) + 0.2 * rare
    return 1.0 + PER_LETTER * max(0, length - WORD) + PER_RARE_PAIR * rare


def _head(sign: str) -> float:
    """The cost in tokens of a punctuation character before a word: most form one token with the word."""
    if sign.isalnum() or sign in " _.\t('\\":
        return 0.0
    return 0.8 if sign in ',"|:;@+{*$!?' else 0.4


def _signs(run: str) -> float:
    length = len(run)
    if not run.isprintable():
        return length + 1.0
    if length < 3:
        return 1.0
    if len(set(run)) <= 2 and length > 3:  # a line of dashes or a row of brackets
        return 1.0 + length / 8 + (0.8 if len(_RUN.findall(run)) > 4 else 0.0)
    return max(1.0 + 0.6 * (length - 2.5), PER_SIGN * length if length > 8 else 0.0)


def _blank(run: str) -> float:
    """The estimated tokens of white space: line ends and indentation are one token, a mixture is not."""
    return float(len(set(run))) if len(run) < 3 else max(1.0, 0.95 * len(_RUN.findall(run)) - 1.5, len(run) / 40)


def _foreign(piece: str) -> float:
    rest = _OUTSIDE.sub(" ", piece)
    outside = sum(_COSTS[bisect_right(_BLOCKS, ord(sign))] for sign in piece if not sign.isascii())
    return (
        outside + sum(map(_hump, _HUMP.findall(rest))) + sum(not sign.isalnum() and not sign.isspace() for sign in rest)
    )
