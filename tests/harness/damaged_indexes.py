"""Situations of indexes and memories: held, full, damaged, of another version, or with something left out."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import apsw

from tests.harness.disks import fill, small_disk
from tests.harness.staging import DEGRADED, FILES, Situations, database, indexed, stop
from tests.harness.world import World

SITUATIONS = Situations()
ROOM = "room on its disk"
RUBBISH = b"no database " * 4_096
KEY = "fig" + "d_FMzekVIV5GPy15VfiwfqGP6gGTahvKXifwkWbqzW"  # nothing but an issuer's rule knows it


def execute(path: Path, statement: str) -> None:
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.execute(statement)


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Another process' transaction, which keeps the daemon from writing."""
    with contextlib.closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def changed(repo: Path) -> None:
    (repo / "pkg/late.py").write_text("def came_late():\n    return 1\n")


@SITUATIONS.add(
    "a change is not indexed yet",
    "indexing",
    comes_s=4.0,
    fields={"caught_up": "false", "pending_files": "[1-9]"},
    shown="behind: 1 file pending",
)
def pending(world: World) -> Iterator[Path]:
    repo = indexed(world)
    with held(database(world)):
        changed(repo)
        yield repo


@SITUATIONS.add(
    "somebody holds the index for long",
    "degraded",
    DEGRADED,
    reason="cannot be written",
    remedy="goes on by itself",
    comes_s=20.0,
    is_long=True,
)
def held_for_long(world: World) -> Iterator[Path]:
    repo = indexed(world)
    with held(database(world)):
        changed(repo)
        yield repo


@SITUATIONS.add(
    "the index was damaged",
    "ready",
    reason="was corrupt; it was set aside",
    fields={"caught_up": "true", "indexed_files": "^2$"},
    is_long=True,
)
def damaged(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    database(world).write_bytes(RUBBISH)
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "the index was written by a newer version",
    "ready",
    reason="newer version, which goes on with it; here is index.v",
    fields={"caught_up": "true"},
)
def of_newer_schema(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    execute(database(world), "PRAGMA user_version=999")
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "the first index was not finished",
    "ready",
    reason="was not finished; it was set aside",
    fields={"caught_up": "true"},
    is_long=True,
)
def unfinished(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    execute(database(world), "INSERT OR REPLACE INTO meta(key, value) VALUES ('bulk', 1)")
    world.index(repo)
    yield repo


@SITUATIONS.add("the cache was removed", "ready", fields={"caught_up": "true", "indexed_files": "^2$"}, is_long=True)
def removed_cache(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    shutil.rmtree(world.environment["CODEAGENT_CACHE_DIR"])
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "a folder is in the place of the index",
    "degraded",
    DEGRADED,
    reason="cannot be opened",
    remedy="you can write",
    comes_s=20.0,
    is_long=True,
)
def folder_in_the_way(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    path = database(world)
    path.unlink()
    path.mkdir()
    (path / "mine").write_text("mine")
    world.codeagentd("start", "--repo", str(repo))
    yield repo


@SITUATIONS.add(
    "the disk is full", "degraded", DEGRADED, reason="cannot be written", remedy=ROOM, comes_s=20.0, is_long=True
)
def full_disk(world: World) -> Iterator[Path]:
    with small_disk(world) as disk:
        repo = indexed(world)
        fill(disk)
        for number in range(200):
            (repo / f"pkg/late{number}.py").write_text(
                f"def late{number}(value):\n    return '{number * 7919}' * 50\n" * 30
            )
        yield repo
        stop(world, repo)


@SITUATIONS.add(
    "the disk may only be read",
    "degraded",
    DEGRADED,
    reason="cannot be (opened|written)",
    remedy=ROOM,
    comes_s=20.0,
    is_long=True,
)
def read_only(world: World) -> Iterator[Path]:
    with small_disk(world) as disk:
        repo = indexed(world)
        stop(world, repo)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        world.codeagentd("start", "--repo", str(repo))
        yield repo
        stop(world, repo)


@SITUATIONS.add(
    "the index is as large as it may be",
    "degraded",
    DEGRADED,
    reason="larger than limits.max_index_bytes",
    remedy=".codeagentignore",
    comes_s=30.0,
    is_long=True,
)
def too_large(world: World) -> Iterator[Path]:
    files = {
        f"pkg/mod{number}.py": "".join(f"def step{number}x{part}(value):\n    return value\n" for part in range(20))
        for number in range(150)
    }
    repo = world.repository("large", files)
    world.environment["CODEAGENT_MAX_INDEX_BYTES"] = "1000000"
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "files were left out",
    "ready",
    fields={"skipped": '"binary": 1.*"secret": 1|"secret": 1.*"binary": 1'},
    shown="2 skipped .*1 secret",
    is_long=True,
)
def left_out(world: World) -> Iterator[Path]:
    repo = world.repository("shop", FILES | {".env": "TOKEN=x\n", "picture.bin": "\0" * 100})
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "a file cannot be indexed",
    "ready",
    fields={"failed_files": "pkg/shop.py"},
    shown="not read +pkg/shop.py",
    comes_s=10.0,
    is_long=True,
)
def failed_file(world: World) -> Iterator[Path]:
    yield indexed(world, CODEAGENT_EXTRACT_DEADLINE_S="0.0001")


@SITUATIONS.add(
    "texts are withheld because nobody can search them for keys",
    "ready",
    fields={"withheld_files": "^1$", "failed_files": r"\[\]"},
    shown="withheld +text of 1 file: .*codeagentd logs",
    comes_s=20.0,
)
def withheld(world: World) -> Iterator[Path]:
    cache = Path(world.environment["CODEAGENT_CACHE_DIR"])
    cache.mkdir(parents=True)
    (cache / "detectors").write_text("in the place of the folder for compiled rules")
    repo = world.repository("shop", FILES | {"pkg/key.py": f"ISSUED = '{KEY}'\n"})
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "memories are damaged",
    "degraded",
    DEGRADED,
    reason="memory.db is damaged",
    remedy="codeagentd memory restore",
    comes_s=20.0,
)
def damaged_memories(world: World) -> Iterator[Path]:
    memories(world).write_bytes(RUBBISH)
    yield indexed(world)


@SITUATIONS.add(
    "memories are of a newer version",
    "degraded",
    DEGRADED,
    reason="memory.db was written by a newer",
    remedy="install that version",
    comes_s=20.0,
    is_long=True,
)
def newer_memories(world: World) -> Iterator[Path]:
    execute(memories(world), "CREATE TABLE future(x); PRAGMA user_version=999")
    yield indexed(world)


def memories(world: World) -> Path:
    place = Path(world.environment["CODEAGENT_DATA_DIR"])
    place.mkdir(parents=True)
    return place / "memory.db"
