"""A repository large enough that its first index is written in bulk, and what commands of a cluster make of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
from pathlib import Path
from typing import Any

from codeagentd.boot.settings import load
from codeagentd.cluster.extract_shard import ExtractReport
from codeagentd.cluster.file_listing import FileChoice, listed
from codeagentd.cluster.link_shard import LinkReport
from codeagentd.cluster.portions import facts_from, portions_of, records_of
from codeagentd.cluster.shard_tasks import perform, report_of
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.share.entries import unpacked, unsealed
from codeagentd.share.opening import open_store
from codeagentd.share.published import catalogue, fetched, nearest
from codeagentd.share.push import _commit
from tests.harness.world import Outcome, World

MODULES = 230
NOTES = "CLUSTERED_NOTES"  # variable: a folder for `noted`


def sources() -> dict[str, str]:
    """Python modules that use each other, headers whose namespaces a macro opens, equal files, and some that are not
    parsed.
    """
    files = {f"shop/part{number % 12}/item{number}.py": module(number) for number in range(MODULES)}
    files |= {f"shop/part{number}/__init__.py": "" for number in range(12)}
    files["native/config.h"] = "#define SHOP_BEGIN namespace shop { namespace v1 {\n#define SHOP_END }}\n"
    for number in range(6):
        files[f"native/shelf{number}.h"] = (
            f'#include "config.h"\nSHOP_BEGIN\nclass Shelf{number} {{ public: int lend(int book); }};\nSHOP_END\n'
        )
        files[f"native/shelf{number}.cc"] = (
            f'#include "shelf{number}.h"\nint shop::v1::Shelf{number}::lend(int book) {{ return book + {number}; }}\n'
        )
        files[f"web/view{number}.ts"] = (
            f"import {{ Base{max(0, number - 1)} }} from './view{max(0, number - 1)}'\n"
            f"export class Base{number} extends Base{max(0, number - 1)} {{ show(): Base{number} {{ return this.show() }} }}\n"
        )
    return files | {
        "data.bin": "\0\1\2",
        "web/min.js": "var a=1;" * 2_000,
        "README.md": "# Shop\n\nSee [parts](shop/part1/item1.py).\n",
    }


def module(number: int) -> str:
    """A module that imports two others."""
    near, far = (number + 1) % MODULES, (number * 7 + 3) % MODULES
    return (
        f"from shop.part{near % 12}.item{near} import Item{near}\n"
        f"from shop.part{far % 12} import item{far}\n\n\n"
        f"class Item{number}(Item{near} if {number} else object):\n"
        f"    def price(self, other: Item{near}) -> int:\n"
        f"        return other.price(other) + item{far}.total{far}(self)\n\n\n"
        f"def total{number}(thing):\n    found = Item{number}()\n    return found.price(thing)\n"
    )


def mapped(world: World, repo: Path, store: Path, *options: str, **variables: str) -> dict[str, Any]:
    """The report of `codeagentd map` with these options, which has to succeed."""
    done = ran(world, repo, store, *options, **variables)
    assert done.code == 0, done
    report: dict[str, Any] = json.loads(done.out)
    return report


def ran(world: World, repo: Path, store: Path, *options: str, **variables: str) -> Outcome:
    """The outcome of `codeagentd map` with these options."""
    return world.codeagentd(
        "map",
        "--repo",
        str(repo),
        "--store",
        store.as_uri(),
        "--json",
        *options,
        cwd=repo,
        patience_s=120.0,
        **variables,
    )


def facts_in(repo: Path, store: Path) -> dict[tuple[bytes, str, int], bytes]:
    """The facts that the store has for the files of a repository."""
    opened = open_store(store.as_uri())
    portions = portions_of(
        listed(repo, FileChoice(max_file_bytes=load(str(repo), {}).settings.limits.max_file_bytes)).files
    )
    result = {}
    for portion, record in zip(portions, records_of(opened, portions), strict=True):
        for entry in facts_from(opened, record.packs, {file.key for file in portion.files}) if record else ():
            result[entry[:3]] = entry[3]
    return result


def facts_pushed(store: Path, repo: Path, index: Path) -> dict[str, bytes]:
    """The facts that `share push` has put into the store for HEAD, unpacked, by the digest of the file they are of."""
    opened, keys = open_store(store.as_uri()), _commit(repo, index).facts
    published = nearest(opened, repo, [])
    assert published is not None
    places = catalogue(opened, published.manifest.packs)
    return {
        keys[id_].digest.hex(): unpacked(unsealed(keys[id_], entry)) for id_, entry in fetched(opened, places.items())
    }


def objects(store: Path) -> dict[str, bytes]:
    """Everything in the store."""
    return {path.relative_to(store).as_posix(): path.read_bytes() for path in store.rglob("*") if path.is_file()}


def index_of(world: World) -> Path:
    """The only index of a world."""
    (path,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db")
    return path


def facts_of(world: World) -> Path:
    """The only blobs.db of a world."""
    (path,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("repositories/*/blobs.db")
    return path


def single_index(repo: Path, place: Path) -> Path:
    """The index that one machine makes of a repository, in the folder `place`."""
    engine = IndexingEngine(repo, place, place, use_watcher=False)
    engine.start()
    try:
        assert engine.wait_caught_up(60.0)
        return engine.index_path
    finally:
        engine.close(10)


def noted(task: bytes) -> bytes:
    """Perform a task, and write down that it began and how much it did: in place of shard_tasks.perform.

    Where the notes name a victim, the process of that task, or of the first one after it, is killed, once.
    """
    notes = Path(os.environ[NOTES])
    name = hashlib.blake2b(task, digest_size=8).hexdigest()
    with (notes / "begun").open("a") as file:
        file.write(f"{name}\n")
    count = (notes / "begun").read_text().count("\n")
    for victim in notes.glob("kill-*"):
        if count >= int(victim.name.removeprefix("kill-")):
            with contextlib.suppress(FileNotFoundError):  # the other worker was as fast
                victim.rename(notes / f"killed-{name}")
                os.kill(os.getpid(), signal.SIGKILL)
    answer = perform(task)
    with (notes / "done").open("a") as file:
        file.write(f"{name} {work_of(report_of(answer))}\n")
    return answer


def work_of(report: ExtractReport | LinkReport) -> int:
    """The number of files that a task had to extract or to resolve."""
    return report.extracted if isinstance(report, ExtractReport) else report.files - report.known
