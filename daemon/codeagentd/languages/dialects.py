"""Dialects: the language of files whose names leave it open. Headers called .h are C or C++; include files called .inc
are PHP or C++.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .language import languages

_GUARDED: Final = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def)?[ \t]+(?:defined[ \t(]*)?__cplusplus\b.*?^[ \t]*#[ \t]*(?:else|elif|endif)\b",
    re.DOTALL | re.MULTILINE,
)
_QUIET: Final = re.compile(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_CPP: Final = re.compile(
    rb"^[ \t]*(?:inline[ \t]+)?namespace\b[^;=]*\{|^[ \t]*template[ \t]*<"
    rb"|^[ \t]*(?:enum[ \t]+)?class[ \t]+\w+[^;()]*[{:;]|^[ \t]*(?:public|private|protected)[ \t]*:"
    rb"|^[ \t]*using[ \t]+(?:namespace\b|\w+[ \t]*=|\w+::)"
    rb"|\bvirtual[ \t]+~?\w|\w::~?\w|^[ \t]*#[ \t]*include[ \t]*<\w+>|\b(?:constexpr|nullptr|noexcept)\b",
    re.MULTILINE,
)  # fmt: skip
# what is looked for has one
_HINT: Final = re.compile(
    rb"namespace|template|class|public|private|protected|using|virtual|::|constexpr|nullptr|noexcept|include[ \t]*<\w+>"
)
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#(?:[ \t]*(?:include[ \t]*[\"<]|define[ \t]+\w)|(?:if|ifdef|ifndef|endif|pragma|undef)\b)", re.MULTILINE
)


def language_of_source(source: bytes, language: str) -> str:
    """Return the language of `source`, which may be in another dialect than its name suggests; `language` is the
    presumed one.

    Syntax of C++ alone, outside of comments and of parts that C compilers skip, makes a header C++; directives make C++
    of a source that does not open PHP. Any other source keeps the presumed language.
    """
    chosen = languages()[language]
    dialect, opening = chosen.dialect, chosen.opening.encode()
    if opening:
        return dialect if opening not in source and _DIRECTIVE.search(source) else language
    if not dialect or not _HINT.search(source) or not _HINT.search(text := _QUIET.sub(b" ", source)):
        return language
    return dialect if _CPP.search(_GUARDED.sub(b"", text)) else language


def presumed(language: str, name: str, sources: frozenset[str]) -> str:
    """Return the presumed language of a file by its name, where `language` has claimed it. Where the name fits two
    dialects and `sources`, the languages of the repository, have only the other one or one like it, that is the other
    dialect.
    """
    chosen = languages()[language]
    if not chosen.dialect or not name.endswith(chosen.shared_extensions):
        return language
    families = {languages()[source].family for source in sources}
    return chosen.dialect if languages()[chosen.dialect].family in families and language not in sources else language


def may_be_other(path: str) -> bool:
    """Whether the file at `path` may be in another language than its name suggests."""
    return any(
        language.shared_extensions and path.endswith(language.shared_extensions) for language in languages().values()
    )


def sources_among(paths: Iterable[str]) -> frozenset[str]:
    """Return those languages with dialects in which some file of `paths` must be, because its name fits no other
    language.
    """
    suffixes = {
        suffix: language.name
        for language in languages().values()
        if language.dialect or language.name in _dialects()
        for suffix in language.extensions
    }
    shared = {suffix for language in languages().values() for suffix in language.shared_extensions}
    present = {path[dot:] for path in paths if (dot := path.rfind(".")) > 0}
    return frozenset(
        suffixes[suffix] for suffix in map(str.lower, present) if suffix in suffixes and suffix not in shared
    )


def _dialects() -> frozenset[str]:
    return frozenset(language.dialect for language in languages().values() if language.dialect)
