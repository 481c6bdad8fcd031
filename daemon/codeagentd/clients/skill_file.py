"""The skill: a file that tells agents which commands there are. Its last line has a digest of the text above, so that a
skill of any version is recognized, and one that somebody changed is not taken for ours.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
from typing import Final

NAME: Final = "codeagentd"  # of the skill, and of its folder: clients expect both to be the same
FILE: Final = "SKILL.md"


@functools.cache
def content() -> str:
    """Return the text of the skill's file."""
    body = importlib.resources.files(__package__).joinpath("skill.md").read_text(encoding="utf-8").rstrip("\n")
    return f"{body}\n\n{_mark(body)}\n"


def is_ours(text: str) -> bool:
    """Whether `text` is a skill that codeagentd wrote, in this or another version, and that nobody has changed.

    Line ends do not count, since git may convert them.
    """
    body, _, mark = text.replace("\r\n", "\n").rstrip("\n").rpartition("\n\n")
    return mark == _mark(body)


def _mark(body: str) -> str:
    digest = hashlib.blake2b(body.encode(), digest_size=8).hexdigest()
    return f"<!-- written by codeagentd install, {digest} -->"
