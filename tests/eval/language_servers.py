"""Our language server beside another one, on names drawn by chance from a repository: `python -m tests.eval.language_servers`.

Both are asked for the definition and the references at the same positions, through real processes. Printed: how often they agree where
both lead into the repository, what each took, and the memory of each server with all of its processes.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codeagentd.languages.language import language_of
from codeagentd.lsp.uris import file_of
from tests.bench.figures import percentile
from tests.harness.language_window import LanguageWindow, editor_window
from tests.harness.processes import MEGABYTE, family, rss_bytes
from tests.harness.window import Answer, Json, NoAnswer, WindowClosed
from tests.harness.world import World

IDENTIFIERS = {
    "python": "python",
    "typescript": "typescript",
    "tsx": "typescriptreact",
    "go": "go",
    "c": "c",
    "cpp": "cpp",
}
PATIENCE_S = 60.0
SETTLE_S = 20.0  # seconds for which another server may load the project before it is timed
HEADER_WORDS = frozenset(
    {"if", "for", "return", "def", "class", "func", "import", "from", "const", "let", "static", "int", "void"}
)

Places = dict[tuple[str, int, int], set[tuple[str, int]]]

_NAME = re.compile(r"[A-Za-z_]\w*")


class OtherServer(LanguageWindow):
    """Another language server, which may ask its client for settings."""

    def _sort(self, line: bytes) -> None:
        message = json.loads(line)
        if "method" in message and "id" in message:
            items = (message.get("params") or {}).get("items")
            result = [None] * len(items) if message["method"] == "workspace/configuration" and items else None
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
            return
        super()._sort(line)


@dataclass
class Measured:
    """What one server answered: the places by position, the times in ms, its memory in MB, and the time to its first answer."""

    definitions: dict[tuple[str, int, int], set[tuple[str, int]]] = field(default_factory=dict)
    references: dict[tuple[str, int, int], set[tuple[str, int]]] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    took_references: list[float] = field(default_factory=list)
    memory: float = 0.0
    first_ms: float = 0.0


def positions(repo: Path, languages: Sequence[str], count: int, seed: int) -> list[tuple[str, int, int]]:
    """Places of names in the code of these languages, drawn by chance: (path, line, character), from 0."""
    draw = random.Random(seed)
    listed = subprocess.run(["git", "ls-files"], cwd=repo, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    files = [path for path in listed if language_of(path) in languages and (repo / path).stat().st_size < 400_000]
    chosen: set[tuple[str, int, int]] = set()
    while len(chosen) < count:
        path = draw.choice(files)
        lines = (repo / path).read_text(errors="replace").split("\n")
        number = draw.randrange(len(lines))
        line = lines[number]
        if not line.isascii() or line.lstrip().startswith(("#", "//", "*", "/*", '"', "'")):
            continue
        names = [name for name in _NAME.finditer(line) if name[0] not in HEADER_WORDS]
        if names:
            chosen.add((path, number, draw.choice(names).start()))
    return sorted(chosen)


def inside(root: Path, answer: Answer) -> set[tuple[str, int]]:
    """The places of an answer as (path in the repository, or '' for anything outside, line)."""
    found = answer.message.get("result") or []
    places = set()
    for at in found if isinstance(found, list) else [found]:
        file = Path(file_of(at.get("uri") or at["targetUri"]))
        line = (at.get("range") or at["targetSelectionRange"])["start"]["line"]
        places.add((str(file.relative_to(root)), line) if file.is_relative_to(root) else ("", 0))
    return places


def measured(
    window: LanguageWindow, repo: Path, asked: list[tuple[str, int, int]], with_references: int, pids: object
) -> Measured:
    """Ask one server everything."""
    assert callable(pids)
    result, opened = Measured(), set()
    for number, place in enumerate(asked):
        path = place[0]
        if path not in opened:
            opened.add(path)
            window.open_file(path, language=IDENTIFIERS.get(language_of(path) or "", ""))
        answer = window.at("definition", *place, patience_s=PATIENCE_S)
        result.definitions[place] = inside(repo, answer)
        result.took.append(answer.seconds * 1000)
        if number < with_references:
            answer = window.at("references", *place, patience_s=PATIENCE_S, context={"includeDeclaration": True})
            result.references[place] = inside(repo, answer)
            result.took_references.append(answer.seconds * 1000)
    result.memory = rss_bytes(pids()) / MEGABYTE
    return result


def ours(world: World, repo: Path, asked: list[tuple[str, int, int]], with_references: int) -> Measured:
    """Our server, on an index that is there."""
    world.index(repo)
    window = editor_window(world, repo)
    daemon = world.daemon(repo)
    return measured(
        window, repo, asked, with_references, lambda: {window.pid, *(process.pid for process in family(daemon))}
    )


def theirs(world: World, repo: Path, command: str, asked: list[tuple[str, int, int]], with_references: int) -> Measured:
    """Another server, after it had some time to load the project."""
    window = OtherServer(shlex.split(command), world.environment, repo, world.errors, root=repo)
    world.windows.append(window)
    began = time.perf_counter()
    root: Json = {"uri": repo.as_uri(), "name": repo.name}
    window.hello(rootUri=repo.as_uri(), rootPath=str(repo), workspaceFolders=[root])
    path = asked[0][0]
    window.open_file(path, language=IDENTIFIERS.get(language_of(path) or "", ""))
    window.at("definition", *asked[0], patience_s=PATIENCE_S)
    first_ms = (time.perf_counter() - began) * 1000
    window.drain(SETTLE_S)
    window.close_file(path)
    result = measured(window, repo, asked, with_references, lambda: {process.pid for process in family(window.pid)})
    result.first_ms = first_ms
    return result


def compared(mine: Places, others: Places) -> Counter[str]:
    """How the answers compare, by position."""
    counts: Counter[str] = Counter()
    for place, other in others.items():
        own = {at for at in mine[place] if at[0]}
        known = {at for at in other if at[0]}
        if not known:
            counts["both nowhere" if not own else "outside for the other" if other else "only ours"] += 1
        elif not own:
            counts["only theirs"] += 1
        else:
            counts["same" if own & known else "different"] += 1
    return counts


def overlap(mine: Places, others: Places) -> tuple[float, float, int]:
    """Of the places of references: the share of ours that are theirs, and of theirs that are ours, and how many theirs are."""
    own = other = both = 0
    for place, known in others.items():
        if not (mine[place] and known):
            continue
        own, other, both = own + len(mine[place]), other + len(known), both + len(mine[place] & known)
    return (both / own if own else 1.0, both / other if other else 1.0, other)


def rows(name: str, mine: Measured, others: Measured) -> Iterator[str]:
    """What is printed of one comparison."""
    counts = compared(mine.definitions, others.definitions)
    both = counts["same"] + counts["different"]
    yield f"{name}: {len(others.definitions)} positions: {dict(counts)}"
    yield f"  definitions: the same in {counts['same']} of {both} where both lead into the repository ({counts['same'] / max(1, both):.1%})"
    precision, recall, count = overlap(mine.references, others.references)
    yield f"  references of {len(others.references)} positions: {precision:.1%} of ours are theirs, {recall:.1%} of theirs ({count}) are ours"
    for who, side in (("ours", mine), ("theirs", others)):
        yield (
            f"  {who:<7} definition p50 {percentile(side.took, 0.5):6.1f} ms, p95 {percentile(side.took, 0.95):7.1f} ms; references p50 "
            f"{percentile(side.took_references, 0.5):6.1f} ms; {side.memory:5.0f} MB; first answer {side.first_ms:6.0f} ms"
        )


def main() -> int:
    """Compare, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.language_servers", description=__doc__)
    parser.add_argument("--repo", type=Path, required=True, help="a checkout; it is copied")
    parser.add_argument("--languages", required=True, help="comma list: python, typescript, tsx, go, c, cpp")
    parser.add_argument(
        "--server", required=True, help="the command of the other server, e.g. 'pyright-langserver --stdio'"
    )
    parser.add_argument("--positions", type=int, default=250)
    parser.add_argument("--references", type=int, default=60, help="positions whose references are compared, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print where the answers differ")
    chosen = parser.parse_args()
    with World() as world:
        repo = Path(world.base) / "repo"
        shutil.copytree(chosen.repo, repo, symlinks=True)
        asked = positions(repo, chosen.languages.split(","), chosen.positions, chosen.seed)
        try:
            mine = ours(world, repo, asked, chosen.references)
            others = theirs(world, repo, chosen.server, asked, chosen.references)
        except (NoAnswer, WindowClosed) as error:
            print(f"no comparison: {error}\n{world.errors.read_text()[-2000:]}", file=sys.stderr)
            return 1
    print("\n".join(rows(chosen.server.split()[0], mine, others)))
    for place, known in others.definitions.items() if chosen.show else ():
        own = {at for at in mine.definitions[place] if at[0]}
        known = {at for at in known if at[0]}
        if known and not own & known:
            print(f"    {place[0]}:{place[1] + 1}:{place[2]} ours {sorted(own)} theirs {sorted(known)}")
    for place, known in others.references.items() if chosen.show else ():
        for who, extra in (("ours", mine.references[place] - known), ("theirs", known - mine.references[place])):
            if extra and known and mine.references[place]:
                print(
                    f"    references of {place[0]}:{place[1] + 1}:{place[2]}, {who} alone: {len(extra)}, {sorted(extra)[:4]}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
