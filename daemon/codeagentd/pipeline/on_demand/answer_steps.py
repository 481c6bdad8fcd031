"""The steps by which the files that one question asks for get into the on-demand index."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.model.on_demand import Coverage, Question

from .on_demand_writer import OnDemandWriter
from .raw_search import Meanwhile, RawSearch

FIRST_STEP: Final = 4  # files of the first batch of a question
LARGEST_STEP: Final = 200  # files of a batch, below what the usual writer resolves at once
STEP_S: Final = 0.4  # seconds that a batch should take, so that a newer question need not wait for long
LEVELS: Final = 3  # how far imports are followed where the targets of references depend on them
NEEDED: Final = 60  # files of one level of imports
FOR_WORDS: Final = 60  # files that are indexed for a text to search for


class AnswerSteps:
    """The work for one question. `search`: begun when it arrived. `coverage` says what the index covers at any time."""

    def __init__(self, writer: OnDemandWriter, question: Question, search: RawSearch) -> None:
        self._search = search
        self._writer = writer
        self._question = question
        self._names: list[str] = []
        self._mentioning: Sequence[str] = ()
        self._needs_text = question.needs_text or bool(question.words)
        self._is_searched = False

    @property
    def coverage(self) -> Coverage:
        """What the on-demand index covers of the question now."""
        left = len(self._writer.missing(self._mentioning))
        return Coverage(
            tuple(self._names), tuple(self._named_files()), len(self._mentioning) - left, len(self._mentioning),
            self._is_searched and not left and bool(self._names), len(self._writer.files.paths),
        )  # fmt: skip

    def run(self) -> Iterator[bool]:
        """Do the work, one step for each value: whether there was something to do."""
        if changed := self._writer.changed():
            self._writer.write(changed)
            yield True
        known = [name for name in map(self._writer.name_of, self._question.ids) if name]
        self._names = known or list(self._question.names)
        listing = Meanwhile(self._writer.list_again)
        while not listing.is_done:
            yield False
        if files := listing.result():
            self._writer.note_files(files)
        search = Meanwhile(self._find)
        yield from self._write(self._named_files())
        while not search.is_done:
            yield False
        self._mentioning, self._is_searched = search.result(), True
        yield from self._write(self._mentioning)
        if self._needs_text:  # also of files that were indexed for other questions
            self._writer.write_text()
        yield from self._follow_imports()

    def _named_files(self) -> list[str]:
        return [path for path in self._question.paths if path in self._writer.files.paths]

    def _write(self, paths: Sequence[str]) -> Iterator[bool]:
        """Index `paths` in their order, in batches of a suitable size."""
        size = FIRST_STEP
        while (missing := self._writer.missing(paths)) and not self._writer.is_full:
            began = time.monotonic()
            self._writer.write(missing[:size])
            if self._needs_text:
                self._writer.write_text()
            took = time.monotonic() - began
            size = max(2, min(LARGEST_STEP, int(size * STEP_S / max(took, 0.01))))
            yield True

    def _follow_imports(self) -> Iterator[bool]:
        """Index what the indexed files import, as far as references to the asked names depend on it."""
        for _ in range(LEVELS):
            needed, due = self._writer.take_needed(), self._writer.files_with_open_references(self._names)
            if not needed or not due:
                return
            yield from self._write(needed[:NEEDED])
            self._writer.resolve(due)
            yield True

    # -- search, on a thread of its own
    def _find(self) -> list[str]:
        searcher, near = self._writer.searcher, self._named_files()
        result: list[str] = []
        if self._names:
            paths = searcher.mentioning(self._names, self._search.result(self._names))
            result += searcher.ranked(paths or searcher.containing(self._names), self._names, near)
        if words := self._question.words:
            paths = searcher.containing(words, all_of_them=True)
            if len(paths) < FOR_WORDS:
                paths |= searcher.containing(words)
            result += [path for path in searcher.richest(paths, words)[:FOR_WORDS] if path not in result]
        return result
