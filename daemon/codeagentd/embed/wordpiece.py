"""WordPiece, the tokenizer of BERT's models: a text becomes the numbers of its tokens.

Source: https://arxiv.org/abs/1810.04805 and the uncased reference tokenizer of https://github.com/google-research/bert.
Words are cut as the package tokenizers cuts them, in a third of its time, since the words of a repository repeat
(docs/decisions/0045-installation.md).
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Mapping
from itertools import chain, islice
from typing import Any, Final

REMEMBERED: Final = 65_536  # words whose tokens are cached: those of a large repository, 15 MB
# the only rules that are known here, as a tokenizer.json writes them
NORMALIZER: Final = {
    "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True,
    "strip_accents": None,  # as lowercase is
}  # fmt: skip
PRE_TOKENIZER: Final = {"type": "BertPreTokenizer"}
_DROPPED: Final = {"Cc", "Cf", "Co", "Cs"}  # control, format, private use, surrogate
_IDEOGRAPHS: Final = (  # each of these is a word
    range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B740), range(0x2B740, 0x2B820), range(0x2B920, 0x2CEB0), range(0x2F800, 0x2FA20),
)  # fmt: skip


class WordPiece:
    """The tokenizer that the content of a `tokenizer.json` describes. Thread-safe.

    Errors of the constructor: ValueError where it is another kind of tokenizer.
    """

    def __init__(self, tokenizer: Mapping[str, Any]) -> None:
        model = tokenizer.get("model", {})
        rules = (model.get("type"), tokenizer.get("normalizer"), tokenizer.get("pre_tokenizer"))
        if rules != ("WordPiece", NORMALIZER, PRE_TOKENIZER):
            raise ValueError("its tokenizer is no WordPiece with the rules of uncased BERT")
        self._numbers: dict[str, int] = model["vocab"]
        self._inside = str(model["continuing_subword_prefix"])
        self._longest = int(model["max_input_chars_per_word"])
        self.unknown = self._numbers[model["unk_token"]]
        self.size = 1 + max(self._numbers.values())
        self._characters = _Characters()
        self._remembered = functools.lru_cache(REMEMBERED)(self._tokens_of_word)

    def tokens(self, text: str, most: int) -> list[int]:
        """Return the numbers of the first `most` tokens of `text`."""
        words = text.translate(self._characters).split()
        return [*islice(chain.from_iterable(map(self._remembered, words)), most)]

    def _tokens_of_word(self, word: str) -> tuple[int, ...]:
        """The longest tokens that make up `word`, from its beginning; the unknown token where there are none."""
        if len(word) > self._longest:
            return (self.unknown,)
        numbers, at = list[int](), 0
        while at < len(word):
            prefix = self._inside if at else ""
            for end in range(len(word), at, -1):
                if (number := self._numbers.get(prefix + word[at:end])) is not None:
                    break
            else:
                return (self.unknown,)
            numbers.append(number)
            at = end
        return tuple(numbers)


class _Characters(dict[int, str]):
    """What becomes of each character: nothing, a space, itself in lower case without accents, or a word of its own."""

    def __missing__(self, code: int) -> str:
        self[code] = result = _normal(chr(code))
        return result


def _normal(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character in "\0\ufffd" or unicodedata.category(character) in _DROPPED:
        return ""
    if any(ord(character) in block for block in _IDEOGRAPHS):
        return f" {character} "
    plain = "".join(part for part in unicodedata.normalize("NFD", character) if unicodedata.category(part) != "Mn")
    return "".join(f" {part} " if _is_punctuation(part) else part for part in plain.lower())


def _is_punctuation(character: str) -> bool:
    """Whether BERT takes a character for punctuation: that of Unicode, and all signs of ASCII."""
    is_sign = character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    return is_sign or unicodedata.category(character).startswith("P")
