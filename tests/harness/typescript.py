"""The client of the official TypeScript SDK, on which opencode, gemini-cli, the MCP Inspector and many others are built."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

PACKAGE: Final = "@modelcontextprotocol/sdk@1"
FOLDER: Final = (
    Path(sys.prefix) / "typescript-sdk-1"
)  # of this environment, so that it is downloaded once and no other user can write it
FETCH_S: Final = 90

_SCRIPT: Final = Path(__file__).with_name("typescript_client.mjs")
_NPM: Final = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"]

Ask = Callable[[dict[str, Any]], dict[str, Any]]


def typescript_sdk() -> Path:
    """The folder that has the SDK, fetched where it is not there yet. Skips the test where that cannot be."""
    if FOLDER.is_dir():
        return FOLDER
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are not installed")
    with tempfile.TemporaryDirectory(dir=_writable(FOLDER.parent)) as place:
        Path(place, "package.json").write_text("{}")
        fetched = _fetched(place)
        if fetched:
            pytest.skip(f"{PACKAGE} cannot be fetched: {fetched}")
        with contextlib.suppress(OSError):  # another run of the tests was faster
            os.rename(place, FOLDER)
        Path(place).mkdir(exist_ok=True)  # which its context removes
    return FOLDER


@contextlib.contextmanager
def typescript_client(command: list[str], environment: Mapping[str, str]) -> Iterator[Ask]:
    """A connection to a server. What is yielded sends an order of typescript_client.mjs, and returns what became of it."""
    argv = ["node", str(_SCRIPT), str(typescript_sdk()), *command]
    with subprocess.Popen(
        argv, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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


def _fetched(place: str) -> str:
    """What went wrong; '' for nothing."""
    try:
        done = subprocess.run(
            [*_NPM, PACKAGE],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=FETCH_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it takes longer than {FETCH_S} seconds"
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["npm failed"])[0]


def _writable(folder: Path) -> Path:
    if not os.access(folder, os.W_OK):
        pytest.skip(f"{folder} cannot be written")
    return folder
