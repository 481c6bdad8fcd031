"""The stub daemon as a child process: started, waited for, asked, ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import is_held
from codeagentd.boot.control_client import NotAnswering, NotRunning, ask
from tests.harness.waiting import eventually

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 20.0
PING_S = 1.0  # for one answer: the published address may be an earlier daemon's, at which no process answers
Json = dict[str, Any]


class StubDaemon:
    """One daemon process on a repository. `variables` go into its environment, `flags` onto its command line."""

    COMMAND = (sys.executable, "-m", "tests.unit.serve.engineless")
    CWD = ROOT

    def __init__(self, repo: Path, *flags: str, **variables: str) -> None:
        self.endpoint: Endpoint = endpoint_of(repo)
        argv = [*self.COMMAND, "--repo", str(repo), *flags]
        self.process = subprocess.Popen(
            argv, cwd=ROOT, env=os.environ | variables, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def wait_up(self) -> Self:
        """Wait until it answers."""
        eventually(self._is_up, explain=lambda: "the daemon does not come up")
        return self

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.process.stderr.read() if self.process.stderr else ""
        try:
            return bool(self.ask("ping", patience_s=PING_S)["pid"] == self.process.pid)
        except (NotRunning, NotAnswering):
            return False

    def ask(self, verb: str, arguments: Json | None = None, patience_s: float = PATIENCE_S) -> Json:
        """One question on the control socket, which has to succeed."""
        reply = ask(self.endpoint, verb, arguments, patience_s)
        assert reply.ok, reply
        answer: Json = json.loads(reply.payload)
        return answer

    def status(self) -> Json:
        """Its status."""
        return self.ask("status")

    def wait_status(self, **wanted: Any) -> Json:
        """Wait until status has these values."""

        def status() -> Json:
            fields = self.status()
            return fields if all(fields[name] == value for name, value in wanted.items()) else {}

        return eventually(status, explain=lambda: f"wanted {wanted}, status is {self.status()}")

    def seem_older(self) -> Self:
        """Have its lock say that it is of an older version."""
        Path(self.endpoint.life_lock).write_text(f"{self.process.pid} 0.0.1\n")
        return self

    def ended(self) -> int:
        """Wait for its end; the exit code."""
        return self.process.wait(PATIENCE_S)

    def log(self) -> list[Json]:
        """The events it logged."""
        return [json.loads(line) for line in self.endpoint.log.read_text().splitlines()]

    def close(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_free(endpoint: Endpoint) -> None:
    """Wait until no process holds the life lock."""
    eventually(lambda: not is_held(endpoint.life_lock), explain=lambda: "the life lock is still held")
