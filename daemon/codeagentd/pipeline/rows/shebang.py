"""The language of a script whose name has no known extension, by the interpreter in its first line."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

from codeagentd.base.paths import read_start
from codeagentd.languages.language import languages

LINE_BYTES: Final = 160  # of a first line; kernels read between 127 and 255


def language_by_interpreter(root: Path, path: str) -> str | None:
    """Return the language of the file at `path`, if it has no suffix, by its `#!` line; None for every other file."""
    return language_by_first_line(path, read_start(root / path, LINE_BYTES)) if _has_no_suffix(path) else None


def language_by_first_line(path: str, text: bytes) -> str | None:
    """Return the language of the file at `path` as `language_by_interpreter` does; `text` is its begin."""
    line = text[:LINE_BYTES].partition(b"\n")[0]
    return _by_name().get(interpreter(line)) if line.startswith(b"#!") and _has_no_suffix(path) else None


def _has_no_suffix(path: str) -> bool:
    return "." not in path.rpartition("/")[2].lstrip(".")


def interpreter(line: bytes) -> str:
    """Return the program that a `#!` line names, without folder and version: python for `#!/usr/bin/env -S python3.12
    -u`.
    """
    words = line.removeprefix(b"#!").decode(errors="replace").split()
    names = [word.rpartition("/")[2] for word in words]
    if names[:1] == ["env"]:
        names = [
            name
            for name, word in zip(names[1:], words[1:], strict=True)
            if not word.startswith("-") and "=" not in word
        ]
    return names[0].rstrip("0123456789.") or names[0] if names else ""


@functools.cache
def _by_name() -> dict[str, str]:
    return {
        name.rstrip("0123456789."): language.name for language in languages().values() for name in language.interpreters
    }
