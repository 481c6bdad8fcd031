"""The steps by which the files that one question asks for get into the on-demand index."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Final, TypeVar

from codeagentd.model.on_demand import Coverage, Question

from .mention_search import Ranked
from .on_demand_writer import OnDemandWriter
from .raw_search import Meanwhile, RawSearch

FIRST_STEP: Final = 4  # files of the first batch of a question
LARGEST_STEP: Final = 200  # files of a batch, below what the usual writer resolves at once
STEP_S: Final = 0.4  # seconds of a core that a batch should take, so that a newer question need not wait for long
LEVELS: Final = 3  # how far imports are followed where the targets of references depend on them
NEEDED: Final = 60  # files of one level of imports
IMPORTS_STEP: Final = 12  # files of one batch of these
IMPORTS_S: Final = 1.5  # seconds of a question after which its answer does not wait for imports any more
RESOLVED: Final = 60  # files that are resolved again for packages
PACKAGE: Final = re.compile(r"(?:^|/)(?:__init__|index|mod|lib)\.\w+$")  # files that stand for their folder
DEFINITIONS: Final = 24  # files with definitions for which an answer about them waits
FOR_WORDS: Final = 60  # files that are indexed for a text to search for

Result = TypeVar("Result")


class AnswerSteps:
    """The work for one question. `search`: begun when it arrived. `coverage` says what the index covers at any time."""

    def __init__(self, writer: OnDemandWriter, question: Question, search: RawSearch) -> None:
        self._search = search
        self._writer = writer
        self._question = question
        self._names: list[str] = []
        self._mentioning: list[str] = []
        self._needs_text = question.needs_text or bool(question.words)
        self._definitions = 0  # the batch with the definitions
        self._has_subject = False  # the files that define the names, or that the question names, are read
        self._is_linked = False  # all files that mention the names are read, and resolved against each other
        self._needed: dict[str, None] = {}  # files that resolution would have looked into
        self._began = time.monotonic()

    @property
    def coverage(self) -> Coverage:
        """What the on-demand index covers of the question now."""
        needed = self._writer.missing if self._question.needs_uses else self._writer.unknown
        left = len(needed(self._mentioning))
        return Coverage(
            tuple(self._names), tuple(self._named_files()), len(self._mentioning) - left, len(self._mentioning),
            self._is_linked and not left and bool(self._names), len(self._writer.files.paths),
        )  # fmt: skip

    @property
    def is_settled(self) -> bool:
        """Whether nothing is missing that the answer has to wait for: it describes what is read; or nothing is missing
        but types that imports may tell, and these have had their time.
        """
        if self._has_subject and not self._question.needs_uses:
            return True
        return self._is_linked and time.monotonic() - self._began > IMPORTS_S

    def run(self) -> Iterator[bool]:
        """Do the work, one step for each value: whether there was something to do."""
        if changed := self._writer.changed():
            self._writer.write(changed)
            yield True
        known = [name for name in map(self._writer.name_of, self._question.ids) if name]
        self._names = known or list(self._question.names)
        if files := (yield from _awaited(self._writer.list_again)):
            self._writer.note_files(files)
        yield from self._write(named := self._named_files())
        if named and not self._names:
            self._has_subject = True
            yield True
        self._mentioning, definitions = yield from _awaited(self._find)
        self._definitions = self._writer.writes + bool(self._writer.missing(self._mentioning))
        defining = self._mentioning[: min(definitions, DEFINITIONS)]
        yield from self._write(defining, resolves=self._question.needs_uses)
        if definitions and self._writer.defines(self._names):
            self._has_subject = True
            yield True
        if files := (yield from _awaited(self._writer.list_untracked)):
            self._writer.note_files(files)
            yield from self._write(self._named_files())
        self._mentioning += yield from _awaited(self._find_more)
        yield from self._write(self._mentioning)
        if self._needs_text:  # also of files that were indexed for other questions
            self._writer.write_text()
        yield from self._follow_packages()
        self._is_linked = True
        yield from self._follow_imports()

    def _named_files(self) -> list[str]:
        return [path for path in self._question.paths if path in self._writer.files.paths]

    def _write(self, paths: Sequence[str], *, resolves: bool = True) -> Iterator[bool]:
        """Index `paths` in their order, in batches of a suitable size; without `resolves`, without references."""
        size, missing_of = FIRST_STEP, self._writer.missing if resolves else self._writer.unknown
        while (missing := missing_of(paths)) and not self._writer.is_full:
            began = time.process_time()  # of this process alone: the machine is busy with the first index
            self._writer.write(missing[:size], resolves=resolves)
            if self._needs_text:
                self._writer.write_text()
            took = time.process_time() - began
            size = max(FIRST_STEP, min(LARGEST_STEP, int(size * STEP_S / max(took, 0.01))))
            yield True

    def _follow_packages(self) -> Iterator[bool]:
        """Resolve the files once all of them are there, with the packages that they import from: these often hand on
        what others define, without a word of it.
        """
        for _ in range(LEVELS):
            needed = self._writer.take_needed()
            self._needed.update(dict.fromkeys(needed))
            if packages := [path for path in needed if PACKAGE.search(path)][:NEEDED]:
                self._writer.write(packages, resolves=False)
            stale = self._writer.stale(self._mentioning, self._definitions)[:RESOLVED]
            if not stale:
                return
            self._writer.resolve(stale)
            yield True

    def _follow_imports(self) -> Iterator[bool]:
        """Index what the files import, as far as references to the asked names depend on it."""
        for _ in range(LEVELS):
            due = self._writer.files_with_open_references(self._names)
            self._needed.update(dict.fromkeys(self._writer.take_needed()))
            needed = self._writer.unknown(self._needed)
            if not needed or not due:
                return
            for at in range(0, NEEDED, IMPORTS_STEP):
                if step := needed[at : at + IMPORTS_STEP]:
                    self._writer.write(step, resolves=False)
                    yield True
            self._writer.resolve(due)
            yield True

    # -- search, on a thread of its own
    def _find(self) -> Ranked:
        """Find what git knows to mention the names, without the files that it does not track."""
        searcher = self._writer.searcher
        paths = searcher.mentioning(self._names, self._search.result(self._names))
        return searcher.ranked(paths, self._names, self._named_files())

    def _find_more(self) -> list[str]:
        """Find what else mentions the names, or a part of them, or the words."""
        searcher, words = self._writer.searcher, self._question.words
        more = searcher.mentioning_untracked(self._names)
        if self._names and not self._mentioning:
            more = more or searcher.containing(self._names)
        result = searcher.ranked(more, self._names, self._named_files()).paths
        if words:
            paths = searcher.containing(words, all_of_them=True)
            if len(paths) < FOR_WORDS:
                paths |= searcher.containing(words)
            result += searcher.richest(paths, words)[:FOR_WORDS]
        known = set(self._mentioning)
        return [path for path in dict.fromkeys(result) if path not in known]


def _awaited(work: Callable[[], Result]) -> Generator[bool, None, Result]:
    """Do `work` in a thread of its own; yield False until it is done, and return its result."""
    running = Meanwhile(work)
    while not running.is_done:
        yield False
    return running.result()
