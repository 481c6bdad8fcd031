"""Definitions of Elixir by its parser; references by its compiler's tracer, and those of attributes and types, which that
does not report, by its parser.
"""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Definition, Use

_VERSION: Final = subprocess.run(["elixir", "--version"], capture_output=True, text=True, check=True).stdout
TOOL: Final = f"{_VERSION.splitlines()[-1].split(' (')[0]}"
SCRIPT: Final = Path(__file__).with_name("elixir.exs")
# what the repositories need to be compiled, beside them: beam-telemetry/telemetry@a382cd14, ericmj/decimal@437f04c2,
# michalmuskala/jason@4ede4285, elixir-plug/mime@354c4263, elixir-plug/plug_crypto@c326c3c7
DEPENDENCIES: Final = ("telemetry", "decimal", "jason", "mime", "plug_crypto")
_WORD: Final = re.compile(r"\w[\w?!]*")

Place = tuple[str, int]


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield what the files define, each clause of a function by itself; no fields and no implementations of protocols."""
    chosen = frozenset(paths)
    for kind, name, path, line in (row[1:] for row in _rows(root) if row[0] == "definition"):
        if path in chosen:
            yield Definition(path, int(line), name), kind


def uses(root: Path, paths: Sequence[str]) -> Iterator[Use]:
    """Yield what the compiler resolves in the files below `lib`, where the name stands on the line: what macros put
    there has no place. Targets that are made by macros are left out as well.
    """
    rows = _rows(root)
    compiled = {row[2] for row in rows if row[0] == "module"}
    lines = {path: (root / path).read_text(errors="replace").splitlines() for path in paths if path in compiled}
    places = _places(rows, lines)
    aliases: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    for _, kind, module, name, _, path, line in (row for row in rows if row[0] == "use"):
        if kind == "alias":
            aliases[path, module].add((name.rpartition(".")[2], int(line)))
    for _, kind, module, name, arity, path, line in (row for row in rows if row[0] == "use"):
        if kind == "alias" or path not in lines:
            continue
        written = lines[path][int(line) - 1] if int(line) <= len(lines[path]) else ""
        here = set(_WORD.findall(written))
        word = name or module.rpartition(".")[2]
        short = {alias for alias, at in aliases[path, module] if at == int(line)}
        if here.isdisjoint({word, *short, *(() if name else ("__MODULE__",))}):
            continue
        key = (kind, module, name, arity)
        yield Use(path, int(line), 0, word, places.get(key))


def unjudged(root: Path, paths: Sequence[str]) -> frozenset[Place]:
    """Return the lines of quoted code, which is compiled where a macro is used."""
    return frozenset(
        (path, line)
        for _, path, first, last in (row for row in _rows(root) if row[0] == "quote")
        for line in range(int(first), int(last) + 1)
    )


@functools.cache
def _rows(root: Path) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as temporary:
        output = Path(temporary, "rows")
        needed = [str(root.parent / name) for name in DEPENDENCIES if (root.parent / name).is_dir()]
        subprocess.run(
            ["elixir", str(SCRIPT), str(root), str(output), *needed], capture_output=True, check=True, cwd=temporary
        )
        return [line.split("\t") for line in output.read_text().splitlines()]


def _places(rows: list[list[str]], lines: Mapping[str, list[str]]) -> dict[tuple[str, str, str, str], Place]:
    """The place of each definition, by (kind, module, name, arity): its first clause."""
    result: dict[tuple[str, str, str, str], Place] = {}
    for what, *row in rows:
        if what == "module":
            module, path, line = row
            key, word = ("module", module, "", "0"), module.rpartition(".")[2]
        elif what == "function":
            module, word, arity, path, line = row
            key = ("call", module, word, arity)
        elif what == "place":
            kind, module, word, arity, path, line = row
            key = (kind, module, word, arity)
        else:
            continue
        text = lines[path][int(line) - 1] if path in lines and int(line) <= len(lines[path]) else ""
        if word in _WORD.findall(text) or what == "module":
            result[key] = min(result.get(key, (path, int(line))), (path, int(line)))
    return result
