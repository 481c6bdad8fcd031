"""The extraction of a shard: files of one repository become facts in the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final

import msgspec

from codeagentd.model.namespace_macros import Opening
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.extraction import Extraction
from codeagentd.pipeline.workers.messages import Extracted
from codeagentd.share.store import Store

from .file_listing import FactsKey, ListedFile
from .portions import FactsEntry, Portion, put_portion, records_of

OTHER: Final = "has another content than when it was listed"

Progress = Callable[[int, int], None]  # files done, files of the shard


class ExtractReport(msgspec.Struct, frozen=True, tag="extracted"):
    """The result of one shard: the numbers of its files, of those whose facts the store had already, and of the
    contents that were extracted; why files have no facts, by path; and bytes of source and new facts.
    """

    files: int = 0
    known: int = 0
    extracted: int = 0
    reasons: dict[str, str] = {}
    source_bytes: int = 0
    facts_bytes: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether each file has facts or a reason that lies in the file itself."""
        return OTHER not in self.reasons.values()


class _Shard:
    """The portions of a shard while their files are read."""

    def __init__(self, portions: Sequence[Portion]) -> None:
        self._portions = portions
        self._waiting = [{file.key for file in portion.files} for portion in portions]
        self._entries: list[list[FactsEntry]] = [[] for _ in portions]
        self._reasons: list[dict[bytes, str]] = [{} for _ in portions]
        self._holders: dict[FactsKey, list[int]] = defaultdict(list)  # places of portions, by the keys of their files
        for place, keys in enumerate(self._waiting):
            for key in keys:
                self._holders[key].append(place)

    def add(self, key: FactsKey, blob: bytes, reason: str, store: Store) -> None:
        """Add the outcome of a content: its facts, or the reason why it has none. Portions that are whole go to the
        store, except those whose files have changed.
        """
        for place in self._holders[key]:
            if reason:
                self._reasons[place][key[0]] = reason
            else:
                self._entries[place].append((*key, blob))
            self._waiting[place].discard(key)
            if not self._waiting[place]:
                if OTHER not in self._reasons[place].values():
                    put_portion(store, self._portions[place], self._entries[place], self._reasons[place])
                self._entries[place] = []


def extract_files(
    portions: Sequence[Portion], openings: Mapping[str, Opening], pool: Extraction, store: Store,
    progress: Progress = lambda done, total: None,
) -> ExtractReport:  # fmt: skip
    """Put the facts of `portions` into the store, as far as it lacks them, with the workers of `pool`.

    Errors: those of the store.
    """
    records = records_of(store, portions)
    reasons = {digest: why for record in records if record for digest, why in record.reasons.items()}
    due = [portion for portion, record in zip(portions, records, strict=True) if record is None]
    shard = _Shard(due)
    files = {file.path: file for file in {file.key: file for portion in due for file in portion.files}.values()}
    total = sum(len(portion.files) for portion in portions)
    known = total - sum(len(portion.files) for portion in due)
    extracted = facts_bytes = 0
    jobs = [file.job(openings) for file in files.values()]
    for done, outcome in enumerate(filter(None, pool.extract(jobs, Patience(pool.deadline_s, inf))), 1):
        file = files[outcome.path]
        if reason := why_without_facts(file, outcome):
            reasons[file.digest] = reason
        else:
            extracted += 1
            facts_bytes += len(outcome.blob)
        shard.add(file.key, outcome.blob, reason, store)
        progress(known + done, known + len(files))
    return ExtractReport(
        total, known, extracted,
        {file.path: reasons[file.digest] for part in portions for file in part.files if file.digest in reasons},
        sum(portion.size for portion in portions), facts_bytes,
    )  # fmt: skip


def why_without_facts(file: ListedFile, outcome: Extracted) -> str:
    """Return the reason why `outcome` is not the facts of `file`; '' if it is."""
    if outcome.digest and outcome.digest != file.digest and outcome.status != "skipped":
        return OTHER
    if outcome.blob:
        return "" if outcome.language == file.language else OTHER
    return OTHER if outcome.status == "gone" else outcome.reason or outcome.status
