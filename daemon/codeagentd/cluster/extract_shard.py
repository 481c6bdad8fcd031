"""The extraction of a shard: files of one repository become facts in the store."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final

import msgspec

from codeagentd.model.namespace_macros import Opening
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.extraction import Extraction
from codeagentd.pipeline.workers.messages import Extracted

from .directory_store import Store
from .fact_exchange import FactsEntry, known_keys, put_facts
from .file_listing import ListedFile

OTHER: Final = "has another content than when it was listed"
FILES_AT_ONCE: Final = 400  # files whose facts are put into the store together: some 4 MB

Progress = Callable[[int, int], None]  # files done, files of the shard


class ExtractReport(msgspec.Struct, frozen=True, tag="extracted"):
    """The result of one shard: the numbers of its files, of those whose facts the store had already, and of those whose
    facts were put there; why others have none, by path; and bytes of source and facts.
    """

    files: int = 0
    known: int = 0
    extracted: int = 0
    reasons: dict[str, str] = {}
    source_bytes: int = 0
    facts_bytes: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether each file has facts or a reason that the file itself is."""
        return OTHER not in self.reasons.values()


def extract_files(
    files: Sequence[ListedFile], openings: Mapping[str, Opening], pool: Extraction, store: Store,
    progress: Progress = lambda done, total: None,
) -> ExtractReport:  # fmt: skip
    """Put the facts of `files` into the store, as far as it lacks them, with the workers of `pool`. What is put there
    at once is decided by digests alone, so that the same files give the same objects. Errors: engine_unavailable.
    """
    known = known_keys(store)
    by_key = {file.key: file for file in sorted(files, key=lambda file: (file.digest, file.language, file.path))}
    due = {file.path: file for key, file in by_key.items() if key not in known}
    portions = {path: number // FILES_AT_ONCE for number, path in enumerate(due)}
    waiting = Counter(portions.values())
    entries: dict[int, list[FactsEntry]] = defaultdict(list)
    reasons: dict[bytes, str] = {}
    extracted = facts_bytes = 0
    jobs = [file.job(openings) for file in due.values()]
    for done, outcome in enumerate(filter(None, pool.extract(jobs, Patience(pool.deadline_s, inf))), 1):
        file = due[outcome.path]
        portion = portions[file.path]
        if reason := why_without_facts(file, outcome):
            reasons[file.digest] = reason
        else:
            entries[portion].append((*file.key, outcome.blob))
        waiting[portion] -= 1
        if not waiting[portion] and (portion_entries := entries.pop(portion, None)):
            put_facts(store, portion_entries)
            extracted += len(portion_entries)
            facts_bytes += sum(len(entry[3]) for entry in portion_entries)
        progress(len(by_key) - len(due) + done, len(by_key))
    return ExtractReport(
        len(files), len(by_key) - len(due), extracted,
        {file.path: reasons[file.digest] for file in files if file.digest in reasons},
        sum(file.size for file in files), facts_bytes,
    )  # fmt: skip


def why_without_facts(file: ListedFile, outcome: Extracted) -> str:
    """Return the reason why `outcome` is not the facts of `file`; '' if it is."""
    if outcome.blob and (outcome.digest, outcome.language) != (file.digest, file.language):
        return OTHER
    return "" if outcome.blob else outcome.reason or outcome.status
