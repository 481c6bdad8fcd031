"""The limit of an answer, 25,000 tokens: clients refuse longer ones, or pay for them.

A longer answer is computed again with less room: its lists end earlier, with a cursor, `truncated` or a note, as in all
of the tool's long lists. If that does not help, as with names of thousands of letters, or if the call made changes and
cannot be repeated, texts are cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from codeagent_protocol.errors import TooLarge
from codeagentd.base.text import escaped
from codeagentd.query.retrieval.tokens import Count, estimate

from .context import Context

MAX_TOKENS: Final = 25_000  # for one answer, JSON and words together; the limit of Claude Code
COUNTED: Final = 400_000  # characters above which an answer is not counted, since that would take a tenth of a second
CHARACTERS: Final = 4  # assumed length of a token in such an answer
LESS: Final = 0.9  # factor for the new room, since the remaining items may be longer than average
TRIES: Final = 8
CUTS: Final = (2_000, 500, 120)  # lengths in characters to which texts are cut; the first sufficient one is used

Object = dict[str, Any]
_ENDS: Final = ("next_cursor", "truncated")  # fields by which an answer itself states that there is more


class ToolOutput(NamedTuple):
    """The output of a tool: a value, and `rendered`, the same in words for tools that offer it."""

    value: Object
    rendered: str = ""

    @property
    def text(self) -> str:
        """The value as JSON."""
        return escaped(msgspec.json.encode(self.value).decode())


class Fit(NamedTuple):
    """The output of a tool within the token limit: the value, the value as JSON, and the same in words."""

    value: Object
    text: str
    rendered: str


def fitting(
    ctx: Context, make: Callable[[Context], ToolOutput], has_note: bool, may_repeat: bool, most: int = MAX_TOKENS
) -> Fit:
    """Return the answer of `make` within the limit; with `may_repeat`, `make` is called again with less room, until the
    answer has no more than `most` tokens. Errors: too_large, besides those of `make`.
    """
    ctx = msgspec.structs.replace(ctx, computed={})
    output = make(ctx)
    text, room = output.text, ctx.room
    for _ in range(TRIES if may_repeat else 0):
        excess = _size(text + output.rendered, ctx.tokens, most) / most
        if excess <= 1:
            return Fit(output.value, text, output.rendered)
        room *= LESS / excess
        ctx.delivery.begin_again()
        shorter = make(msgspec.structs.replace(ctx, room=room))
        if len(shorter.text) + len(shorter.rendered) < len(text) + len(output.rendered):
            output = _noted(shorter, most) if has_note else shorter
            text = output.text
        else:  # the answer is far shorter than the tool's usual length
            room /= 2
    return cut(output, ctx.tokens)


def cut(output: ToolOutput, tokens: Count = estimate) -> Fit:
    """Return `output` within the limit: its texts are cut until it fits. Errors: too_large."""
    for length in (None, *CUTS):
        short = output if length is None else ToolOutput(_cut(output.value, length), _cut(output.rendered, length))
        text = short.text
        if _size(text + short.rendered, tokens) <= MAX_TOKENS:
            return Fit(short.value, text, short.rendered)
    raise TooLarge(
        f"the answer would have more than {MAX_TOKENS:,} tokens",
        remedy="ask for less: a smaller limit, fewer lines, a deeper folder",
    )


def _size(text: str, tokens: Count, most: int = MAX_TOKENS) -> int:
    """The number of tokens of a text, as exactly as the limit needs: 0 for one that is short enough in bytes (a token
    has at least one byte), a rough number for one that is far too long.
    """
    if len(text) <= most and len(text.encode()) <= most:
        return 0
    return max(most + 1, len(text) // CHARACTERS) if len(text) > COUNTED else tokens(text)


def _noted(output: ToolOutput, most: int) -> ToolOutput:
    """A shorter answer, with a note unless it has a cursor or `truncated`."""
    if any(output.value.get(end) for end in _ENDS):
        return output
    note = "; ".join(filter(None, (output.value.get("note", ""), f"cut off at {most:,} tokens")))
    return output._replace(value=output.value | {"note": note})


def _cut(value: Any, length: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= length else f"{value[:length]}…"
    if isinstance(value, list):
        return [_cut(item, length) for item in value]
    return {key: _cut(item, length) for key, item in value.items()} if isinstance(value, dict) else value
