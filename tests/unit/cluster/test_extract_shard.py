"""What a shard records of files that have no facts."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import Path

import pytest

from codeagentd.cluster.extract_shard import OTHER, ExtractReport, extract_files
from codeagentd.cluster.file_listing import ListedFile
from codeagentd.cluster.portions import Portion, facts_from, records_of
from codeagentd.model.ids import text_digest
from codeagentd.pipeline.rows.module_names import ModuleName
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.messages import POSTPONED, Extracted, Job, Linked, LinkJob
from codeagentd.share.opening import open_store
from codeagentd.share.store import Store


class Outcomes:
    """Extraction with outcomes that are known before."""

    deadline_s = 20.0

    def __init__(self, outcomes: dict[str, Extracted]) -> None:
        self._outcomes = outcomes
        self.jobs: list[str] = []

    def extract(
        self, jobs: Sequence[Job], patience: Patience, large: Container[str] = ()
    ) -> Iterator[Extracted | None]:
        yield None
        for job in jobs:
            self.jobs.append(job.path)
            yield self._outcomes[job.path]

    def link(self, jobs: Sequence[LinkJob], projects: bytes) -> Iterator[Linked]:
        raise NotImplementedError

    def start(self, count: int) -> None:
        raise NotImplementedError

    def reap(self, remaining: int = 0) -> None:
        raise NotImplementedError


def file(path: str, content: str = "") -> ListedFile:
    return ListedFile(path, "python", "python", "", ModuleName(path, path), text_digest(content or path), 10)


def facts(of: ListedFile) -> Extracted:
    return Extracted(of.path, "full", "", 10, 1, of.digest, False, None, b"facts of " + of.digest, "python")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store((tmp_path / "store").as_uri())


def extracted(store: Store, portions: list[Portion], outcomes: dict[str, Extracted]) -> tuple[ExtractReport, list[str]]:
    extraction = Outcomes(outcomes)
    return extract_files(portions, {}, extraction, store), extraction.jobs


def test_a_file_that_ends_its_worker_has_a_reason_and_the_others_have_facts(store: Store):
    good, slow = file("good.py"), file("slow.py")
    outcomes = {"good.py": facts(good), "slow.py": Extracted("slow.py", POSTPONED, "took longer than 20 s")}
    report, _ = extracted(store, [Portion([good, slow])], outcomes)
    assert report.is_whole
    assert report.reasons == {"slow.py": "took longer than 20 s"}
    (record,) = records_of(store, [Portion([good, slow])])
    assert record is not None
    assert record.reasons == {slow.digest: "took longer than 20 s"}
    assert [entry[0] for entry in facts_from(store, record.packs, {good.key, slow.key})] == [good.digest]


def test_what_was_recorded_is_reported_again_and_not_tried_again(store: Store):
    slow = file("slow.py")
    outcomes = {"slow.py": Extracted("slow.py", POSTPONED, "the parser crashed")}
    extracted(store, [Portion([slow])], outcomes)
    report, jobs = extracted(store, [Portion([slow])], outcomes)
    assert (report.known, report.reasons, jobs) == (1, {"slow.py": "the parser crashed"}, [])


def test_a_file_that_changed_since_it_was_listed_fails_its_portion_alone(store: Store):
    changed, good = file("changed.py"), file("good.py")
    outcomes = {"changed.py": facts(file("changed.py", "other text")), "good.py": facts(good)}
    report, _ = extracted(store, [Portion([changed]), Portion([good])], outcomes)
    assert not report.is_whole
    assert report.reasons == {"changed.py": OTHER}
    assert [record is not None for record in records_of(store, [Portion([changed]), Portion([good])])] == [False, True]


def test_equal_files_are_extracted_once_and_are_in_each_of_their_portions(store: Store):
    first, second = file("a/one.py", "same"), file("b/two.py", "same")
    report, jobs = extracted(store, [Portion([first]), Portion([second])], {"b/two.py": facts(second)})
    assert jobs == ["b/two.py"]
    assert (report.files, report.extracted) == (2, 1)
    for record in records_of(store, [Portion([first]), Portion([second])]):
        assert record is not None
        assert len([*facts_from(store, record.packs, {first.key})]) == 1
