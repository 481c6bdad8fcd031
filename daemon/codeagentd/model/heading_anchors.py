"""The anchors of headings that links lead to, as GitHub and most site generators derive them."""

from __future__ import annotations

import re
from typing import Final

_DROPPED: Final = re.compile(r"[^\w\- ]")
_COUNTED: Final = re.compile(r"(.+)-(\d+)")
_HYPHENS: Final = re.compile(r"-+")


def anchor_of(heading: str) -> str:
    """Return the anchor of `heading`: lower case, spaces as hyphens, without other signs."""
    return plain(_DROPPED.sub("", heading).replace(" ", "-"))


def plain(anchor: str) -> str:
    """Return the form of `anchor` on which all generators agree: they differ in the number of hyphens for a sign
    between spaces.
    """
    return _HYPHENS.sub("-", anchor.lower())


def counted(anchor: str) -> tuple[str, int]:
    """Return (anchor without its number, number from 0 among the headings with that anchor): `usage-1` is the second
    `usage`.
    """
    match = _COUNTED.fullmatch(anchor)
    return (match[1], int(match[2])) if match else (anchor, 0)


def pointed(pointer: str) -> list[str]:
    """Return the keys that the JSON pointer `pointer` names, outermost first. Source: RFC 6901."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def mentions_of(name: str) -> list[str]:
    """Return the names to look up for an imported name: forms of the anchor for `#anchor`, the keys for the JSON
    pointer `#/a/b`, else the name.
    """
    if not name.startswith("#"):
        return [name]
    if name.startswith("#/"):
        return pointed(name[1:])
    anchor = name[1:]
    return [anchor, plain(anchor), counted(plain(anchor))[0]]
