"""A repository that this build serves while a newer one comes: a copy of this one with another version and one migration more, as after an upgrade."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from codeagentd.store.migrations import schema_version
from tests.harness.waiting import eventually
from tests.harness.window import Window
from tests.harness.world import World

ROOT = Path(__file__).parents[2]
PACKAGES = ("daemon", "shim", "protocol")
VERSION = "99.0.0"
SCHEMA = schema_version("index") + 1
MIGRATION = "ALTER TABLE files ADD COLUMN novelty INTEGER NOT NULL DEFAULT 7;"
PATIENCE_S = 30.0


def build(place: Path, migration: str) -> str:
    """Make the newer build in a folder; '' is no migration. Returns the PYTHONPATH with which commands are its own."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, place / package, ignore=shutil.ignore_patterns("__pycache__"))
    stamp = place / "protocol/codeagent_protocol/version.py"
    stamp.write_text(re.sub(r'__version__ = "[^"]*"', f'__version__ = "{VERSION}"', stamp.read_text()))
    if migration:
        (place / f"daemon/codeagentd/store/schema/{SCHEMA:04}_index.sql").write_text(migration)
    return os.pathsep.join(str(place / package) for package in PACKAGES)


class Upgrade:
    """The repository, its daemon of this build, and what is started of the newer one."""

    def __init__(self, world: World, repo: Path, migration: str = MIGRATION) -> None:
        self.world = world
        self.repo = repo
        self.path = build(world.base / "newer", migration)  # PYTHONPATH of its commands

    def window(self) -> Window:
        """A window of the newer build, after its handshake."""
        window = self.world.window(self.repo, PYTHONPATH=self.path)
        window.initialize()
        return window

    def successor(self, point: str) -> subprocess.Popen[bytes]:
        """The newer daemon as a window starts it; it dies at a point."""
        argv = [sys.executable, "-P", "-m", "codeagentd.boot.daemon", "--repo", str(self.repo), "--succeed"]
        environment = self.world.environment | {"PYTHONPATH": self.path, "CODEAGENT_FAULT": point}
        with self.world.errors.open("ab") as errors:
            return subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)

    @property
    def index(self) -> Path:
        """Its index.db."""
        (found,) = Path(self.world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db")
        return found

    @property
    def beside(self) -> Path:
        """The folder in which the next one is made."""
        return self.index.parent / "next"

    @property
    def is_migrated(self) -> bool:
        """Whether the index has the newer schema, number and column."""
        connection = apsw.Connection(str(self.index), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(files)")}
            assert (connection.pragma("user_version") == SCHEMA) == ("novelty" in columns)
            return "novelty" in columns
        finally:
            connection.close()

    def status(self) -> dict[str, Any]:
        """What `codeagentd status` of this build says."""
        return self.world.status(self.repo)

    def wait_taken_over(self) -> None:
        """Until a newer daemon serves and is ready."""
        self.wait(lambda: (status := self.status())["state"] == "ready" and status["version"] == VERSION)

    def wait(self, is_so: Callable[[], object]) -> None:
        """Until something is so."""
        eventually(is_so, explain=lambda: (self.status(), self.world.errors.read_text()[-2_000:]))
