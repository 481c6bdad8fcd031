"""The languages that are measured, with their repositories: `corpora.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import msgspec

HERE: Final = Path(__file__).parent


class Corpus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one language is measured. Without `ctags`, `compilers/<language>.py` says what is defined; without both
    nobody does, and it is not measured.

    `kinds` are the kinds of ctags that count, `ours` those of codeagentd; without names all do. `left_out`: what does
    not count, and why. ctags may report a name up to `below` lines below it, and gets `options`. Each of
    `repositories` is owner/name@commit.
    """

    repositories: tuple[str, ...]
    ctags: str = ""
    kinds: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    left_out: str = ""
    below: int = 0
    options: tuple[str, ...] = ()


def corpora() -> dict[str, Corpus]:
    """Return how each language is measured."""
    tables = tomllib.loads((HERE / "corpora.toml").read_text())
    return msgspec.convert(tables, dict[str, Corpus])


def folder(repository: str) -> str:
    """Return the folder of a repository below the folder of all: its name without owner and commit."""
    return repository.partition("@")[0].rpartition("/")[2]
