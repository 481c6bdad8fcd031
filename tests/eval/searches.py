"""What agents do without an index of ours: a grep for the name of the question, and the command line of another program."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.eval.known_answers import Search

GREP_S: Final = 60.0
PEER_INDEX_S: Final = 900.0
PEER_ANSWER_S: Final = 60.0


class PeerFailed(Exception):
    """The other program is not there, or could not index the repository."""


def grep(root: Path, search: Search, suffixes: Sequence[str]) -> str:
    """The lines that `grep -rn` prints, below the repository; "track(" is no whole word, "track" is."""
    kinds = [f"--include=*{suffix}" for suffix in suffixes]
    how = "-E" if search.regex else "-F"
    whole = not search.regex and not search.part and search.pattern[-1:].isalnum()
    words = ["-w"] if whole else ["-i"] if search.part else []
    command = [
        "grep",
        "-rnH",
        how,
        *words,
        *kinds,
        "--exclude-dir=.git",
        "--exclude-dir=node_modules",
        "-e",
        search.pattern,
        search.path,
    ]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, errors="replace", timeout=GREP_S, check=False
    )
    return "\n".join(sorted(line.removeprefix("./") for line in done.stdout.splitlines()))


def files(root: Path) -> frozenset[str]:
    """The paths of a repository that git knows."""
    command = ["git", "-C", str(root), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout
    return frozenset(listed.split("\0")) - {""}


def head(root: Path) -> str:
    """The commit of a checkout."""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Peer:
    """@colbymchenry/codegraph on a copy of a repository, which it writes into, with a home of its own and without telemetry."""

    def __init__(self, program: Path, root: Path) -> None:
        self._program = program.resolve()
        self._place = Path(tempfile.mkdtemp(prefix="peer"))
        self._copy = self._place / root.name
        shutil.copytree(root, self._copy, symlinks=True)
        try:
            done = self._run(["init", "-y", str(self._copy)], PEER_INDEX_S)
        except (OSError, subprocess.TimeoutExpired) as fault:
            self.close()
            raise PeerFailed(str(fault)) from fault
        if done.returncode:
            self.close()
            raise PeerFailed(done.stderr.strip()[-200:] or f"exit code {done.returncode}")

    def ask(self, words: Sequence[str]) -> str:
        """What it prints for one command; '' when it takes too long."""
        command, *rest = words
        try:
            return self._run([command, "-p", str(self._copy), *rest], PEER_ANSWER_S).stdout.strip()
        except subprocess.TimeoutExpired:
            return ""

    def close(self) -> None:
        """Remove the copy and the home."""
        shutil.rmtree(self._place, ignore_errors=True)

    def _run(self, words: Sequence[str], patience_s: float) -> subprocess.CompletedProcess[str]:
        home = self._place / "home"
        home.mkdir(exist_ok=True)
        own = {
            "HOME": str(home),
            "CODEGRAPH_TELEMETRY": "0",
            "DO_NOT_TRACK": "1",
            "CODEGRAPH_NO_DAEMON": "1",
            "NO_COLOR": "1",
        }
        command = [str(self._program), *words]
        return subprocess.run(
            command, env=os.environ | own, cwd=self._place, capture_output=True, text=True, errors="replace",
            stdin=subprocess.DEVNULL, timeout=patience_s, check=False,
        )  # fmt: skip
