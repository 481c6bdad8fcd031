"""The pages of long answers.

A cursor is the sort key of the last item, encoded so that clients treat it as opaque. It contains its question, so that
the cursor of another question is refused.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any, Final, Generic, TypeVar

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.query.paging import Key, Slice

T = TypeVar("T")

_SEAL_BYTES: Final = (
    # bytes; the digest detects damage and cursors of other questions; it need not be secret, since a cursor gives
    # access to nothing more
    6
)


class Page(msgspec.Struct, Generic[T], frozen=True, omit_defaults=True):
    """Items in order; pass `next_cursor` as `cursor` for those that follow. `note` says what could not be decided."""

    results: list[T]
    next_cursor: str = ""
    note: str = ""


def page(part: Slice[T], *question: object) -> Page[T]:
    """Return `part`, a slice of the answer to a question (the tool's name and its arguments), as a page."""
    return Page(part.items, cursor(part.after, *question) if part.after else "", part.note)


def cursor(key: Key, *question: object) -> str:
    """Return the cursor for the sort key `key` in the answer to this question, as opaque text."""
    body = msgspec.msgpack.encode(key)
    return base64.urlsafe_b64encode(_seal(body, question) + body).decode().rstrip("=")


def position(text: str | None, *question: object) -> Key | None:
    """Return the sort key in the cursor `text`; None for an empty cursor. Errors: invalid_parameter for a text that is
    no cursor of this question.
    """
    if not text:
        return None
    try:
        sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _refused() from None
    seal, body = sealed[:_SEAL_BYTES], sealed[_SEAL_BYTES:]
    if seal != _seal(body, question):
        raise _refused()
    key: list[Any] = msgspec.msgpack.decode(body)
    return tuple(key)


def _seal(body: bytes, question: tuple[object, ...]) -> bytes:
    return hashlib.blake2b(body + repr(question).encode(errors="backslashreplace"), digest_size=_SEAL_BYTES).digest()


def _refused() -> InvalidParameter:
    return InvalidParameter(
        "cursor is not one that this question gave", remedy="start again without a cursor", parameter="cursor"
    )
