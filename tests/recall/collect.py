"""Makes memories.jsonl and questions.jsonl: what people wrote about one change in two places, in their own words each time.

    pip download --no-deps --no-binary :all: -d SDISTS pytest django sqlalchemy aiohttp attrs sphinx werkzeug flask setuptools pip urllib3 \
        oslo.messaging oslo.db stevedore
    python -m tests.recall.collect SDISTS

A memory is an entry of a package's changelog, or the subject of a commit from a ChangeLog that git wrote. A question is what the docstring of a test says
about an issue; the entries of that issue answer it. No text was written with a search for the other in mind, and both leave the issue's number out here.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import tarfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

MEMORIES: Final = 3_000  # enough to be lost among, few enough to embed in a minute
QUESTIONS: Final = 400
OF_ONE: Final = 90  # questions of one package
SHORTEST, LONGEST = 30, 700  # characters of a memory
LEAST_WORDS: Final = 4  # of a question, without function words
SEED: Final = 7

Entry = tuple[str, tuple[str, ...]]  # text, issues


class Package(NamedTuple):
    """Where a package keeps its changelog, how an entry looks, and where its tests are ('' where they say nothing of issues)."""

    name: str
    changelog: str
    entries: Callable[[str], Iterator[Entry]]
    tests: str


_ISSUE = re.compile(
    r"`?#(\d{2,5})\b(?: <[^>]*>`__?)?|:(?:issue|pr|ticket|gh|pull)(?:-issue)?:`#?(\d{1,5})`|\[#(\d+)\]\([^)]*\)|(?:bug|issue|ticket)[ -]#?(\d{3,5})\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r":\w+(?::\w+)?:`(?:[^`<]*<)?[~!.]*([^`>]*)>?`|``([^`]*)``|`([^`<]*?)(?: <[^>]*>)?`__?|`([^`]*)`|\*\*([^*]*)\*\*"
)
_REMARK = re.compile(
    r"\(\s*[,;&\s]*\)|\bRelated issues and pull requests on GitHub:?|\bReferences?:\s*$|-- by .*$|\bPatch by .*$|\bPR by .*$|Thanks.*$|\|\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^(?:\W*(?:regression(?:s)?(?:\s+tests?)?|tests?|check|verify|ensure|make sure|tests that|issue|ticket|bug|see|ref|refs|related|fix(?:es)?)"
    r"\b(?:\s+(?:for|that|to|of))?\s*[:.,-]*)+",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A text without markup and numbers of issues, on one line."""
    text = _ISSUE.sub("", text)
    text = _MARKUP.sub(lambda match: next((group for group in match.groups() if group is not None), ""), text)
    return (
        " ".join(_REMARK.sub("", " ".join(text.replace("\\", "").replace("*", "").split())).split())
        .strip(" -:,;()[].")
        .strip()
    )


def issues_of(text: str) -> tuple[str, ...]:
    """The numbers of issues that a text names."""
    return tuple(dict.fromkeys(next(group for group in match if group) for match in _ISSUE.findall(text)))


def bullets(text: str) -> Iterator[Entry]:
    """Entries that begin with - or *, up to the next one or an empty line followed by text at the margin."""
    for block in re.split(r"\n(?=[-*]\s)", f"\n{text}"):
        if re.match(r"[-*]\s", block):
            body = re.split(r"\n\s*\n(?=\S)", block)[0][1:]
            yield plain(body), issues_of(body)


def changes(text: str) -> Iterator[Entry]:
    """Entries of SQLAlchemy: a directive with tickets."""
    for block in text.split(".. change::")[1:]:
        tickets = re.search(r":tickets:([^\n]*)", block)
        body = re.sub(r"^\s+:\w+:[^\n]*\n", "", block, flags=re.MULTILINE)
        body = re.split(r"\n\s*\.\. |\n\S", body)[0]
        yield plain(body), tuple(re.findall(r"\d+", tickets[1])) if tickets else ()


def commits(text: str) -> Iterator[Entry]:
    """Subjects of commits."""
    for line in text.splitlines():
        if line.startswith("* "):
            yield plain(line[2:]), ()


PACKAGES: Final = (
    Package("pytest", "doc/en/changelog.rst", bullets, "testing/"),
    Package("django", "docs/releases/", bullets, "tests/"),
    Package("sqlalchemy", "doc/build/changelog/changelog_", changes, "test/"),
    Package("aiohttp", "CHANGES.rst", bullets, "tests/"),
    Package("attrs", "CHANGELOG.md", bullets, "tests/"),
    Package("sphinx", "CHANGES.rst", bullets, "tests/"),
    Package("sphinx", "doc/changes/", bullets, "tests/"),
    Package("werkzeug", "CHANGES.rst", bullets, "tests/"),
    Package("flask", "CHANGES.rst", bullets, "tests/"),
    Package("setuptools", "NEWS.rst", bullets, ""),
    Package("pip", "NEWS.rst", bullets, ""),
    Package("urllib3", "CHANGES.rst", bullets, "test/"),
    Package("oslo_messaging", "ChangeLog", commits, ""),
    Package("oslo_db", "ChangeLog", commits, ""),
    Package("stevedore", "ChangeLog", commits, ""),
)


class Sources:
    """The texts of one source distribution."""

    def __init__(self, path: Path) -> None:
        self._texts: dict[str, str] = {}
        with tarfile.open(path) as archive:
            for member in archive:
                name = member.name.partition("/")[2]
                if (
                    member.isfile()
                    and name.endswith((".py", ".rst", ".txt", ".md", "ChangeLog"))
                    and (stream := archive.extractfile(member))
                ):
                    self._texts[name] = stream.read().decode(errors="replace")

    def below(self, start: str, suffixes: tuple[str, ...] = ("",)) -> Iterator[str]:
        """The texts of files whose path begins so."""
        return (self._texts[name] for name in sorted(self._texts) if name.startswith(start) and name.endswith(suffixes))


def docstrings(text: str) -> Iterator[str]:
    """What the functions and classes of a module say of themselves: the first paragraph that names an issue, with the one before it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and (
            said := ast.get_docstring(node)
        ):
            yield said


def question_of(said: str) -> str:
    """What a docstring asks for, without what every test says; '' where that is too little to be found by."""
    text = _ABOUT.sub("", plain(re.split(r"\n\s*\n\s*(?:>>>|\.\.|::)", said)[0])).strip(" -:,.;()")
    words = [
        word
        for word in re.findall(r"[A-Za-z_]{3,}", text)
        if word.lower() not in ("the", "and", "that", "with", "for", "are", "not")
    ]
    return text[:300] if len(words) >= LEAST_WORDS else ""


def collected(folder: Path) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """(memories, questions), with the labels as numbers of memories."""
    choice = random.Random(SEED)
    entries: dict[str, dict[str, set[str]]] = defaultdict(dict)  # package -> text -> issues
    asked: dict[str, dict[str, set[str]]] = defaultdict(dict)
    for package in PACKAGES:
        sources = Sources(next(folder.glob(f"{package.name}-*.tar.gz")))
        for text in sources.below(package.changelog):
            for said, issues in package.entries(text):
                if SHORTEST <= len(said) <= LONGEST:
                    entries[package.name].setdefault(said, set()).update(issues)
        for text in sources.below(package.tests, (".py",)) if package.tests else ():
            for docstring in docstrings(text):
                if (issues := issues_of(docstring)) and len(issues) == 1 and (question := question_of(docstring)):
                    asked[package.name].setdefault(question, set()).update(issues)
    return _chosen(choice, entries, asked)


def _chosen(
    choice: random.Random, entries: dict[str, dict[str, set[str]]], asked: dict[str, dict[str, set[str]]]
) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    labelled = []
    for package, questions in sorted(asked.items()):
        found = [
            (question, [text for text, own in entries[package].items() if own & issues])
            for question, issues in sorted(questions.items())
        ]
        usable = [
            (package, question, texts) for question, texts in found if 1 <= len(texts) <= 3 and question not in texts
        ]
        labelled += choice.sample(usable, min(OF_ONE, len(usable)))
    labelled = sorted(choice.sample(labelled, min(QUESTIONS, len(labelled))))
    needed = {(package, text) for package, _, texts in labelled for text in texts}
    others = sorted({(package, text) for package, texts in entries.items() for text in texts} - needed)
    kept = sorted(needed | set(choice.sample(others, max(0, min(len(others), MEMORIES - len(needed))))))
    numbers = {entry: number for number, entry in enumerate(kept)}
    memories: list[dict[str, object]] = [{"package": package, "text": text} for package, text in kept]
    return memories, [
        {"question": question, "answers": sorted(numbers[package, text] for text in texts)}
        for package, question, texts in labelled
    ]


def main() -> None:
    """Write both files beside this one."""
    for name, rows in zip(("memories", "questions"), collected(Path(sys.argv[1])), strict=True):
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        (Path(__file__).parent / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
