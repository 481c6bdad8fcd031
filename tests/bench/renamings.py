"""Does verify call whole what was renamed whole? `python -m tests.bench.renamings COUNT FOLDER…`: random symbols of each folder, planned, edited, verified.

Each folder is copied; one line for each renaming that is not whole, with what is told of it, and the numbers at the end.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.model.ids import node_id
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.results.change_results import Planned, Verified
from codeagentd.query.refactor.rename_verification import verified
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

KINDS: Final = (SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.FUNCTION, SymbolKind.METHOD)
USED: Final = (
    "SELECT s.uid, s.name, f.path FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 AND length(s.name) > 4 AND s.name GLOB '[a-zA-Z]*[a-zA-Z0-9_]' "
    f"AND s.kind IN ({', '.join(str(int(kind)) for kind in KINDS)}) AND EXISTS (SELECT 1 FROM refs r WHERE r.target = s.id) ORDER BY s.id"
)
SEED: Final = 3


def renamed(ctx: Context, plan: Planned) -> dict[Path, bytes]:
    """Make the edits of a plan; what the files were before."""
    before: dict[Path, bytes] = {}
    for one in sorted(plan.edits, key=lambda one: -one.column):
        place = ctx.root / one.file
        before.setdefault(place, place.read_bytes())
        lines = place.read_bytes().decode().split("\n")
        text = lines[one.line - 1]
        lines[one.line - 1] = text[: one.column] + plan.new + text[one.column + len(plan.old) :]
        place.write_bytes("\n".join(lines).encode())
    return before


def indexed(ctx: Context, files: list[Path], turn: int) -> None:
    """Have these files indexed."""
    ctx.engine.index_files([str(file.relative_to(ctx.root)) for file in files], b"bench", turn)
    assert ctx.engine.sync(30).caught_up
    assert ctx.engine.text_ready(30)


def verdicts(ctx: Context, count: int) -> list[Verified]:
    """What is said of so many renamings, each taken back before the next."""
    with ctx.read() as db:
        symbols = list(db.connection.execute(USED))
    random.Random(SEED).shuffle(symbols)
    tool, found = load("codeagentd.tools")["plan_rename"], []
    for turn, (uid, name, path) in enumerate(symbols[:count]):
        new = ("Zz" if name[0].isupper() else "zz_") + name[::-1]
        plan = msgspec.convert(run(tool, ctx, {"name": name, "to": new, "id": node_id(uid)}).structured, Planned)
        before = renamed(ctx, plan)
        indexed(ctx, list(before), 2 * turn)
        with ctx.read() as db:
            found.append(verified(db, plan, ctx.lines))
        if not found[-1].whole:
            print(f"{path}: {msgspec.json.encode(found[-1]).decode()}")
        for place, data in before.items():
            place.write_bytes(data)
        indexed(ctx, list(before), 2 * turn + 1)
    return found


def main() -> None:
    """Entry point."""
    for folder in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(folder, Path(place) / "repo", symlinks=True, ignore=shutil.ignore_patterns(".git"))
            with surroundings(Path(place), {}) as ctx:
                found = verdicts(ctx, int(sys.argv[1]))
        print(f"{Path(folder).name}: {sum(one.whole for one in found)} of {len(found)} whole")


if __name__ == "__main__":
    main()
