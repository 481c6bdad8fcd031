"""The counts of an index for `codeagentd status`, computed once a generation."""

from __future__ import annotations

import json
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from codeagent_protocol.status import Coverage, FileCoverage, UnreadFile
from codeagentd.base.limits import MAX_EXTENSION, MAX_EXTENSIONS
from codeagentd.languages.language import OTHER, languages
from codeagentd.model.engine_status import IndexStatus, LanguageCount
from codeagentd.pipeline.changes.plan import BINARY, LOCK_FILE, SECRET, SWITCHED_OFF, UNSUPPORTED
from codeagentd.store.connection import ReaderPool

FEWEST_REFERENCES = 50  # the least number of references of a file whose share of open ones is meaningful
FILES_LISTED = 10
UNREAD_LISTED = 50
# reasons that do not say what a file contains, or that its name says already
NOT_LISTED = json.dumps([UNSUPPORTED, BINARY, SECRET, LOCK_FILE, SWITCHED_OFF])


class Counter:
    """Counts the files and symbols of an index; remembers the figures until the generation changes."""

    def __init__(self, readers: ReaderPool) -> None:
        self._readers = readers
        self._generation = -1
        self._counted = IndexStatus()

    @property
    def last(self) -> IndexStatus:
        """The result of the last `count`."""
        return self._counted

    def count(self, generation: int) -> IndexStatus:
        """Return the counts of the index at this generation. The other fields of the status stay at their default."""
        if generation == self._generation:
            return self._counted
        tallies: dict[str, Tally[str]] = defaultdict(Tally)
        skipped: Tally[str] = Tally()
        with self._readers.read() as database:
            for language, status, reason, files, symbols, generated in database.all("world.counts"):
                if language is None:
                    skipped[reason or status] += files
                    continue
                tallies[language] += Tally({"files": files, "symbols": symbols or 0, status: files})
                skipped["generated, but indexed"] += generated or 0
            unknown = _by_extension(database.all("world.endings", (OTHER, UNSUPPORTED)))
            coverage = {language: Coverage(*counts) for language, _, *counts in database.all("world.coverage")}
            least = tuple(
                FileCoverage(*row) for row in database.all("world.least_covered", (FEWEST_REFERENCES, FILES_LISTED))
            )
            failed = tuple(path for (path,) in database.all("world.failed"))
            unread = tuple(UnreadFile(*row) for row in database.all("world.unread", (NOT_LISTED, UNREAD_LISTED)))
        known = languages()
        counts = tuple(
            LanguageCount(
                name,
                tally["files"],
                tally["symbols"],
                tally["partial"],
                tally["failed"],
                coverage.get(name, Coverage()),
                known[name].tier if name in known else "",
            )
            for name, tally in sorted(tallies.items())
        )
        self._counted = IndexStatus(
            indexed_files=sum(count.files for count in counts), indexed_symbols=sum(count.symbols for count in counts),
            languages=counts, skipped={reason: count for reason, count in skipped.items() if count}, unknown=unknown,
            failed_files=failed, unread_files=unread, least_covered=least,
        )  # fmt: skip
        self._generation = generation
        return self._counted


def _by_extension(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the number of files by extension, the most frequent first; names without one count under ''."""
    tally: Tally[str] = Tally()
    for ending, files in rows:
        plain = "/" in ending or not ending or len(ending) > MAX_EXTENSION
        tally["" if plain else f".{ending.lower()}"] += files
    return dict(tally.most_common(MAX_EXTENSIONS))


def size_of(path: Path) -> int:
    """Return the size of the file at `path` in bytes; 0 without a file."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
