"""The coordinator: an ordinary first index whose facts and references come from the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.malloc import garbage_collector_paused
from codeagentd.boot.index_ownership import blobs_of, claim
from codeagentd.boot.settings import Settings
from codeagentd.model.engine_status import Progress
from codeagentd.pipeline.batch.batch_writer import BatchWriter
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import Plan, compare
from codeagentd.pipeline.engine.index_maintenance import IndexMaintenance, Occupied
from codeagentd.pipeline.engine.index_startup import Start, mark_stale
from codeagentd.pipeline.engine.unchanged_files import adopt, known_files
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.scan.lockfiles.versions import versions
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import scan
from codeagentd.share.store import Store
from codeagentd.store.connection import CORRUPT, Database
from codeagentd.store.opening import UNUSABLE, open_disposable, own
from codeagentd.vcs import git

from .link_shard import Unit
from .portions import Portion
from .store_extraction import SNAPSHOT, LinkUnits, StoreExtraction

ROUNDS: Final = 3  # until facts that blobs.db had lost are made again


class MergeReport(msgspec.Struct, frozen=True, tag="merged"):
    """The result of a merge: the snapshot whose files are still to be resolved, '' where the index is whole; the number
    of files in the index, and of those that were extracted and resolved on this machine.
    """

    snapshot: str = ""
    files: int = 0
    extracted_here: int = 0
    linked_here: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the step was done, which is always so: errors end it."""
        return True


class LinkLater(Exception):
    """Raised for a snapshot that is resolved after the end of this process."""

    def __init__(self, snapshot: str) -> None:
        super().__init__(snapshot)
        self.snapshot = snapshot


class Later:
    """Units that other commands resolve."""

    def link(self, snapshot: str, units: Sequence[Unit]) -> Iterator[int]:
        """Raise LinkLater."""
        raise LinkLater(snapshot)


class Coordinator:
    """Writes the index of one repository to where its daemon expects it."""

    def __init__(
        self, endpoint: Endpoint, settings: Settings, store: Store, workers: int,
        progress: Callable[[Progress], None] = lambda progress: None,
    ) -> None:  # fmt: skip
        self._endpoint = endpoint
        self._settings = settings
        self._store = store
        self._workers = workers
        self._progress = progress

    def merge(self, arrivals: Iterable[Sequence[Portion]], linking: LinkUnits) -> MergeReport:
        """Write the index from the facts of portions as they arrive, and have its files resolved by `linking`. A merge
        that was interrupted goes on where it was.

        Errors: engine_unavailable, also while a daemon serves the repository.
        """
        dirs.check_trusted_directories()
        is_new = claim(self._endpoint).is_new
        index_path = own(self._endpoint.index / "index.db", "index")
        blobs_path = own(blobs_of(self._endpoint) / "blobs.db", "blobs")
        maintenance = IndexMaintenance(index_path, blobs_path)
        try:
            maintenance.take_ownership()
            with (
                closing(open_disposable(blobs_path, "blobs")[0]) as blobs,
                closing(open_disposable(index_path, "index")[0]) as index,
            ):
                mark_stale(index, index_path, Start(is_new=is_new))
                report = self._write(index, blobs, (index_path, blobs_path), arrivals, linking)
                while maintenance.merge(index):
                    pass
                maintenance.checkpoint(index, blobs, truncate=True)
                return report
        except Occupied as error:
            raise EngineUnavailable(
                f"the index is in use: {error}", remedy="end the daemon with `codeagentd stop`, then run this again"
            ) from None
        except CORRUPT as error:
            raise EngineUnavailable(
                f"the index is corrupt ({error})", remedy=f"remove {index_path.parent}, then run this again"
            ) from None
        except (OSError, *UNUSABLE) as error:
            raise self._unwritable(error) from None
        finally:
            maintenance.release_ownership()

    def _write(
        self, index: Database, blobs: Database, paths: tuple[Path, Path], arrivals: Iterable[Sequence[Portion]],
        linking: LinkUnits,
    ) -> MergeReport:  # fmt: skip
        root, limits = Path(self._endpoint.root), self._settings.limits
        pool = Pool(root, *paths, self._workers, limits.extract_deadline_s, limits.max_file_bytes)
        extraction = StoreExtraction(pool, index, blobs, self._store, arrivals, linking)
        known = {path for path, *_ in index.all("world.known_files")}
        writer = BatchWriter(
            index, blobs, extraction, root, known, languages=frozenset(self._settings.languages),
            on_progress=self._progress,
        )  # fmt: skip
        snapshot = ""
        try:
            for _ in range(ROUNDS):
                self._write_batch(index, writer)
                if not writer.pop_lost_facts():
                    break
            index.run("writer.delete_meta", (SNAPSHOT,))
        except LinkLater as later:
            snapshot = later.snapshot
        finally:
            pool.reap()
        files = len(index.all("world.known_files"))
        return MergeReport(snapshot, files, extraction.extracted_here, extraction.linked_here)

    def _write_batch(self, index: Database, writer: BatchWriter) -> None:
        """Compare the index with the disk, and write what differs."""
        root = Path(self._endpoint.root)
        files = scan(root, rules_of(root, self._settings.ignore), git.list_files(root)).files
        writer.planner.save_projects(detect(root, files))
        writer.save_versions(versions(root, files))
        known = known_files(index)
        plan = compare({path: known_file.stat for path, known_file in known.items()}, files)
        plan = adopt(root, index, plan, known, files)
        renamed = writer.planner.renamed_files(files.keys())
        with garbage_collector_paused(is_enabled=True):
            writer.run(Plan(tuple(sorted({*plan.changed, *renamed})), plan.gone), files)

    def _unwritable(self, error: BaseException) -> EngineUnavailable:
        return EngineUnavailable(
            f"the index cannot be written ({error})",
            remedy=f"make {self._endpoint.index} writable, with room on its disk, and run this again: it goes on where "
            "it was",
        )
