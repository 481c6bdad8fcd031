"""The skill: a file that tells agents which commands there are."""

from __future__ import annotations

import functools
import importlib.resources
from typing import Final

from .own_file import HTML, marked

NAME: Final = "codeagentd"  # of the skill, and of its folder: clients expect both to be the same
FILE: Final = "SKILL.md"


@functools.cache
def body() -> str:
    """Return the text of the skill."""
    return importlib.resources.files(__package__).joinpath("skill.md").read_text(encoding="utf-8")


@functools.cache
def content() -> str:
    """Return the text of the skill's file, which ends with our mark."""
    return marked(body(), HTML)
