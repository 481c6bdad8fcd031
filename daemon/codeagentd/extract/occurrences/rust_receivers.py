"""Rust's receivers: `?` and `.await` between a receiver and its member, and the word `self` that is no receiver."""

from __future__ import annotations

from typing import Final

AWAITED: Final = frozenset(b"t")  # the end of `.await`
_AWAIT: Final = b".await"
_SPACE: Final = frozenset(b" \t\r\n")


def unwrapped(source: bytes, at: int) -> tuple[int, bool]:
    """Return (the end of the receiver before the operators that end at the offset `at`, whether one of these is a `?`,
    which unwraps the value).
    """
    tried = False
    while at > 0:
        if source[at - 1] in _SPACE:
            at -= 1
        elif source[at - 1 : at] == b"?":
            at, tried = at - 1, True
        elif source.endswith(_AWAIT, 0, at):
            at -= len(_AWAIT)
        else:
            break
    return at, tried


def is_module_itself(source: bytes, at: int) -> bool:
    """Whether the word `self` of a path `self::name` ends at the offset `at`: then `name` belongs to the module, and is
    no member of an object.
    """
    return source.endswith(b"self", 0, at) and not source[at - 5 : at - 4].isalnum()
