"""The anchors of headings that links lead to, as GitHub and most site generators derive them."""

from __future__ import annotations

import re
from typing import Final

_DROPPED: Final = re.compile(r"[^\w\- ]")
_COUNTED: Final = re.compile(r"(.+)-(\d+)")
_HYPHENS: Final = re.compile(r"-+")


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading: lower case, spaces as hyphens, without other signs."""
    return plain(_DROPPED.sub("", heading).replace(" ", "-"))


def plain(anchor: str) -> str:
    """Return the form of an anchor on which all generators agree: they differ in the number of hyphens for a sign
    between spaces.
    """
    return _HYPHENS.sub("-", anchor.lower())


def counted(anchor: str) -> tuple[str, int]:
    """Return (anchor, number from 0 among the headings with this anchor): `usage-1` is the second `usage`."""
    match = _COUNTED.fullmatch(anchor)
    return (match[1], int(match[2])) if match else (anchor, 0)


def pointed(pointer: str) -> list[str]:
    """Return the keys that a JSON pointer names, outermost first. Source: RFC 6901."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def mentions_of(name: str) -> list[str]:
    """Return the names that decide where an imported name leads: for a link's fragment, the anchor or the keys of the
    pointer.
    """
    if not name.startswith("#"):
        return [name]
    if name.startswith("#/"):
        return pointed(name[1:])
    anchor = name[1:]
    return [anchor, plain(anchor), counted(plain(anchor))[0]]
