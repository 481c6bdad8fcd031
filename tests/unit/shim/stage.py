"""A stage for shims: directories of their own, a stub daemon instead of the real one, and its journal."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from tests.harness.editor import Editor
from tests.harness.processes import ended
from tests.harness.waiting import eventually
from tests.harness.window import Window
from tests.harness.world import isolated, short_temp

HERE = Path(__file__).parent
STUB = [sys.executable, str(HERE / "stub_daemon.py")]
PATIENCE_S = 20.0


class Stage:
    """Where one test's windows play. `stub` are words for the stub daemon: slow, silent, refuse, die-at-once."""

    def __init__(self, *stub: str, **limits: Any) -> None:
        self.base = Path(short_temp())
        self.repo = self.repository("repo")
        self.journal_file = self.base / "journal"
        self.environment = isolated(os.environ, str(self.base)) | {
            "STUB_JOURNAL": str(self.journal_file),
            "HOME": str(self.base / "home"),
            # for what the stub daemon takes from the harness
            "PYTHONPATH": os.pathsep.join(filter(None, (str(HERE.parents[2]), os.environ.get("PYTHONPATH")))),
        }
        self.setting = {"daemon": [*STUB, *stub], "limits": limits}
        self.errors = self.base / "stderr"
        self.windows: list[Window] = []

    def argv(self, *flags: str, **setting: bool) -> list[str]:
        """The command of a shim."""
        return [sys.executable, str(HERE / "run_shim.py"), json.dumps(self.setting | setting), *flags]

    def window(self, *flags: str, cwd: Path | None = None, **variables: str) -> Window:
        """A shim; without flags it serves the stage's repository."""
        window = Window(
            self.argv(*(flags or ("--repo", str(self.repo)))),
            self.environment | variables,
            cwd or self.repo,
            self.errors,
        )
        self.windows.append(window)
        return window

    def editor(self, *flags: str, cwd: Path | None = None, **variables: str) -> Editor:
        """A shim for an editor; the current directory is the stage's repository."""
        argv = self.argv(*flags, language_server=True)
        editor = Editor(argv, self.environment | variables, cwd or self.repo, self.errors)
        self.windows.append(editor)
        return editor

    def repository(self, name: str) -> Path:
        """Another repository."""
        path = self.base / name
        (path / ".git").mkdir(parents=True)
        (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        return path

    def connected(self) -> Window:
        """A shim after the handshake."""
        window = self.window()
        window.initialize()
        return window

    def journal(self, event: str = "") -> list[dict[str, Any]]:
        """What the daemons noted, oldest first, without the line that one is writing at this moment."""
        lines = self.journal_file.read_text().splitlines(keepends=True) if self.journal_file.exists() else []
        notes = [json.loads(line) for line in lines if line.endswith("\n")]
        return [note for note in notes if not event or note["event"] == event]

    def noted(self, is_there: Callable[[list[dict[str, Any]]], Any]) -> list[dict[str, Any]]:
        """Wait until the journal satisfies; returns it."""
        return eventually(lambda: notes if is_there(notes := self.journal()) else [], PATIENCE_S, explain=self.journal)

    def lines(self, pid: int) -> list[tuple[int, int, str]]:
        """(seq, flags, method) of the lines that one daemon was told."""
        return [(note["seq"], note["flags"], note["method"]) for note in self.journal("line") if note["pid"] == pid]

    def daemons(self) -> list[int]:
        """The pids of all daemons that ever took the life lock."""
        return [note["pid"] for note in self.journal("born")]

    def daemon_of(self, repository: Path) -> int:
        """The pid of the daemon that was greeted last for this repository."""
        return [note["pid"] for note in self.journal("hello") if note["hello"]["repo"] == str(repository)][-1]

    def kill_daemon(self, pid: int = 0) -> int:
        """kill -9 a daemon, else the one that was born last; its pid."""
        pid = pid or self.daemons()[-1]
        os.kill(pid, signal.SIGKILL)
        return pid

    def close(self) -> None:
        """End everything."""
        for window in self.windows:
            window.close()
        for pid in {note["pid"] for note in self.journal()}:
            end_stub(pid)
        shutil.rmtree(self.base, ignore_errors=True)


def end_stub(pid: int) -> None:
    """Kill a stub daemon, if this process is still one."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        if STUB[1] in process.cmdline():
            process.kill()
            ended(pid)
