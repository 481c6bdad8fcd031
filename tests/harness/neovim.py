"""Neovim without a screen, with a home of its own."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.harness.five_languages import Place
from tests.harness.waiting import comes
from tests.harness.world import World

BINARY: Final = "TESTS_NEOVIM"  # the variable that names another program than the one on PATH
PATIENCE_S: Final = 30.0

_CLIENT: Final = Path(__file__).with_name("neovim_client.lua")
_numbers: Final = itertools.count()


def neovim_program(oldest: tuple[int, int], newest: tuple[int, int] = (99, 0)) -> str:
    """A Neovim of these versions. Skips the test where there is none."""
    programs = [os.environ.get(BINARY), shutil.which("nvim"), "/usr/bin/nvim"]
    for program in filter(None, programs):
        if shutil.which(program):
            told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            version = re.match(r"NVIM v(\d+)\.(\d+)", told)
            if version and oldest <= (int(version[1]), int(version[2])) <= newest:
                return program
    pytest.skip(f"there is no Neovim from {oldest} to {newest}: set {BINARY}")


def home_of(world: World) -> dict[str, str]:
    """Variables that have programs keep everything below a world."""
    home = world.base / "home"
    (home / ".config").mkdir(parents=True, exist_ok=True)
    names = {"CONFIG": ".config", "DATA": ".data", "STATE": ".state", "CACHE": ".cache"}
    return {"HOME": str(home)} | {f"XDG_{name}_HOME": str(home / folder) for name, folder in names.items()}


class Neovim:
    """A running Neovim; files are named by their paths in the repository `root`."""

    def __init__(self, program: str, socket: Path, root: Path, environment: dict[str, str]) -> None:
        self.root = root
        self._program = program
        self._socket = socket
        self._environment = environment

    def ask(self, name: str, *arguments: Any) -> Any:
        """Return what a function of neovim_client.lua returns. An error fails the test."""
        order = json.dumps({"name": name, "arguments": arguments}).replace("'", "''")
        answer = json.loads(self._evaluated(f"luaeval('Editor.obey(_A)', '{order}')"))
        assert "error" not in answer, (answer["error"], self._evaluated("execute('messages')"))
        return answer["result"]

    def at(self, place: Place) -> None:
        """Put the cursor at a place."""
        path, line, column = place
        self.ask("at", str(self.root / path), line, column)

    def place(self, found: list[Any]) -> Place:
        """A place that Neovim has told."""
        return str(Path(found[0]).relative_to(self.root)), found[1], found[2]

    @property
    def errors(self) -> list[str]:
        """The messages that look like errors."""
        told: str = self.ask("messages")
        return [
            line for line in told.splitlines() if re.search(r"error|E\d+:|exit|quit|fail|code", line, re.IGNORECASE)
        ]

    def _evaluated(self, expression: str) -> str:
        done = subprocess.run(
            [self._program, "--server", str(self._socket), "--remote-expr", expression],
            capture_output=True, text=True, timeout=PATIENCE_S, env=self._environment, check=True,
        )  # fmt: skip
        return done.stdout or done.stderr  # older ones write the result there


@contextlib.contextmanager
def neovim(world: World, program: str, root: Path, *flags: str) -> Iterator[Neovim]:
    """Start a Neovim in a repository, with the settings in the world's home."""
    socket = world.base / f"nvim{next(_numbers)}.sock"
    environment = world.environment | home_of(world)
    argv = [program, "--headless", "-i", "NONE", "-n", "--listen", str(socket), *flags, "-c", f"luafile {_CLIENT}"]
    with (world.base / "nvim.log").open("ab") as log:
        process = subprocess.Popen(
            argv, env=environment, cwd=root, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )  # fmt: skip
    try:
        assert comes(socket.exists)
        yield Neovim(program, socket, root, environment)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
