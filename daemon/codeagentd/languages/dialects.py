"""Dialects: the language of files whose names leave it open. Headers called .h are C, C++ or Objective-C; include files
called .inc are PHP or C++.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Final

from .language import is_parsed, languages
from .texts import language_instead, language_of_text

# Patterns of lines begin with the line end before them: the search then skips all other bytes.
_GUARDED: Final = re.compile(
    rb"\n[ \t]*#[ \t]*if(?:def)?[ \t]+(?:defined[ \t(]*)?__cplusplus\b.*?\n[ \t]*#[ \t]*(?:else|elif|endif)\b",
    re.DOTALL,
)
_QUIET: Final = re.compile(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_CPP: Final = (
    re.compile(
        rb"\n[ \t]*(?:(?:inline[ \t]+)?namespace\b[^;=]*\{|template[ \t]*<"
        rb"|(?:enum[ \t]+)?class[ \t]+\w+[^;()]*[{:;]|(?:public|private|protected)[ \t]*:"
        rb"|using[ \t]+(?:namespace\b|\w+[ \t]*=|\w+::)|#[ \t]*include[ \t]*<\w+>)"
    ),
    re.compile(rb"virtual(?<!\wvirtual)[ \t]+~?\w"),
    re.compile(rb"::(?<=\w::)~?\w"),
    *[re.compile(word + rb"(?<!\w" + word + rb")(?!\w)") for word in (b"constexpr", b"nullptr", b"noexcept")],
)
# what is looked for has one
_HINT: Final = re.compile(
    rb"namespace|template|class|public|private|protected|using|virtual|::|constexpr|nullptr|noexcept|include[ \t]*<\w+>"
)
# What is looked for also has one of these, where comments and literals may stand for white space.
_WORDS: Final = (b"namespace", b"constexpr", b"nullptr", b"noexcept")
_HINTS: Final = (
    re.compile(rb"::(?<=\w::)~?\w"),
    re.compile(rb"virtual(?:[ \t]+[~\w]|[ \t]*[/\"])"),
    re.compile(rb"include[ \t]*(?:<\w+>|/|\"[^\"\n]*\"[ \t]*[</\"])"),
)
_HINTS_AT_LINE_STARTS: Final = (
    re.compile(rb"template[ \t]*[</\"]"),
    re.compile(rb"class(?:[ \t]+\w|[ \t]*[/\"])"),
    *[re.compile(word + rb"[ \t]*[:/\"]") for word in (b"public", b"private", b"protected")],
    re.compile(rb"using(?:[ \t]+\w|[ \t]*[/\"])"),
)
# what may be before them on their lines: the ends of comments and literals, of parts that C compilers skip, `enum`
_BEFORE_HINT: Final = (b"/", b'"', b"else", b"elif", b"endif", b"enum")
_OBJECTIVE_C: Final = re.compile(rb"\n[ \t]*(?:@(?:interface|protocol|class)[ \t]+\w|#[ \t]*import\b)")
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#(?:[ \t]*(?:include[ \t]*[\"<]|define[ \t]+\w)|(?:if|ifdef|ifndef|endif|pragma|undef)\b)", re.MULTILINE
)


def language_of_source(source: bytes, language: str) -> str:
    """Return the language of `source`, which may be in another dialect than its name suggests; `language` is the
    presumed one.

    Declarations of Objective-C make a header Objective-C. Syntax of C++ alone, outside of comments and of parts that C
    compilers skip, makes a header C++; directives make C++ of a source that does not open PHP. Texts without a grammar
    are recognised by their begin. Any other source keeps the presumed language.
    """
    if not is_parsed(language):
        return language_of_text(source, language)
    if language == "c" and _is_objective_c(source):
        return "objc"
    chosen = languages()[language]
    rules = chosen.recognised
    if (rules.instead or rules.needs) and (other := language_instead(source, language)) != language:
        return other
    dialect, opening = chosen.dialect, chosen.opening.encode()
    if opening:
        return dialect if opening not in source and _DIRECTIVE.search(source) else language
    if not dialect or not _has_hint(source) or not _HINT.search(source):
        return language
    text = _GUARDED.sub(b"\n", b"\n" + _QUIET.sub(b" ", source))
    return dialect if any(syntax.search(text) for syntax in _CPP) else language


def _is_objective_c(source: bytes) -> bool:
    """Whether `source` has declarations of Objective-C, outside of comments."""
    if not any(word in source for word in (b"@interface", b"@protocol", b"@class", b"#import")):
        return False
    return bool(_OBJECTIVE_C.search(b"\n" + _QUIET.sub(b" ", source)))


def _has_hint(source: bytes) -> bool:
    """Whether `source` may have syntax of C++ alone."""
    return (
        any(word in source for word in _WORDS)
        or any(hint.search(source) for hint in _HINTS)
        or any(_begins_line(source, match.start()) for hint in _HINTS_AT_LINE_STARTS for match in hint.finditer(source))
    )


def _begins_line(source: bytes, at: int) -> bool:
    """Whether only white space, a comment or a literal may be between the start of a line and an offset."""
    before = source[source.rfind(b"\n", 0, at) + 1 : at].rstrip(b" \t")
    return not before or before.endswith(_BEFORE_HINT)


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
    return path.endswith(_open_extensions())


@functools.cache
def _open_extensions() -> tuple[str, ...]:
    return tuple({suffix for language in languages().values() for suffix in language.shared_extensions})


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
