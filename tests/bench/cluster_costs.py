"""What does each step of an index by many machines cost? `python -m tests.bench.cluster_costs CLONE… [--json]`

Seconds are those of a core, of this process and of its workers, and per megabyte of source that is parsed, so that other work on this machine changes them little.
Each clone is indexed by the steps of `codeagentd map`, with a store in a folder, in a process of its own. docs/decisions/0038-cluster.md computes with these rows.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from codeagent_protocol.endpoint import endpoint_of
from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.boot.index_ownership import blobs_of
from codeagentd.boot.settings import load
from codeagentd.cluster.coordinator import Coordinator, Later
from codeagentd.cluster.extract_shard import extract_files
from codeagentd.cluster.file_listing import FileChoice, listed
from codeagentd.cluster.link_shard import Unit, link_units, units_of
from codeagentd.cluster.link_snapshot import FactPacks, fetch, files_to_link, head_of, publish
from codeagentd.cluster.portions import portions_of
from codeagentd.cluster.shard_workers import closing_pool, extract_workers
from codeagentd.cluster.steps import StoredUnits
from codeagentd.model.engine_status import Progress
from codeagentd.share.opening import open_store
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable
from tests.harness.stored_rows import count_rows
from tests.harness.world import isolated

MB = 1e6
ROW = {
    "files": "files", "lines": "lines", "MB": "MB of source", "list": "list", "extract": "extract", "seal": "seal and put",
    "rows": "rows, the writer", "derive": "rows, its workers", "order": "order and publish", "publish": "publish alone", "link": "resolve",
    "finish": "references, the writer", "facts": "facts", "snapshot": "snapshot", "snapshot_raw": "snapshot unpacked",
    "links": "references", "index": "index.db", "blobs": "blobs.db", "symbols": "symbols", "references": "references in rows", "rss": "peak of the coordinator",
}  # fmt: skip


class Meter:
    """Seconds of a core by phase: of this process, and of processes that ended."""

    def __init__(self) -> None:
        self.own: dict[str, float] = {}
        self.workers: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure the block."""
        own, workers = time.process_time(), _ended()
        yield
        self.own[name] = time.process_time() - own
        self.workers[name] = _ended() - workers


def _ended() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Mark(Later):
    """Notes the processor time at which the snapshot is there."""

    def link(self, snapshot: str, units: Sequence[Unit]) -> Iterator[int]:
        """Raise LinkLater."""
        self.at = time.process_time()
        return super().link(snapshot, units)


def costs(root: Path, store_folder: Path) -> dict[str, float]:
    """The costs of one index."""
    endpoint, store = endpoint_of(str(root)), open_store(store_folder.as_uri())
    settings, meter, mark = load(str(root), os.environ).settings, Meter(), Mark()
    ordered: list[float] = []

    def progress(state: Progress) -> None:
        if state.phase == "order":
            ordered.append(time.process_time())

    with meter.phase("list"):
        listing = listed(root, FileChoice(max_file_bytes=MAX_FILE_BYTES))
    portions = portions_of(listing.files)
    with meter.phase("extract"), extract_workers(root, 2) as pool:
        report = extract_files(portions, listing.openings, pool, store)
    began = time.process_time()
    with meter.phase("merge"):
        snapshot = Coordinator(endpoint, settings, store, 2, progress).merge([portions], mark).snapshot
    head = head_of(store, snapshot)
    with closing(Database(endpoint.index / "index.db")) as index:
        units = units_of(files_to_link(index))
        with meter.phase("publish"), tempfile.TemporaryDirectory() as other:
            publish(index, head.projects, FactPacks(), open_store(Path(other).as_uri()))
    with meter.phase("link"), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        blobs = folder / "blobs.db"
        open_disposable(blobs, "blobs")[0].close()
        with closing_pool(folder, fetch(store, snapshot, head, folder), blobs, 1) as pool:
            link_units(units, snapshot, head, blobs, lambda: pool, store)
    with meter.phase("finish"):
        Coordinator(endpoint, settings, store, 2).merge([portions], StoredUnits(store))
    with closing(Database(endpoint.index / "index.db")) as index:
        symbols, references = (count_rows(index.connection, table) for table in ("symbols", "refs"))
    size = report.source_bytes / MB
    per_mb = {
        "list": meter.own["list"],
        "extract": meter.workers["extract"],
        "seal": meter.own["extract"],
        "rows": ordered[0] - began,
        "derive": meter.workers["merge"],
        "order": mark.at - ordered[0],
        "publish": meter.own["publish"],
        "link": meter.workers["link"] + meter.own["link"],
        "finish": meter.own["finish"],
        "facts": _bytes(store_folder / "packs") / MB,
        "snapshot": sum(head.parts) / MB,
        "snapshot_raw": head.size / MB,
        "links": _bytes(store_folder / "links") / MB,
        "index": (endpoint.index / "index.db").stat().st_size / MB,
        "blobs": (blobs_of(endpoint) / "blobs.db").stat().st_size / MB,
        "symbols": symbols,
        "references": references,
    }
    return {
        "files": report.files,
        "lines": sum((root / file.path).read_bytes().count(b"\n") for file in listing.files),
        "MB": size,
        **{name: value / size for name, value in per_mb.items()},
        "rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> int:
    """Print the costs of the clones, side by side."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster_costs", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)  # in the process of one clone
    chosen = parser.parse_args()
    if chosen.store:
        print(json.dumps(costs(chosen.clones[0].resolve(), chosen.store)))
        return 0
    columns = []
    for clone in chosen.clones:
        with tempfile.TemporaryDirectory(prefix="ca-bench-") as folder:
            argv = [sys.executable, "-m", "tests.bench.cluster_costs", str(clone), "--store", f"{folder}/store"]
            done = subprocess.run(argv, env=isolated(os.environ, folder), stdout=subprocess.PIPE, check=True)
            columns.append(json.loads(done.stdout))
            print(
                json.dumps({"clone": clone.name, **columns[-1]}) if chosen.json else f"{clone.name} is measured",
                flush=True,
            )
    if not chosen.json:
        print(f"{'per MB of source':<24}" + "".join(f"{clone.name:>12}" for clone in chosen.clones))
        for name, text in ROW.items():
            print(f"{text:<24}" + "".join(f"{column[name]:>12,.3f}" for column in columns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
