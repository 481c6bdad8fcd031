"""What an agent sees of a long text: its first tokens, the files named there, and the lines of source shown there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from tests.eval.places import NUMBERED, PATH

TOKENS: Final = 2_000
CHARACTERS: Final = 4 * TOKENS
SPAN: Final = re.compile(
    r'"(?:lines|span|range)":\s*\[(\d+),\s*(\d+)\]|^["\s]*[:@]?(?:lines? )?(\d+)\s*[-–]\s*(\d+)|^:(\d+)'
)
SOURCE: Final = re.compile(r'"(?:snippet|text|source|code)":\s*"')
JUMP: Final = re.compile(r"\s*…\s*(\d+):(.*)$")
FENCE: Final = "```"
LEFT_OUT: Final = re.compile(r"\s*…\s*(?:[\"'].*)?$")


def beginning(text: str) -> str:
    """What the first tokens of an answer are: its first CHARACTERS characters."""
    return text[:CHARACTERS]


def named_files(text: str, files: Collection[str]) -> set[str]:
    """The files of the repository whose whole path a text has."""
    return {match[0].strip(".") for match in PATH.finditer(text)} & set(files)


def shown_lines(text: str, files: Collection[str]) -> set[tuple[str, int]]:
    """The lines of source that a text shows: `path:line:` of a search, numbered lines, and snippets that say where they begin and jump."""
    plain = SOURCE.sub(lambda match: match[0] + "\n", text.replace("\\n", "\n"))
    return set(_shown(plain, files))


def _shown(text: str, files: Collection[str]) -> Iterator[tuple[str, int]]:
    path, at = "", 0
    for line in text.splitlines():
        numbered = NUMBERED.match(line)
        found = (
            None if numbered else next((match for match in reversed([*PATH.finditer(line)]) if match[0] in files), None)
        )
        if found:
            if path and at and found.start() and not LEFT_OUT.match(line):
                yield path, at  # the last line of a snippet, before the next object
            rest = line[found.end() :]
            span = SPAN.search(rest)
            path, at = found[0], int(next(filter(None, span.groups()))) if span else 0
            if re.match(r":\d+:", rest):
                yield path, at
        elif path and (jump := JUMP.match(line) or numbered):
            at = int(jump[1])
            if numbered or jump[2].strip():
                yield path, at
                at += 1
        elif line.startswith(FENCE):
            at = 0
        elif path and at and not LEFT_OUT.match(line):
            yield path, at
            at += 1
