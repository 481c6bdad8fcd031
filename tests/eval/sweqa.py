"""`make eval-sweqa`: which files of the answers to SWE-QA-Bench's questions an agent sees in the first 2,000 tokens of one call.

Asked are search_code and explain_code, through a real shim, each with the question as it stands and a token_budget of 2,000;
beside them stand the lines that have most of the question's words, and what ripgrep prints for these words, in the order of
paths (tests/eval/word_search.py). Gold are the files and lines
that the benchmark's answer cites (tests/eval/gold.py says how); questions whose answer cites no file are left out and
counted. `files`: the share of gold files named in the first 8,000 characters. `lines`: the share of gold lines shown there,
over the questions whose answers cite lines. Means over questions. --dev splits the questions by a hash of their text into
two halves, of which only the first is for tuning, and --misses lists what it lacks.

The data (Apache-2.0) and the repositories, each at the commit of its line in repo_commit.txt; nothing is fetched here:
  git clone https://github.com/peng-weihan/SWE-QA-Bench                       QUESTIONS is its folder Benchmark
  for each line `URL COMMIT` of SWE-QA-Bench/repo_commit.txt:
  git clone URL CORPORA/NAME && git -C CORPORA/NAME checkout COMMIT           NAME as in Benchmark/NAME.jsonl
Indexes are made on the first run and kept in --indexes: the large repositories take some minutes, and their embeddings more.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import mean
from typing import Final

import msgspec

from tests.eval.gold import Cited, Names, cited
from tests.eval.searches import files, head
from tests.eval.sessions import add_index_options, add_patience_option, session
from tests.eval.shown import TOKENS, beginning, named_files, shown_lines
from tests.eval.tables import table
from tests.eval.word_search import ripgrep, sources_of, word_search

REPOSITORIES: Final = ("flask", "pylint", "pytest", "requests", "sphinx", "sympy", "xarray", "astropy", "sqlfluff")
TOOLS: Final = ("search_code", "explain_code")
WORDS: Final = "words"
RIPGREP: Final = "ripgrep"
RIPGREP_PROGRAM: Final = shutil.which("rg") or ""  # without it, its column is left out
WAYS: Final = (*TOOLS, WORDS, *([RIPGREP] if RIPGREP_PROGRAM else []))
SEEN: Final = 10  # files of an answer that a miss lists


class Entry(msgspec.Struct, frozen=True):
    """A line of the benchmark."""

    question: str
    answer: str


class Seen(msgspec.Struct, frozen=True):
    """What one way of asking shows: shares of the gold files and lines, the files it names, and the characters of the whole answer."""

    files: float
    lines: float | None
    named: list[str]
    characters: int


class Scored(msgspec.Struct, frozen=True):
    """A question that has gold, asked in every way."""

    repository: str
    half: str
    question: str
    gold: list[str]
    seen: dict[str, Seen]


class Run(msgspec.Struct, frozen=True):
    """One repository: its questions, those without gold, its commit, and the share of vectors made."""

    repository: str
    commit: str
    vectors: float
    left_out: int
    scored: list[Scored]


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="make eval-sweqa", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "--questions",
        type=Path,
        default=os.environ.get("SWEQA_QUESTIONS"),
        help="folder with NAME.jsonl [SWEQA_QUESTIONS]",
    )
    add_index_options(made, "SWEQA_CORPORA", "folder with the checkouts")
    add_patience_option(made)
    made.add_argument("--repos", default=",".join(REPOSITORIES), help="only these, separated by commas")
    made.add_argument("--dev", action="store_true", help="also each half by itself: dev, for tuning, and held out")
    made.add_argument(
        "--misses", type=int, default=0, metavar="N", help="list so many questions of the dev half with what is missing"
    )
    made.add_argument("--json", action="store_true", help="print JSON, with each question")
    made.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    return made


def half_of(question: str) -> str:
    """`dev` or `held out`, by a hash of the text."""
    return "dev" if hashlib.sha256(question.encode()).digest()[0] % 2 == 0 else "held out"


def entries(path: Path) -> list[Entry]:
    """The questions of a file."""
    return [msgspec.json.decode(line, type=Entry) for line in path.read_bytes().splitlines() if line.strip()]


def run(name: str, options: argparse.Namespace) -> Run:
    """Ask all questions about a repository."""
    root = (options.corpora / name).resolve()
    paths = files(root)
    names, sources = Names(paths), sources_of(root, paths)
    asking = [(entry, cited(entry.answer, names)) for entry in entries(options.questions / f"{name}.jsonl")]
    chosen = [(entry, gold) for entry, gold in asking if gold.files]
    flags = ("--tools", ",".join(TOOLS))
    with session(options.indexes, root, *flags, model=options.model, vectors_s=options.wait_vectors) as (window, share):
        scored = []
        for entry, gold in chosen:
            texts_seen = {
                tool: window.ask(tool, {"query": entry.question, "token_budget": TOKENS})[0] for tool in TOOLS
            }
            texts_seen[WORDS] = word_search(entry.question, sources)
            if RIPGREP in WAYS:
                texts_seen[RIPGREP] = ripgrep(entry.question, root, RIPGREP_PROGRAM)
            seen = {way: measure(text, gold, paths) for way, text in texts_seen.items()}
            scored.append(Scored(name, half_of(entry.question), entry.question, sorted(gold.files), seen))
    return Run(name, head(root), share, len(asking) - len(chosen), scored)


def measure(text: str, gold: Cited, paths: frozenset[str]) -> Seen:
    """How much of the gold the beginning of a text shows."""
    part = beginning(text)
    named = named_files(part, paths)
    lines = len(gold.lines & shown_lines(part, paths)) / len(gold.lines) if gold.lines else None
    order = sorted(named, key=part.index)
    return Seen(len(gold.files & named) / len(gold.files), lines, order, len(text))


def line_of(label: str, scored: Sequence[Scored]) -> list[str]:
    """A line of the table."""
    cells = [label, str(len(scored))]
    for way in WAYS:
        lines = [share for one in scored if (share := one.seen[way].lines) is not None]
        cells += [f"{mean(one.seen[way].files for one in scored):.3f}", f"{mean(lines):.3f}" if lines else "-"]
    return cells


def lines_of(runs: Sequence[Run], dev: bool) -> Iterator[list[str]]:
    """One line for each repository, and for all of them; with `dev` each half as well."""
    everything = [one for each in runs for one in each.scored]
    for half in ("", "dev", "held out") if dev else ("",):
        for each in runs:
            if chosen := [one for one in each.scored if half in ("", one.half)]:
                yield line_of(f"{each.repository} {half}".strip(), chosen)
        if chosen := [one for one in everything if half in ("", one.half)]:
            yield line_of(f"all {half}".strip(), chosen)


def shown(runs: Sequence[Run], options: argparse.Namespace) -> str:
    """The tables, and what was measured."""
    heading = ["repository", "questions", *(f"{way} {what}" for way in WAYS for what in ("files", "lines"))]
    text = table(heading, list(lines_of(runs, options.dev)), markdown=options.markdown)
    notes = [
        f"{one.repository} at {one.commit[:9]}: {one.left_out} questions cite no file"
        + (f", {one.vectors:.0%} of the vectors made" if options.model else "")
        for one in runs
    ]
    lost = [kinds(runs), *misses(runs, options.misses)] if options.misses else []
    return "\n\n".join([text, "\n".join(f"- {note}" for note in notes), *lost])


def misses(runs: Iterable[Run], count: int) -> Iterator[str]:
    """Questions of the dev half whose gold files are not all named: the worst of each repository, then the second worst, …"""
    tool = TOOLS[0]
    dev = [[one for one in each.scored if one.half == "dev" and one.seen[tool].files < 1] for each in runs]
    worst = [sorted(each, key=lambda one: (one.seen[tool].files, one.question)) for each in dev]
    for one in [one for rank in zip_longest(*worst) for one in rank if one][:count]:
        seen = one.seen[tool]
        yield (
            f"{one.repository}: {one.question}\n  gold   {', '.join(one.gold)} ({seen.files:.0%} named)\n"
            f"  named  {', '.join(seen.named[:SEEN]) or 'nothing'}"
        )


def kind_of(path: str) -> str:
    """What a gold file is: of the tests, of the documentation, or source."""
    if any(part.startswith(("test", "conftest")) for part in path.split("/")):
        return "tests"
    return "documentation" if path.endswith((".rst", ".md", ".txt")) else "source"


def kinds(runs: Iterable[Run]) -> str:
    """How many gold files of each kind the dev half has, and how many are not named."""
    dev = [one for each in runs for one in each.scored if one.half == "dev"]
    every = Counter(kind_of(path) for one in dev for path in one.gold)
    lost = Counter(kind_of(path) for one in dev for path in one.gold if path not in one.seen[TOOLS[0]].named)
    return "not named, dev half: " + ", ".join(
        f"{lost[kind]} of {every[kind]} files of {kind}" for kind in sorted(every)
    )


def at_hand(options: argparse.Namespace) -> list[str]:
    """The chosen repositories that have questions and a checkout; says what is missing."""
    found = []
    for name in options.repos.split(","):
        missing = [
            str(path)
            for path in (options.questions / f"{name}.jsonl", options.corpora / name / ".git")
            if not path.exists()
        ]
        if missing:
            print(f"{name} is left out: there is no {missing[0]}", file=sys.stderr)
        else:
            found.append(name)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Ask everything and print the tables; 2 without data."""
    options = parser().parse_args(arguments)
    if not options.questions or not options.corpora or not (names := at_hand(options)):
        print("error: name the data with --questions and --corpora; --help says how to make it", file=sys.stderr)
        return 2
    runs = []
    for name in names:
        runs.append(run(name, options))
        print(f"{name}: {len(runs[-1].scored)} questions", file=sys.stderr, flush=True)
    print(json.dumps(msgspec.to_builtins(runs), indent=1) if options.json else shown(runs, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
