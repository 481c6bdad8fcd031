"""A file that is wholly codeagentd's, as a part of the installation. Its last line has a digest of the text above, so
that a file of any version is recognized, and one that somebody changed is not taken for ours.
"""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

import msgspec

from .config_states import ABSENT, OTHER, OURS
from .safe_files import Original, Refused


class Comment(NamedTuple):
    """The signs around a comment in a kind of file."""

    begin: str
    end: str


HTML: Final = Comment("<!-- ", " -->")
LUA: Final = Comment("-- ", "")


class OwnFile(msgspec.Struct, frozen=True):
    """A file with the text `content`, which ends with our mark. `force` replaces a file that somebody changed."""

    content: str
    comment: Comment
    force: bool = False

    def state(self, original: Original, text: str) -> str:
        """Return OURS for a file as codeagentd wrote it, in any version, and OTHER for one that somebody changed."""
        return ABSENT if not text else OURS if is_marked(text, self.comment) else OTHER

    def put(self, original: Original, text: str) -> str:
        """Return the content. Errors: Refused for a file that somebody changed, without `force`."""
        if self.state(original, text) == OTHER and not self.force:
            raise Refused(
                f"{original.path} was changed, or is not ours",
                remedy="move it away, or pass --force, which replaces it and keeps a copy",
            )
        return self.content

    def drop(self, original: Original, text: str) -> str:
        """Return "", or `text` when somebody changed it."""
        return "" if self.state(original, text) == OURS else text

    def containers_to_create(self, original: Original, text: str) -> list[tuple[str, ...]]:
        """Return []: the file is in no container."""
        return []


def marked(body: str, comment: Comment) -> str:
    """Return the content of a file with the text `body` and our mark."""
    body = body.rstrip("\n")
    return f"{body}\n\n{_mark(body, comment)}\n"


def is_marked(text: str, comment: Comment) -> bool:
    """Whether `text` is a file that codeagentd wrote, in this or another version, and that nobody has changed.

    Line ends do not count, since git may convert them.
    """
    body, _, mark = text.replace("\r\n", "\n").rstrip("\n").rpartition("\n\n")
    return mark == _mark(body, comment)


def _mark(body: str, comment: Comment) -> str:
    digest = hashlib.blake2b(body.encode(), digest_size=8).hexdigest()
    return f"{comment.begin}written by codeagentd install, {digest}{comment.end}"
