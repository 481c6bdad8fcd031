"""The rules by which the lines of a text without a grammar are read: [headings] and [recognised] in language.toml."""

from __future__ import annotations

import msgspec


class HeadingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the headings of a text look: [headings] in language.toml.

    All patterns are matched against the bytes of one line; they must take linear time.
    """

    # a heading that a sign marks; with the groups `sign` and `title`
    marked: str = ""
    # by sign: the level of the heading; without an entry it is the number of the sign's characters
    levels: dict[str, int] = {}
    # characters that a line below a title consists of; the levels of titles are in the order in which a text uses them,
    # where `is_ranked` in this one
    underlines: str = ""
    is_ranked: bool = False
    has_overlines: bool = False  # such a line may also be above the title, and makes another level
    # characters by which the lengths of a title and of the line below it alone may differ; -1: the line may have any
    # length, but if it is shorter than the title, at least four characters
    slack: int = -1
    title: str = r"\S"  # how a title begins that is underlined
    # the first and last line of passages that have no headings; '' as the last one: the same line again
    verbatim: tuple[tuple[str, str], ...] = ()
    # what is replaced in titles, in this order: pattern and replacement
    markup: tuple[tuple[str, str], ...] = ()


class ContentRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the begin of a text says of its language: patterns that match there, [recognised] in language.toml."""

    begins: str = ""  # files of no language that begin so are in this one
    never: str = ""  # files that begin so are not in it, whatever their names say
    # what files in it have near their begin: others of its names are in no known language
    needs: str = ""
    # by language, `other` for none that is known: what files in it have near their begin, whatever their names say
    instead: dict[str, str] = {}
