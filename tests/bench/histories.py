"""Does an index that follows a history equal a fresh one, at each step? `python -m tests.bench.histories CLONE… [--commits 12] [--stride 5] [--edits 12]`

The clones are checked out at will. Every `stride`th commit of the main line is checked out, then files are cut, moved, removed and broken and names changed for
others at random, one file at a time.

After each step every file is resolved again from the facts that the index has of it, and all references and bases that it keeps are held against that
(tests.harness.stale): an edit that leaves one file behind is found at once, also if a later one would have it resolved again. Symbols, imports and edges
between languages are compared at the end, with a new index of the files. Differences are printed with the edit that caused them, and make the
command fail: each is a mistake of one of the two. After one, a new index goes on.
"""

from __future__ import annotations

import argparse
import difflib
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.languages.language import language_of
from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.bench.members import change
from tests.harness.aimed import Aim
from tests.harness.broken import broken
from tests.harness.contents import content
from tests.harness.past import run
from tests.harness.stale import Judge

PATIENCE_S: Final = 300.0
SHOWN: Final = 5
NAMES_AT_ONCE: Final = 4
NAME: Final = re.compile(rb"[A-Za-z_]\w{2,}")
PROGRESS: Final = 25  # steps
AIMED: Final = 4  # all edits but each so manieth are of what other files rest on
MEMBERS: Final = 0.5  # share of the others that are of members
EDIT_SHOWN: Final = 8  # lines of an edit


class Length(NamedTuple):
    """How many commits are checked out, each so many after the last, and how many edits follow."""

    commits: int
    stride: int
    edits: int


class Followed:
    """An index that follows a work tree, and is given up for a new one when it is wrong."""

    def __init__(self, root: Path, place: Path) -> None:
        self._root, self._place = root, place
        self._begun = 0
        self.begin()

    def begin(self) -> None:
        """Begin with a new index."""
        self._begun += 1
        place = self._place / f"kept{self._begun}"
        self.engine = started(self._root, place)
        self._judge = Judge(self.engine.index_path, place / "blobs.db")

    def differences(self) -> list[str]:
        """What is wrong in it after a step."""
        self.engine.request_scan()
        assert self.engine.wait_caught_up(PATIENCE_S)
        return [*self._judge.stale()]


def started(root: Path, place: Path) -> IndexingEngine:
    """An engine whose index has everything."""
    engine = IndexingEngine(root, place, place, use_watcher=False)
    engine.start()
    assert engine.wait_caught_up(PATIENCE_S)
    return engine


def follow(root: Path, place: Path, length: Length, chance: random.Random) -> Iterator[str]:
    """What is wrong at each step, and at the end; lines to print."""
    past = run(root, "rev-list", "--first-parent", "-n", str(length.commits * length.stride + 1), "HEAD").split()[
        :: -length.stride
    ]
    run(root, "checkout", "-q", "-f", past[0])
    followed = Followed(root, place)
    try:
        for number, step in enumerate(chain(checkouts(root, past[1:]), edits(root, followed, length.edits, chance)), 1):
            if found := followed.differences():
                yield "\n".join([f"  step {number}, {step}", *shown(found)])
                followed.engine.close(10)
                followed.begin()
            if number % PROGRESS == 0:
                print(f"  {root.name}: {number} steps", flush=True)
        kept, made = content(followed.engine.index_path), fresh(root, place)
        if found := [*differences(kept, made)]:
            yield "\n".join(["  at the end", *found])
        print(f"{root.name}: {len(made['files'])} files, {len(made['refs'])} references", flush=True)
    finally:
        followed.engine.close(10)


def shown(found: list[str]) -> list[str]:
    """The first of them."""
    return [f"    {one}"[:300] for one in found[:SHOWN]] + [f"    … and {len(found) - SHOWN} more"] * (
        len(found) > SHOWN
    )


def checkouts(root: Path, commits: Sequence[str]) -> Iterator[str]:
    """Check out one commit after the other; which it was."""
    for one in commits:
        run(root, "checkout", "-q", "-f", one)
        yield f"checkout of {one[:10]}"


def edits(root: Path, followed: Followed, count: int, chance: random.Random) -> Iterator[str]:
    """Change files at random. Returns a description of the changes."""
    aim = Aim(root, chance)
    for number in range(count):
        before = {path: path.read_bytes() for path in sources(root)}
        if not before:
            return
        if number % AIMED:
            said = aim.edit(followed.engine.index_path)
        else:
            chosen = chance.choice([*before])
            same = [path for path in before if language_of(path.name) == language_of(chosen.name)]
            said = "member changed" if chance.random() < MEMBERS else "edited"
            change(chosen, same, chance) if said != "edited" else edit(chosen, chance)
        yield "".join([said, *(told(root, path, text) for path, text in before.items())])


def sources(root: Path) -> list[Path]:
    """The files of the work tree that are read for code."""
    listed = run(root, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return [
        root / path
        for path in sorted({*listed})
        if language_of(path) and (root / path).is_file() and not (root / path).is_symlink()
    ]


def told(root: Path, path: Path, before: bytes) -> str:
    """What a step did to a file; '' for nothing."""
    if not path.is_file():
        return f"\n    {path.relative_to(root)} is gone or has moved"
    was, now = (text.decode(errors="replace").splitlines() for text in (before, path.read_bytes()))
    lines = (
        [line for line in difflib.unified_diff(was, now, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))]
        if was != now
        else []
    )
    said = [f"\n    {path.relative_to(root)}"] * bool(lines) + [f"\n      {line}"[:200] for line in lines[:EDIT_SHOWN]]
    return "".join(said) + f"\n      … {len(lines) - EDIT_SHOWN} lines" * (len(lines) > EDIT_SHOWN)


def edit(path: Path, chance: random.Random) -> None:
    """Remove a file, move it, cut it off, take some lines out, break some of its code, or say other names of the file in some places."""
    lines = path.read_bytes().split(b"\n")
    at, act = chance.randrange(len(lines)), chance.randrange(10)
    if act == 0:
        path.unlink()
    elif act == 1:
        path.rename(path.with_name(f"moved_{path.name}"))
    elif act > 5:
        path.write_bytes(broken(b"\n".join(lines), chance))
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
    engine = started(root, place / "fresh")
    try:
        return content(engine.index_path)
    finally:
        engine.close(10)


def differences(kept: dict[str, list[tuple[object, ...]]], made: dict[str, list[tuple[object, ...]]]) -> Iterator[str]:
    """Rows that only one of them has."""
    for table, rows in made.items():
        for name, one, other in (("followed", kept[table], rows), ("fresh", rows, kept[table])):
            only = sorted(set(one) - set(other), key=repr)
            yield from (f"    only in the {name} one, {table}: {row!r}"[:300] for row in only[:SHOWN])
            if len(only) > SHOWN:
                yield f"    … and {len(only) - SHOWN} more"


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
        length = Length(arguments.commits, arguments.stride, arguments.edits)
        with tempfile.TemporaryDirectory() as place:
            found = 0
            for lines in follow(root, Path(place), length, random.Random(arguments.seed)):
                found += 1
                print(lines, flush=True)
        run(root, "reset", "-q", "--hard", tip)
        run(root, "clean", "-q", "-f", "-d")
        wrong += found > 0
        print(f"{clone.name}: {f'differs at {found} steps' if found else 'equal at each step'}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
