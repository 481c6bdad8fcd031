"""Definitions by universal-ctags."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.eval.languages.facts import Definition


@functools.cache
def version() -> str:
    """Its name with its version. Errors: FileNotFoundError, where it is not installed."""
    first = subprocess.run(["ctags", "--version"], capture_output=True, text=True, check=True).stdout.split(",")[0]
    return first.replace("Universal Ctags", "universal-ctags")


def definitions(
    root: Path, paths: Sequence[str], language: str, *options: str, all_kinds: bool = False
) -> Iterator[tuple[Definition, str]]:
    """Yield what ctags finds in files of a repository when it takes all of them for `language`, with ctags' kinds.
    `all_kinds`: also those that it leaves out unless it is told otherwise.
    """
    more = [f"--kinds-{language}=*"] if all_kinds else []
    command = [
        "ctags",
        "--options=NONE",
        "--output-format=json",
        "--fields=NFnK",
        f"--language-force={language}",
        *more,
    ]
    done = subprocess.run(
        [*command, *options, "-f", "-", "-L", "-"],
        cwd=root,
        input="\n".join(paths).encode(),
        capture_output=True,
        check=True,
    )
    for line in done.stdout.decode(errors="replace").splitlines():
        tag = json.loads(line)
        if tag["_type"] == "tag":
            yield Definition(tag["path"], tag["line"], tag["name"]), tag["kind"]
