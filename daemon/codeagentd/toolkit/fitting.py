"""No answer is longer than 25,000 tokens: clients refuse longer ones, or pay for them.

One that is longer is made again with less room: lists end earlier, with a cursor, `truncated` or a note, as the tool says it of every long list. Where
nothing gives way, as with names of thousands of letters, texts are cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import TooLarge
from codeagentd.query.tokens import Count, estimate

from .context import Context

MAX_TOKENS: Final = 25_000  # of one answer's JSON; what Claude Code takes
COUNTED: Final = 400_000  # characters; a longer answer is too long without being counted, which would take a tenth of a second
CHARACTERS: Final = 4  # that a token of such an answer is thought to have
LESS: Final = 0.9  # of the room that would do if every item were as long as the next
TRIES: Final = 8
CUTS: Final = (2_000, 500, 120)  # characters of a text, the first that do

Object = dict[str, Any]
_ENDS: Final = ("next_cursor", "truncated")  # by which an answer says itself that there is more


def fitting(ctx: Context, make: Callable[[Context], Object], has_note: bool) -> tuple[Object, str]:
    """The answer that `make` gives, and its JSON. Errors: too_large, besides those of `make`."""
    value = make(ctx)
    text = encoded(value)
    room = ctx.room
    for _ in range(TRIES):
        excess = _size(text, ctx.tokens) / MAX_TOKENS
        if excess <= 1:
            return value, text
        room *= LESS / excess
        ctx.delivery.begin_again()
        shorter = make(msgspec.structs.replace(ctx, room=room))
        if len(shorter_text := encoded(shorter)) < len(text):  # else the usual length was not reached before
            value, text = _noted(shorter, shorter_text, has_note)
    return cut(value, ctx.tokens)


def cut(value: Object, tokens: Count = estimate) -> tuple[Object, str]:
    """A value whose texts are cut as far as it takes, and its JSON. Errors: too_large."""
    text = encoded(value)
    for length in (None, *CUTS):
        short = value if length is None else _cut(value, length)
        text = encoded(short)
        if _size(text, tokens) <= MAX_TOKENS:
            return short, text
    raise TooLarge(f"the answer would have more than {MAX_TOKENS:,} tokens", remedy="ask for less: a smaller limit, fewer lines, a deeper folder")


def encoded(value: Object) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


def _size(text: str, tokens: Count) -> int:
    """The tokens of a text, as far as it matters: a token has at least one byte."""
    if len(text) <= MAX_TOKENS and len(text.encode()) <= MAX_TOKENS:
        return 0
    return max(MAX_TOKENS + 1, len(text) // CHARACTERS) if len(text) > COUNTED else tokens(text)


def _noted(value: Object, text: str, has_note: bool) -> tuple[Object, str]:
    """A shorter answer says so, unless it has a place to go on from."""
    if not has_note or any(value.get(end) for end in _ENDS):
        return value, text
    told = f"cut off at {MAX_TOKENS:,} tokens"
    value = value | {"note": "; ".join(filter(None, (value.get("note", ""), told)))}
    return value, encoded(value)


def _cut(value: Any, length: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= length else f"{value[:length]}…"
    if isinstance(value, list):
        return [_cut(item, length) for item in value]
    return {key: _cut(item, length) for key, item in value.items()} if isinstance(value, dict) else value
