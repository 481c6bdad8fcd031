"""References of Erlang by its own preprocessor and parser; what that replaces, macros, by their sign."""

from __future__ import annotations

import functools
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonpath
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Use

TOOL: Final = "Erlang/OTP 25"
SCRIPT: Final = Path(__file__).with_suffix(".escript")

_DEFINE: Final = re.compile(r"-\s*define\(\s*(\w+)")
_MACRO: Final = re.compile(r"\?(\w+)")

Place = tuple[str, int]
Key = tuple[str, str, str, str]  # kind, name, arity, module


def uses(root: Path, paths: Sequence[str]) -> Iterator[Use]:
    """Yield what the parser sees where the name stands on the line: what macros stand for has no place. A record is
    known to the module that has it, whichever file it includes for that.
    """
    rows = [row for row in _rows(root, tuple(paths)) if row[0] in ("definition", "use")]
    lines = {path: (root / path).read_text(errors="replace").splitlines() for path in paths}
    places = _places(rows, lines)
    for what, kind, name, arity, module, path, line in rows:
        text = lines[path][int(line) - 1] if what == "use" and int(line) <= len(lines.get(path, ())) else ""
        if re.search(rf"\b{re.escape(name)}\b", text):
            yield Use(path, int(line), 0, name, _nearest(path, places.get((kind, name, arity, module), ())))
    modules = {row[5]: row[4] for row in rows if row[0] == "definition" and row[1] == "module"}
    yield from _macros(lines, modules, places)


def unjudged(root: Path, paths: Sequence[str]) -> frozenset[Place]:
    """Return the lines outside of what the parser has read."""
    judged = {
        (row[1], line)
        for row in _rows(root, tuple(paths))
        if row[0] == "judged"
        for line in range(int(row[2]), int(row[3]) + 1)
    }
    everything = {
        (path, line) for path in paths for line in range(1, 2 + (root / path).read_text(errors="replace").count("\n"))
    }
    return frozenset(everything - judged)


@functools.cache
def _rows(root: Path, paths: tuple[str, ...]) -> list[list[str]]:
    done = subprocess.run(
        ["escript", str(SCRIPT), str(root)], input="\n".join(paths), capture_output=True, text=True, check=True
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


def _places(rows: Sequence[Sequence[str]], lines: Mapping[str, Sequence[str]]) -> dict[Key, list[Place]]:
    """The places of each definition: several modules of a repository may have one name."""
    places: dict[Key, list[Place]] = defaultdict(list)
    for what, kind, name, arity, module, path, line in rows:
        if what == "definition" and path in lines:
            places[kind, name, arity, module].append((path, int(line)))
    for path, text in lines.items():
        for number, line in enumerate(text, 1):
            if match := _DEFINE.match(line):
                places["macro", match[1], "", ""].append((path, number))
    return places


def _nearest(path: str, places: Sequence[Place]) -> Place | None:
    """The place with which a path has most in common, the first of several."""
    return max(places, key=lambda place: (len(commonpath([place[0], path])), -place[1]), default=None)


def _macros(
    lines: Mapping[str, Sequence[str]], modules: Mapping[str, str], places: Mapping[Key, Sequence[Place]]
) -> Iterator[Use]:
    """Yield the macros of the files that the parser has read."""
    for path, module in modules.items():
        for number, line in enumerate(lines.get(path, ()), 1):
            for name in _MACRO.findall(line.partition("%")[0]):
                key = ("module", module, "0", module) if name == "MODULE" else ("macro", name, "", "")
                yield Use(path, number, 0, name, _nearest(path, places.get(key, ())))
