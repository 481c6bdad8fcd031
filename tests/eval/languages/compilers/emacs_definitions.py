"""Definitions of Lisp by Emacs, which knows where its comments, strings and lists are."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Definition

SCRIPT: Final = Path(__file__).with_suffix(".el")


def emacs_definitions(root: Path, paths: Sequence[str], mode: str) -> Iterator[tuple[Definition, str]]:
    """Yield what files in the language of a major mode define, each with the word that defines it."""
    done = subprocess.run(
        ["emacs", "--batch", "-Q", "-l", str(SCRIPT), "-f", "print-definitions", mode],
        cwd=root,
        input="\n".join(paths) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    for head, name, path, line in (row.split("\t") for row in done.stdout.splitlines()):
        yield Definition(path, int(line), name), head
