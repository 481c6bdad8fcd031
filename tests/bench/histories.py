"""Does an index that followed a history equal a fresh one? `python -m tests.bench.histories CLONE… [--commits 12] [--stride 5] [--edits 12]`

The clones are checked out at will.

Every `stride`th commit of the main line is checked out, then files are cut, moved and removed and names changed for others at random, and what the index says
at the end is held against an index made anew. Differences are printed, and make the command fail: each is a mistake of one of the two.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codeagentd.languages.language import language_of
from codeagentd.pipeline.engine import Engine
from tests.harness.contents import content
from tests.harness.past import run

from .members import change

PATIENCE_S: Final = 300.0
EDITS_AT_ONCE: Final = 3
SHOWN: Final = 5
NAMES_AT_ONCE: Final = 4
NAME: Final = re.compile(rb"[A-Za-z_]\w{2,}")


def follow(root: Path, place: Path, commits: int, stride: int, changes: int, chance: random.Random) -> dict[str, list[tuple[object, ...]]]:
    """What an index says that has seen it all."""
    engine = Engine(root, place / "kept", place / "kept", use_watcher=False)
    past = run(root, "rev-list", "--first-parent", "-n", str(commits * stride + 1), "HEAD").split()[::-stride]
    run(root, "checkout", "-q", "-f", past[0])
    engine.start()
    try:
        for step in (*(("checkout", "-q", "-f", one) for one in past), *edits(root, changes, chance)):
            if step:
                run(root, *step)
            engine.request_scan()
            assert engine.wait_caught_up(PATIENCE_S)
        return content(engine.index_path)
    finally:
        engine.close(10)


def edits(root: Path, changes: int, chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Changes of files that nobody planned; git has nothing to do between them, but for the last."""
    for number in range(changes):
        sources = [path for path in run(root, "ls-files").splitlines() if language_of(path) and (root / path).is_file() and not (root / path).is_symlink()]
        if sources:
            chosen = root / chance.choice(sources)
            same = [root / path for path in sources if language_of(path) == language_of(chosen.name)]
            change(chosen, same, chance) if number % 2 else edit(chosen, chance)
        if number % EDITS_AT_ONCE == EDITS_AT_ONCE - 1:
            yield ()
    yield ("add", "-A")


def edit(path: Path, chance: random.Random) -> None:
    """Remove a file, move it, cut it off, take some lines out, or say other names of the file in some places."""
    lines = path.read_bytes().split(b"\n")
    at, act = chance.randrange(len(lines)), chance.randrange(8)
    if act == 0:
        path.unlink()
    elif act == 1:
        path.rename(path.with_name(f"moved_{path.name}"))
    elif act > 3:
        path.write_bytes(renamed(b"\n".join(lines), chance))
    else:
        path.write_bytes(b"\n".join(lines[:at] if act == 2 else lines[:at] + lines[at + chance.randrange(1, 12) :]))


def renamed(text: bytes, chance: random.Random) -> bytes:
    """A text that says some other of its names in a few places: definitions go by the names of others, uses ask for them."""
    names = [*NAME.finditer(text)]
    for place in sorted(chance.sample(names, min(NAMES_AT_ONCE, len(names))), key=lambda found: -found.start()):
        text = text[: place.start()] + chance.choice(names)[0] + text[place.end() :]
    return text


def fresh(root: Path, place: Path) -> dict[str, list[tuple[object, ...]]]:
    """What an index says that is made now."""
    engine = Engine(root, place / "fresh", place / "fresh", use_watcher=False)
    engine.start()
    try:
        assert engine.wait_caught_up(PATIENCE_S)
        return content(engine.index_path)
    finally:
        engine.close(10)


def differences(kept: dict[str, list[tuple[object, ...]]], made: dict[str, list[tuple[object, ...]]]) -> Iterator[str]:
    """Rows that only one of them has."""
    for table, rows in made.items():
        for name, one, other in (("followed", kept[table], rows), ("fresh", rows, kept[table])):
            only = sorted(set(one) - set(other), key=repr)
            yield from (f"  only in the {name} one, {table}: {row!r}"[:300] for row in only[:SHOWN])
            if len(only) > SHOWN:
                yield f"  … and {len(only) - SHOWN} more"


def main() -> int:
    """Entry point; 1 when an index is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=12)
    parser.add_argument("--stride", type=int, default=5)
    parser.add_argument("--edits", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = 0
    for clone in arguments.clones:
        root, tip = clone.resolve(), run(clone, "rev-parse", "HEAD")
        run(root, "checkout", "-q", "--detach")
        with tempfile.TemporaryDirectory() as place:
            kept = follow(root, Path(place), arguments.commits, arguments.stride, arguments.edits, random.Random(arguments.seed))
            found = [*differences(kept, made := fresh(root, Path(place)))]
        run(root, "reset", "-q", "--hard", tip)
        run(root, "clean", "-q", "-f", "-d")
        wrong += bool(found)
        print("\n".join([f"{clone.name}: {len(made['files'])} files, {len(made['refs'])} references: {'differs' if found else 'equal'}", *found]), flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
