"""What the language server costs: starting a window, keeping twenty, definitions, and answers while someone types."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import corpora
from tests.bench.figures import Figure, percentile
from tests.harness.language_window import LanguageWindow, editor_window, language_window
from tests.harness.processes import MEGABYTE, family, pss_bytes, rss_bytes
from tests.harness.waiting import comes, let_pass
from tests.harness.world import World

STARTS = 20
WINDOWS = 20
ASKED = 400
OPENED = 5  # documents of a window
READING_S = 5.0
TYPED_S = 0.2
EVERY_S = 0.03
TEXT_S = 60.0
OPENED_S = 0.5
TYPISTS = 25
MIDDLE_LINES = range(300, 700)  # of a document that is typed in

_NAME = re.compile(r"[A-Za-z_]\w*")


def start_ms(world: World, repo: Path) -> float:
    """One window: spawn to the initialize answer, in ms."""
    started = time.perf_counter()
    window = language_window(world, repo)
    window.hello()
    elapsed = (time.perf_counter() - started) * 1000
    window.close()
    world.windows.remove(window)
    return elapsed


def sources(repo: Path, count: int, seed: int) -> list[str]:
    """Files of the repository's own code, drawn by chance."""
    files = sorted(str(path.relative_to(repo)) for path in (repo / "django").rglob("*.py") if path.stat().st_size)
    return random.Random(seed).sample(files, count)


def positions(repo: Path, files: list[str], count: int, seed: int) -> list[tuple[str, int, int]]:
    """Places of names in these files, drawn by chance: (path, line, character), from 0."""
    draw = random.Random(seed)
    chosen: list[tuple[str, int, int]] = []
    while len(chosen) < count:
        path = draw.choice(files)
        lines = (repo / path).read_text().split("\n")
        number = draw.randrange(len(lines))
        line = lines[number]
        if line.isascii() and not line.lstrip().startswith(("#", '"')) and (names := list(_NAME.finditer(line))):
            chosen.append((path, number, draw.choice(names).start()))
    return chosen


def editors(_rounds: int) -> Iterator[Figure]:
    """Twenty editors on Django."""
    with World() as world:
        repo = corpora.repository(world, "django")
        world.index(repo)
        comes(lambda: not world.status(repo)["text_pending"], TEXT_S)  # an index as it is all day
        starts = [start_ms(world, repo) for _ in range(STARTS)]
        yield Figure(
            "editors", "codeagent-lsp start -> initialize, p50", percentile(starts, 0.5), "ms", 80,
            detail=f"p95 {percentile(starts, 0.95):.0f} ms",
        )  # fmt: skip
        windows = [editor_window(world, repo) for _ in range(WINDOWS)]
        yield from definitions(windows, repo)
        pss = [pss_bytes(window.pid) / MEGABYTE for window in windows]
        rss = [rss_bytes({window.pid}) / MEGABYTE for window in windows]
        yield Figure(
            "editors", f"share of each of {WINDOWS} windows", max(pss), "MB", 9, detail=f"RSS {max(rss):.0f} MB"
        )
        yield from typing(windows[0], repo)
        daemon = rss_bytes(process.pid for process in family(world.daemon(repo))) / MEGABYTE
        yield Figure("editors", "daemon with its processes", daemon, "MB")


def definitions(windows: list[LanguageWindow], repo: Path) -> Iterator[Figure]:
    """Definitions in the files that each editor has opened, a moment after it has opened them."""
    files = sources(repo, OPENED * WINDOWS, 1)
    opened = [files[number::WINDOWS] for number in range(WINDOWS)]
    for window, paths in zip(windows, opened, strict=True):
        for path in paths:
            window.open_file(path)
    let_pass(READING_S, "an editor's user reads what was opened")
    took, answered = [], 0
    for number, (window, paths) in enumerate(zip(windows, opened, strict=True)):
        for place in positions(repo, paths, ASKED // WINDOWS, number):
            answer = window.at("definition", *place)
            took.append(answer.seconds * 1000)
            answered += bool(answer.message.get("result"))
    share = f"{answered} of {ASKED} led somewhere; {OPENED} documents a window"
    yield Figure("editors", "definition, p50", percentile(took, 0.5), "ms", 3, detail=share)
    yield Figure("editors", "definition, p95", percentile(took, 0.95), "ms", 15)


def typing(window: LanguageWindow, repo: Path) -> Iterator[Figure]:
    """Answers about a document in which someone types: a change every 30 ms for 200 ms, and at each a hover, a definition and a
    completion.
    """
    sizes = {path: (repo / path).read_text().count("\n") for path in sources(repo, 500, 2)}
    middle = [path for path, lines in sorted(sizes.items()) if lines in MIDDLE_LINES]
    took: dict[str, list[float]] = {"hover": [], "definition": [], "completion": []}
    for path in itertools.islice(itertools.cycle(middle), TYPISTS):
        lines = (repo / path).read_text().split("\n")
        number = next(
            at for at in range(len(lines) // 2, len(lines)) if lines[at].startswith("        ") and lines[at].strip()
        )
        window.open_file(path)
        let_pass(OPENED_S, "who types has looked at the document first")
        column = len(lines[number])
        version, until = 1, time.monotonic() + TYPED_S
        for sign in itertools.cycle("word"):
            at = {"line": number, "character": column}
            version, column = version + 1, column + 1
            window.change_file(path, version, {"range": {"start": at, "end": at}, "text": sign})
            for method, times in took.items():
                times.append(window.at(method, path, number, max(0, column - 1)).seconds * 1000)
            if time.monotonic() > until:
                break
            let_pass(EVERY_S, "the next key")
        window.close_file(path)
    for method, times in took.items():
        how = f"p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms, of {len(times)}"
        yield Figure("editors", f"{method} while typing, longest", max(times), "ms", 50, detail=how)
