"""The conversion of a search text to an FTS5 expression.

A text without FTS5 operators is plain: it has identifiers, dotted names and words, and never causes a syntax error. Any
other text is passed to FTS5 unchanged.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from codeagentd.model.identifier_words import split_words

COLUMNS: Final = ("name", "words", "qualified_name", "signature", "returns")
# words of a plain text that are used: more than users write, fewer than would make one search slow
MAX_TERMS: Final = 32
MOST_JOINED: Final = 6  # words that can be one name

_OPERATORS = re.compile(r'["^(){}]|\*(?!\s|$)|(?:^|\s)\*|(?:^|[\s+-])(?:' + "|".join(COLUMNS) + r")\s*:(?!:)")
_BOOLEAN = re.compile(r"(?:^|\s)(?:AND|OR|NOT|NEAR)(?=\s|$)")
_OPERATOR_WORD = re.compile(r"\b(?:AND|OR|NOT|NEAR)\b")
_CALL = re.compile(r"(?!NEAR\b)([\w.$#:]*[\w$])\([^()\"]*\)$")
_SEPARATOR = re.compile(r"::|[.#\\]")
_LETTER = re.compile(r"[^\W_]")
_COLUMN = re.compile(r"(?:^|(?<=[\s(+-]))(?:\{[^{}]*\}|" + "|".join(COLUMNS) + r")\s*:(?!:)")
_WORD_PARTS = re.compile(r"[\w$]+(?:(?:::|[.#-])[\w$]+)*\*?")
_WORD = re.compile(r"[^\W_]+")


class Terms(msgspec.Struct, frozen=True):
    """A parsed search text. `words` is empty when the text is an FTS5 expression.

    `name` and `suffix` are the name of an exact hit; '' when the text cannot be one name.
    """

    text: str
    words: tuple[str, ...] = ()
    name: str = ""
    suffix: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The possible names of an exact hit: the name, or a few words joined in the usual spellings of names."""
        if self.name or not 1 < len(self.words) <= MOST_JOINED or not all(map(_WORD.fullmatch, self.words)):
            return (self.name,) if self.name else ()
        parts = [word.lower() for word in self.words]
        heads = [part.capitalize() for part in parts]
        return tuple(
            dict.fromkeys(
                (
                    "_".join(parts),
                    parts[0] + "".join(heads[1:]),
                    "".join(heads),
                    "_".join(parts).upper(),
                    "-".join(parts),
                    "".join(parts),
                )
            )
        )

    @property
    def is_plain(self) -> bool:
        """Whether the text is free of FTS5 operators."""
        return bool(self.words)


def parse(text: str) -> Terms:
    """Parse `text` as plain text or as an FTS5 expression."""
    text = text.strip()
    if call := _CALL.match(text):
        text = call[1]
    if not text or _OPERATORS.search(text) or (_BOOLEAN.search(text) and " " in text):
        return Terms(text)
    words = tuple(text.split()[:MAX_TERMS])
    if len(words) > 1 or words[0].endswith("*"):
        return Terms(text, words)
    dotted = _SEPARATOR.sub(".", words[0])
    name = dotted.rpartition(".")[2] or dotted
    return Terms(text, words, name, f".{dotted}" if name != dotted else "")


def as_words(text: str) -> Terms:
    """Return `text`, which is no valid expression although it looks like one, as its words without operators; not plain
    if it has no words.
    """
    words = _WORD_PARTS.findall(_OPERATOR_WORD.sub(" ", _COLUMN.sub(" ", text)))
    return parse(" ".join(words))


def all_of(words: tuple[str, ...], *, prefix: bool = False) -> str:
    """Return an FTS5 expression for symbols with every one of `words`; with `prefix`, also with words that begin with
    the last one. '' when no word has a letter or digit.
    """
    return " AND ".join(f"({_either(word, prefix)})" for word in words if _LETTER.search(word))


def any_of(words: tuple[str, ...]) -> str:
    """Return an FTS5 expression for symbols whose name contains at least one of `words`."""
    options = " OR ".join(_either(word, False) for word in words if _LETTER.search(word))
    return options and f"{{name words}} : ({options})"


def trigrams(words: tuple[str, ...]) -> str:
    """Return a trigram expression for names that contain the only word of `words`; '' if the word is too short or there
    are several.
    """
    if len(words) != 1 or len(words[0]) < 3:
        return ""
    word = words[0]
    return " AND ".join(quoted(piece) for piece in dict.fromkeys(word[at : at + 3] for at in range(len(word) - 2)))


def quoted(text: str) -> str:
    """Return `text` as an FTS5 string, with any characters in it escaped."""
    return '"' + text.replace('"', '""') + '"'


def _either(word: str, prefix: bool) -> str:
    """An expression for the word as written, or for the parts of a camel-case name: the column `words` has the parts,
    and `name` the parts that are joined by other characters.
    """
    bare = word.rstrip("*")
    star = " *" if prefix or bare != word else ""
    parts = split_words(bare)
    phrase = quoted(bare) + star
    if len(parts) < 2 or not any(letter.isupper() for letter in bare):
        return phrase
    return f"{phrase} OR {{name words}} : {quoted(' '.join(parts))}{star}"
