"""`make eval-agents`: 25 scripted questions with known answers, one call each, through a real shim with the default toolset.

Each answer is judged by its text (tests/eval/judging.py) and costs its characters / 4. Beside it stand what one grep for
the question's name prints, and, with --peer, what `codegraph` of @colbymchenry/codegraph prints for the twelve questions
that have a command for it. Right beats wrong; of two right answers the smaller wins, within 10 % they are even; two wrong
ones are even. --rows measures tokens per row of the tools that list, over a seeded sample of symbols, files and folders.

The repositories, each at the commit that its file in tests/eval/answers names:
  git clone https://github.com/celery/celery CORPORA/celery && git -C CORPORA/celery checkout COMMIT
  git clone https://github.com/vuejs/core CORPORA/core && git -C CORPORA/core checkout COMMIT
The peer: npm install @colbymchenry/codegraph@1.6.1; it works on copies, in a home of its own. Nothing is fetched here.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec

from tests.eval.judging import WRONG, Verdict, compared, judge
from tests.eval.known_answers import KnownQuestion, Repository, repositories
from tests.eval.rows import measured, row_lines
from tests.eval.searches import Peer, PeerFailed, files, grep, head
from tests.eval.sessions import add_index_options, add_patience_option, session
from tests.eval.tables import counted, table

SOURCES: Final = [".py", ".ts", ".js", ".go", ".rs", ".java", ".c"]  # of a repository that has no questions


class Outcome(msgspec.Struct, frozen=True):
    """What one way of asking a question costs, and whether its answer is right."""

    tokens: int
    verdict: Verdict

    @property
    def pair(self) -> tuple[bool, int]:
        """The two values that are compared."""
        return self.verdict.right, self.tokens


class Row(msgspec.Struct, frozen=True):
    """One question, asked in up to three ways."""

    number: int
    repository: str
    text: str
    tool: str
    ours: Outcome
    grep: Outcome
    peer: Outcome | None

    @property
    def against_grep(self) -> str:
        """`won`, `even` or `lost`."""
        return compared(self.ours.pair, self.grep.pair)

    @property
    def against_peer(self) -> str:
        """`won`, `even`, `lost`, or '' where the peer was not asked."""
        return compared(self.ours.pair, self.peer.pair) if self.peer else ""


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="make eval-agents", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_index_options(made, "EVAL_CORPORA", "folder with celery and core")
    add_patience_option(made)
    made.add_argument("--peer", type=Path, help="the codegraph program to compare with; none: left out")
    made.add_argument("--only", default="", metavar="N,N", help="only the questions of these numbers")
    made.add_argument("--rows", action="store_true", help="measure tokens per row instead of asking the questions")
    made.add_argument(
        "--also", default="", metavar="NAME,NAME", help="with --rows: further git repositories of CORPORA"
    )
    made.add_argument("--answers", type=Path, metavar="DIR", help="write the text of every answer there")
    made.add_argument("--json", action="store_true", help="print JSON, with what each answer lacks")
    made.add_argument("--markdown", action="store_true", help="print the section of docs/comparison.md")
    return made


def asked(repository: Repository, options: argparse.Namespace) -> Iterator[Row]:
    """The chosen questions of a repository, asked in every way."""
    chosen = [one for one in repository.question if not options.only or str(one.number) in options.only.split(",")]
    if not chosen:
        return
    root = (options.corpora / repository.repository).resolve()
    paths = files(root)
    peer = opened(options.peer, root) if any(one.peer for one in chosen) else None
    try:
        with session(options.indexes, root, model=options.model, vectors_s=options.wait_vectors) as (window, share):
            note(f"{repository.repository}: {len(chosen)} questions, {share:.0%} of the vectors made")
            for question in chosen:
                text, failed = window.ask(question.tool, question.arguments)
                ours = outcome(question, text, paths, failed)
                searched = grep(root, question.grep, repository.suffixes)
                theirs = peer.ask(question.peer) if peer and question.peer else None
                keep(options.answers, question, {"ours": text, "grep": searched, "peer": theirs})
                yield Row(
                    question.number, repository.repository, question.text, question.tool, ours,
                    outcome(question, searched, paths), None if theirs is None else outcome(question, theirs, paths),
                )  # fmt: skip
    finally:
        if peer:
            peer.close()


def outcome(question: KnownQuestion, text: str, paths: Iterable[str], failed: bool = False) -> Outcome:
    """An answer, judged; an error is wrong."""
    return Outcome(len(text) // 4, WRONG if failed else judge(question.known, text, frozenset(paths)))


def opened(program: Path | None, root: Path) -> Peer | None:
    """The peer on a repository, or None with the reason on stderr."""
    if program is None:
        note(f"{root.name}: the peer is left out: no --peer")
        return None
    try:
        return Peer(program, root)
    except PeerFailed as fault:
        note(f"{root.name}: the peer is left out: {fault}")
        return None


def keep(place: Path | None, question: KnownQuestion, texts: dict[str, str | None]) -> None:
    """Write the answers to a question, for reading."""
    if place is None:
        return
    place.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        if text is not None:
            (place / f"{question.number:02}-{name}.txt").write_text(text)


def note(text: str) -> None:
    """Say something beside the table."""
    print(text, file=sys.stderr, flush=True)


def cells(rows: list[Row]) -> tuple[list[str], list[list[str]]]:
    """The table of the questions: heading and lines. The columns of the peer are there when it was asked."""
    heading = ["#", "repository", "question", "tool", "tokens", "right", "grep", "right", "against grep"]
    lines = [
        [
            *(str(row.number), row.repository, row.text, row.tool, f"{row.ours.tokens:,}", mark(row.ours)),
            *(f"{row.grep.tokens:,}", mark(row.grep), row.against_grep),
        ]
        for row in rows
    ]
    if any(row.peer for row in rows):
        heading += ["peer", "right", "against peer"]
        for line, row in zip(lines, rows, strict=True):
            line += [f"{row.peer.tokens:,}", mark(row.peer), row.against_peer] if row.peer else ["", "", ""]
    return heading, lines


def mark(one: Outcome) -> str:
    """`yes`, or how much of the answer is there."""
    verdict = one.verdict
    if verdict.right:
        return "yes"
    return verdict.reason or (
        "false"
        if verdict.false
        else f"{verdict.recall:.0%}" + ("" if verdict.precision is None else f"/{verdict.precision:.0%}")
    )


def summary(rows: list[Row]) -> Iterator[str]:
    """The totals, one line for each way of asking."""
    tokens = [row.ours.tokens for row in rows]
    yield (
        f"codeagentd: {sum(row.ours.verdict.right for row in rows)} of {len(rows)} right in one call, {sum(tokens):,} tokens, "
        f"median {median(tokens):,.0f}"
    )
    yield (
        f"grep: {sum(row.grep.verdict.right for row in rows)} of {len(rows)} right, {sum(row.grep.tokens for row in rows):,} tokens; "
        f"codeagentd {counted(row.against_grep for row in rows)}"
    )
    compared_rows = [row for row in rows if row.peer]
    if compared_rows:
        yield (
            f"peer: {sum(row.peer.verdict.right for row in compared_rows if row.peer)} of {len(compared_rows)} right, "
            f"{sum(row.peer.tokens for row in compared_rows if row.peer):,} tokens; codeagentd on these {sum(row.ours.verdict.right for row in compared_rows)} right, "
            f"{sum(row.ours.tokens for row in compared_rows):,} tokens: {counted(row.against_peer for row in compared_rows)}"
        )


def shown(rows: list[Row], options: argparse.Namespace) -> str:
    """The result in the form that was asked for."""
    if options.json:
        return json.dumps([as_json(row) for row in rows], indent=1, ensure_ascii=False)
    heading, lines = cells(rows)
    if options.markdown:
        return (
            "## Questions in one call\n\n"
            + table(heading, lines, markdown=True)
            + "\n\n"
            + "\n".join(f"- {line}." for line in summary(rows))
        )
    return table(heading, lines) + "\n\n" + "\n".join(summary(rows))


def as_json(row: Row) -> dict[str, Any]:
    """A row with its comparisons."""
    return {**msgspec.to_builtins(row), "against_grep": row.against_grep, "against_peer": row.against_peer}


def at_hand(options: argparse.Namespace) -> list[Repository]:
    """The repositories of the data that the folder has, each at its commit; says what is missing."""
    found = []
    for one in repositories():
        root = options.corpora / one.repository
        if not (root / ".git").exists():
            note(f"{one.repository} is left out: no checkout at {root}")
        elif (commit := head(root)) != one.commit:
            note(f"{one.repository} is left out: the answers hold at {one.commit[:9]}, the checkout is at {commit[:9]}")
        else:
            found.append(one)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Ask everything and print the table; 2 without data."""
    options = parser().parse_args(arguments)
    if not options.corpora or not (chosen := at_hand(options)):
        print(
            "error: name the folder of the repositories with --corpora or EVAL_CORPORA; --help says how to make it",
            file=sys.stderr,
        )
        return 2
    if options.rows:
        chosen += [Repository(name, "", "", SOURCES, []) for name in filter(None, options.also.split(","))]
        costs = [cost for one in chosen for cost in measured(one, options)]
        print(json.dumps(msgspec.to_builtins(costs), indent=1) if options.json else row_lines(costs, options.markdown))
        return 0
    print(shown([row for one in chosen for row in asked(one, options)], options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
