"""Clients in node: scripts that do what lines on their stdin say, and print a line for each."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

Ask = Callable[[dict[str, Any]], dict[str, Any]]


@contextlib.contextmanager
def node_client(
    script: Path, packages: Path, command: list[str], environment: Mapping[str, str], cwd: Path | None = None
) -> Iterator[Ask]:
    """Run a script with the folder of its packages and the command of a server. What is yielded sends an order, and
    returns what became of it.
    """
    argv = ["node", str(script), str(packages), *command]
    with subprocess.Popen(
        argv, env=dict(environment), cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as client:
        assert client.stdin
        assert client.stdout
        stdin, stdout = client.stdin, client.stdout

        def ask(order: dict[str, Any]) -> dict[str, Any]:
            stdin.write(json.dumps(order) + "\n")
            stdin.flush()
            answer: dict[str, Any] = json.loads(stdout.readline())
            return answer

        try:
            yield ask
        finally:
            stdin.close()
            client.wait(20)
