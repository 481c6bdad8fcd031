"""The public source trees that are measured: fetched once as sdists from the package index, kept outside the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from codeagent_protocol import dirs
from tests.harness.world import World

SDISTS = {"django": "django==5.2", "home-assistant": "homeassistant==2024.3.3"}
INDEXED_SUFFIXES = (".py", ".pyi", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".cs")


class CorpusMissing(Exception):
    """A source tree cannot be had here."""


def tree(name: str) -> Path:
    """The unpacked sources of one corpus; `BENCH_<NAME>` names a directory to use instead.

    Errors: CorpusMissing when the package index cannot be reached.
    """
    if given := os.environ.get(f"BENCH_{name.upper().replace('-', '_')}"):
        return Path(given)
    shelf = dirs.cache_dir() / "bench"
    target = shelf / name
    if not target.is_dir():
        shelf.mkdir(parents=True, exist_ok=True)
        _unpack(_download(SDISTS[name], shelf), target)
    return target


def _download(requirement: str, shelf: Path) -> Path:
    project = requirement.partition("==")[0]
    with tempfile.TemporaryDirectory(dir=shelf) as scratch:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            project,
            "--dest",
            scratch,
            requirement,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        archives = list(Path(scratch).glob("*.tar.gz"))
        if not archives:
            raise CorpusMissing(f"{requirement} cannot be downloaded: {done.stderr.strip()[-300:]}")
        return Path(shutil.move(archives[0], shelf / archives[0].name))


def _unpack(archive: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        with tarfile.open(archive) as packed:
            packed.extractall(scratch, filter="data")
        os.replace(next(Path(scratch).iterdir()), target)
    archive.unlink()


def source_bytes(root: Path) -> int:
    """Bytes of the files in indexed languages."""
    return sum(
        os.path.getsize(os.path.join(folder, name))
        for folder, _, names in os.walk(root)
        for name in names
        if name.endswith(INDEXED_SUFFIXES)
    )


def repository(world: World, name: str) -> Path:
    """A private copy of a corpus as a git repository inside a world."""
    root = world.base / name
    shutil.copytree(tree(name), root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    world.git(root, "init", "-q", "-b", "main")
    world.commit(root, "corpus")
    return root
