"""The language of a script whose name says nothing, by the interpreter that its first line asks for."""

from __future__ import annotations

import functools
import os
import stat
from pathlib import Path
from typing import Final

from codeagentd.languages.language import languages

LINE_BYTES: Final = 160  # of a first line; kernels read between 127 and 255
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def language_by_interpreter(root: Path, path: str) -> str | None:
    """The language of a file without a suffix by its `#!` line; None for every other file."""
    if "." in path.rpartition("/")[2].lstrip("."):
        return None
    line = _first_line(root / path)
    return _by_name().get(interpreter(line)) if line.startswith(b"#!") else None


def interpreter(line: bytes) -> str:
    """The program that a `#!` line names, without folder and version: `#!/usr/bin/env -S python3.12 -u` gives python."""
    words = line.removeprefix(b"#!").decode(errors="replace").split()
    names = [word.rpartition("/")[2] for word in words]
    if names[:1] == ["env"]:
        names = [name for name, word in zip(names[1:], words[1:], strict=True) if not word.startswith("-") and "=" not in word]
    return names[0].rstrip("0123456789.") or names[0] if names else ""


@functools.cache
def _by_name() -> dict[str, str]:
    return {name.rstrip("0123456789."): language.name for language in languages().values() for name in language.interpreters}


def _first_line(path: Path) -> bytes:
    """The first line of a regular file; b"" when it cannot be read."""
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return b""
    try:
        return os.read(handle, LINE_BYTES).partition(b"\n")[0] if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(handle)
