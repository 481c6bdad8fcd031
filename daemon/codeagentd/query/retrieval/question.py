"""A question, parsed for retrieval: its words, the names in it, and stems to compare words by."""

from __future__ import annotations

import functools
import re
from typing import Final

import msgspec

from codeagentd.languages.language import language_of
from codeagentd.model.identifier_words import split_words

# articles, pronouns, auxiliaries: leaving out more words loses more than it gains, since `before` and `use` occur in
# names
STOP_WORDS: Final = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for", "from", "had",
    "has", "have", "how", "i", "in", "is", "it", "its", "may", "might", "of", "on", "or", "our", "should", "that",
    "the", "these", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will",
    "with", "would", "you", "your",
})  # fmt: skip

# closed classes of English words, by which a topic, a description and a question are told apart
ARTICLES: Final = frozenset({"a", "an", "the"})
CONJUNCTIONS: Final = frozenset({"and", "or"})
INTERROGATIVES: Final = frozenset({"how", "what", "when", "where", "which", "who", "why"})

WRITTEN: Final = re.compile(r"[^\W\d][\w$]*|\d+")
_PATH: Final = re.compile(r"[^\W\d][\w$]*(?:(?:::|->|[.#\\])[^\W\d][\w$]*)+")
_SUFFIXES: Final = tuple(sorted(
    ("ization", "ational", "ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "able", "ible",
     "ers", "er", "ors", "or", "ed", "es", "al", "s"),
    key=len, reverse=True,
))  # fmt: skip
_ABOUT_TESTS: Final = re.compile(
    r"\b(?:tests?|testing|specs?|fixtures?|mocks?|examples?|demos?|samples?|bench\w*|scripts?)\b", re.IGNORECASE
)
_ABOUT_PROSE: Final = re.compile(
    r"\b(?:docs?|documentation|readme|guides?|changelog|config\w*|json|ya?ml|toml|html|css|style\w*|page|workflow"
    r"|manifest)\b",
    re.IGNORECASE,
)


class Query(msgspec.Struct, frozen=True):
    """A question: its words in lower case without function words, the names in it as written, and whether it is about
    tests or documents.
    """

    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    is_name: bool  # it is one name and nothing else
    path: str  # the name with what it stands in, as `Loan.renew`; '' of any other question
    about_tests: bool
    about_prose: bool


def read(text: str) -> Query:
    """Return the question `text`, parsed."""
    written = WRITTEN.findall(text)
    path = ".".join(written) if _PATH.fullmatch(text.strip()) and language_of(text.strip()) is None else ""
    words = [word for name in written for word in split_words(name) if word not in STOP_WORDS or len(written) <= 2]
    names = [
        name for at, name in enumerate(written)
        if len(written) == 1 or "_" in name or len(split_words(name)) > 1 or (at > 0 and name[0].isupper())
    ]  # fmt: skip
    chosen = dict.fromkeys(words or (name.lower() for name in written))
    return Query(
        text, tuple(chosen), tuple(dict.fromkeys(written[-1:] if path else names)), len(written) == 1 or bool(path),
        path, _ABOUT_TESTS.search(text) is not None, _ABOUT_PROSE.search(text) is not None,
    )  # fmt: skip


@functools.lru_cache(maxsize=8_192)  # files and questions repeat the same few words
def stem(word: str) -> str:
    """Return `word` without its English ending, to compare words by."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


@functools.lru_cache(maxsize=65_536)  # names of definitions and files: one question compares a thousand
def stems_of(name: str) -> tuple[str, ...]:
    """Return the distinct words of `name`, as stems."""
    return tuple(dict.fromkeys(map(stem, split_words(name))))
