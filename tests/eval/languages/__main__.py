"""`make eval-languages`: the definitions of each language against universal-ctags or the language's own tool, and its
references where a compiler says what is right, on public repositories.

Definitions are compared by file, line and name, without their owners; references by line and target, in the files
that the compiler has read. A figure is over all repositories of a language. Nothing is fetched: the repositories of
tests/eval/languages/corpora.toml are expected below a folder, each under its name.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

import msgspec

from codeagentd.languages.language import languages
from codeagentd.languages.measured import FILE, Measured, measured
from tests.eval.languages import ctags, indexed
from tests.eval.languages.corpora import Corpus, corpora, folder
from tests.eval.languages.facts import Definition, Differences, Score, Use, of_definitions, of_uses
from tests.eval.tables import table

HEADING: Final = ("language", "repository", "what", "against", "theirs", "precision", "recall", "F1")
DATA: Final = Path(__file__).resolve().parents[3] / "daemon" / "codeagentd" / "languages" / "data" / FILE


class Compared(NamedTuple):
    """One repository of one language: what was compared with which tool."""

    repository: str
    what: str
    against: str
    found: Differences


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="make eval-languages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "--corpora", type=Path, default=os.environ.get("EVAL_CORPORA"), help="folder of the repositories [EVAL_CORPORA]"
    )
    made.add_argument("--languages", default="", help="only these, separated by commas")
    made.add_argument("--show", type=int, default=0, metavar="N", help="show N of what is wrong and of what is missing")
    made.add_argument("--write", action="store_true", help=f"renew the figures of these languages in {FILE}")
    return made


def compiler(language: str) -> ModuleType | None:
    """The module that asks the language's own tool; None without one."""
    name = f"tests.eval.languages.compilers.{language}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def expected(
    language: str, corpus: Corpus, root: Path, paths: Sequence[str]
) -> tuple[str, list[tuple[Definition, str]]]:
    """The name of the tool, and what it says that files define."""
    if corpus.ctags:
        found = ctags.definitions(root, paths, corpus.ctags, *corpus.options, all_kinds=bool(corpus.kinds))
        return ctags.version(), list(found)
    judge = compiler(language)
    assert judge is not None, f"{language} has neither a parser of ctags nor compilers/{language}.py"
    return judge.TOOL, list(judge.definitions(root, paths))


def compared(language: str, corpus: Corpus, root: Path, repository: str) -> Iterator[Compared]:
    """Compare one repository. Files in which the tool finds nothing are left out: it may not have been able to read
    them.
    """
    judge = compiler(language)
    with indexed.indexed(root) as rows:
        paths = indexed.files(rows, language)
        against, theirs = expected(language, corpus, root, paths)
        read = {one.path for one, _ in theirs}
        ours = [(one, kind) for one, kind in indexed.definitions(rows, language) if one.path in read]
        named = [(one._replace(name=indexed.last(one.name)), kind) for one, kind in theirs]
        found = of_definitions(ours, named, corpus.ours, corpus.kinds, corpus.below)
        yield Compared(repository, "definitions", against, found)
        if judge is not None and hasattr(judge, "uses"):
            unjudged = judge.unjudged(root, paths) if hasattr(judge, "unjudged") else frozenset()
            found = of_uses(
                [(use, places) for use, places in indexed.uses(rows, language) if (use.path, use.line) not in unjudged],
                [use for use in judge.uses(root, paths) if (use.path, use.line) not in unjudged],
            )
            yield Compared(repository, "references", judge.TOOL, found)


def measure(language: str, corpus: Corpus, place: Path) -> Iterator[Compared]:
    """Compare every repository of a language; those that are missing are named on stderr."""
    for repository in corpus.repositories:
        root = place / folder(repository)
        if root.is_dir():
            try:
                yield from compared(language, corpus, root, repository)
            except FileNotFoundError as error:
                print(f"{language}: {error.filename} is not installed", file=sys.stderr)
        else:
            print(f"{language}: {root} is missing: check {repository} out there", file=sys.stderr)


def total(found: Sequence[Compared], what: str) -> Score | None:
    """The score of all repositories together; None where nothing was compared."""
    scores = [one.found.score for one in found if one.what == what]
    together = Score()
    for score in scores:
        together = together.plus(score)
    return together if scores else None


def entry(found: Sequence[Compared]) -> Measured:
    """What the product's data says of a language."""
    figures = {what: total(found, what) for what in ("definitions", "references")}
    definitions, references = (score and round(score.f1, 3) for score in figures.values())
    return Measured(
        against=", ".join(dict.fromkeys(one.against for one in found)),
        repositories=tuple(dict.fromkeys(one.repository for one in found)),
        definitions=definitions,
        references=references,
    )


def lines(language: str, found: Sequence[Compared]) -> Iterator[list[str]]:
    """The rows of a language: one for each comparison, then their sums."""
    for one in found:
        yield [language, folder(one.repository), one.what, one.against, *_figures(one.found.score)]
    for what in ("definitions", "references"):
        if score := total(found, what):
            yield [language, "all", what, "", *_figures(score)]


def _figures(score: Score) -> list[str]:
    return [f"{score.theirs:,}", f"{score.precision:.3f}", f"{score.recall:.3f}", f"{score.f1:.3f}"]


def show(found: Sequence[Compared], count: int) -> None:
    """Print some of what only one side has."""
    for one in found if count else ():
        for word, facts in (("wrong", one.found.wrong), ("missing", one.found.missing)):
            step = max(1, len(facts) // count)
            for fact in facts[::step][:count]:
                target = f" -> {fact.target[0]}:{fact.target[1]}" if isinstance(fact, Use) and fact.target else ""
                print(f"{folder(one.repository)}: {word} {one.what}: {fact.path}:{fact.line}: {fact.name}{target}")


def main() -> int:
    """Compare what was asked for and print the table; 2 without repositories."""
    options = parser().parse_args()
    if not options.corpora:
        print("error: name the folder of the repositories with --corpora or EVAL_CORPORA", file=sys.stderr)
        return 2
    judged = {name: one for name, one in corpora().items() if one.ctags or compiler(name)}
    chosen = {name: one for name, one in judged.items() if name in languages()}
    if options.languages:
        named = options.languages.split(",")
        if unknown := [name for name in named if name not in chosen]:
            print(f"error: not measured: {', '.join(unknown)}; known: {', '.join(chosen)}", file=sys.stderr)
            return 2
        chosen = {name: chosen[name] for name in named}
    rows: list[list[str]] = []
    entries = measured()
    for language, corpus in chosen.items():
        if found := list(measure(language, corpus, options.corpora)):
            show(found, options.show)
            rows += lines(language, found)
            entries[language] = entry(found)
    print(table(HEADING, rows))
    if options.write:
        DATA.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(entries.items())))) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
