"""What commits say and what they changed: a subject, and the passages of the symbols whose lines it changed.

The history of the main branch is read backwards from the commit that is indexed. For each file, the symbol of each of
its lines is carried along: a change's lines after it tell the symbols, and its lines before it are of none any more.
So a passage is that of the indexed tree, not of the one before the change.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagentd.base.paths import Jail
from codeagentd.model.file_kinds import DOCUMENTS, is_test
from codeagentd.pipeline.embedding.passages import passages
from codeagentd.pipeline.embedding.symbol_queue import KINDS, LAST, UNNAMED
from codeagentd.store.connection import Database
from tests.distil.texts import Repository, cleaned_subject, git_of

COMMITS: Final = 4_000
CHANGED: Final = 6  # symbols; a commit that changed more says little about each
KEPT: Final = 4  # of them
USED: Final = 6  # times that a symbol is an answer
CHANGES: Final = 1_500  # of a repository
SUFFIXES: Final = 300  # by which the history is read
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_UNTOLD: Final = re.compile(r"(?i)bump |release|version|revert|update (dependency|changelog)|merge ")
_MERGE: Final = "Merge "


class Change(msgspec.Struct, frozen=True):
    """The subject of a commit, and passages of symbols that it changed."""

    subject: str
    passages: list[str]


class _Hunk(NamedTuple):
    before: int  # lines
    line: int
    after: int


class _Commit(NamedTuple):
    subject: str
    hunks: dict[str, list[_Hunk]]


def changes_of(repository: Repository, mirror: Path, place: Path) -> list[Change]:
    """Return changes of a repository whose files and index `texts_of` has put into `place`."""
    database = Database(place / "index" / "index.db")
    ranked = database.all("vectors.ranked", (KINDS, LAST, UNNAMED, -1))
    rows = {row[0]: row for row in database.all("vectors.symbols", (json.dumps([symbol for symbol, _ in ranked]),))}
    files = json.dumps([*{row[1] for row in rows.values()}])
    spans: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    places = {file: (path, language) for file, path, language, _ in database.all("vectors.files", (files,))}
    for symbol, file, _, _, _, _, _, first, _, last, is_whole, _ in rows.values():
        path, language = places[file]
        if not is_whole and not is_test(path) and language not in DOCUMENTS:
            spans[path].append((first, last, symbol))
    lines = {path: _symbols_of_lines(of_file) for path, of_file in spans.items()}
    found = [*_changed(_commits(repository, mirror, [*lines]), lines)]
    chance = random.Random(repository.name)
    chance.shuffle(found)
    used, chosen = Counter[int](), dict[str, list[int]]()
    for subject, symbols in found:
        kept = [symbol for symbol in symbols if used[symbol] < USED][:KEPT]
        if kept and subject not in chosen and len(chosen) < CHANGES:
            used.update(kept)
            chosen[subject] = kept
    wanted = [(symbol, rows[symbol][1]) for symbol in used]
    made = {one.symbol: one.text for one in passages(database, Jail(place / "files"), "", wanted)}
    changes = (
        Change(subject, [made[symbol] for symbol in symbols if symbol in made]) for subject, symbols in chosen.items()
    )
    return [change for change in changes if change.passages]


def _symbols_of_lines(spans: list[tuple[int, int, int]]) -> list[int]:
    """Return the innermost symbol of each line, 0 for none, from the first and last lines of symbols."""
    result = [0] * (max(last for _, last, _ in spans) + 2)
    for first, last, symbol in sorted(spans, key=lambda span: span[0] - span[1]):
        result[first : last + 1] = [symbol] * (last + 1 - first)
    return result


def _commits(repository: Repository, mirror: Path, paths: list[str]) -> Iterator[_Commit]:
    """Yield what the commits before the indexed one changed, the newest first."""
    suffixes = sorted({f"*{Path(path).suffix}" if Path(path).suffix else path for path in paths})[:SUFFIXES]
    log = ["log", "--first-parent", "-m", "-n", str(COMMITS), "--no-renames", "--no-color", "--no-ext-diff"]
    form = ["--no-textconv", "-p", "-U0", "--format=%x01%s%x02%b%x03", repository.commit, "--", *suffixes]
    output = subprocess.run([*git_of(repository, mirror), *log, *form], check=True, capture_output=True).stdout
    for part in output.decode(errors="replace").split("\x01")[1:]:
        message, _, diff = part.partition("\x03")
        subject, _, body = message.partition("\x02")
        if subject.startswith(_MERGE):
            subject = next((line for line in body.splitlines() if line.strip()), "")
        hunks: dict[str, list[_Hunk]] = {}
        for text in re.split(r"^diff --git .*\n", diff, flags=re.MULTILINE)[1:]:
            head, _, rest = text.partition("\n@@")
            if name := re.search(r"^\+\+\+ b/(.*)$", head, re.MULTILINE):
                numbers = (map(_number, match.groups()) for match in _HUNK.finditer("@@" + rest))
                hunks[name[1].strip()] = [_Hunk(before, line, after) for _, before, line, after in numbers]
        yield _Commit(cleaned_subject(subject), hunks)


def _number(text: str | None) -> int:
    return 1 if text is None else int(text)


def _changed(commits: Iterator[_Commit], lines: dict[str, list[int]]) -> Iterator[tuple[str, list[int]]]:
    """Yield the subjects of commits with the symbols that each changed; `lines` are changed to those before all."""
    for commit in commits:
        symbols = set[int]()
        for path in commit.hunks.keys() & lines.keys():
            for hunk in reversed(commit.hunks[path]):
                symbols |= _unwound(lines[path], hunk)
        symbols.discard(0)
        if commit.subject and not _UNTOLD.match(commit.subject) and 0 < len(symbols) <= CHANGED:
            yield commit.subject, sorted(symbols)


def _unwound(lines: list[int], hunk: _Hunk) -> set[int]:
    """Return the symbols of the lines of `hunk`, and make `lines` those before it."""
    if hunk.after:
        result = set(lines[hunk.line : hunk.line + hunk.after])
        first = hunk.line
    else:  # lines were only taken away, behind this one
        first = hunk.line + 1
        around = lines[hunk.line : first + 1]
        result = {around[0]} if len(around) > 1 and around[0] == around[1] else set()
    if first < len(lines):
        lines[first : first + hunk.after] = [0] * hunk.before
    return result
