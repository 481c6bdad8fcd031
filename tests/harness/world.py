"""A world of its own: directories, repositories, windows and daemons that no other test and no user sees."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from tests.harness import processes
from tests.harness.window import Window

if TYPE_CHECKING:
    from mcp.client.client import Client

BIN = Path(sys.executable).parent
SHORTEST_TEMP = "/tmp"
LONGEST_TEMP = 40  # a socket path may have 100 bytes

GIT_IDENTITY = {
    "GIT_AUTHOR_NAME": "tests", "GIT_AUTHOR_EMAIL": "tests@example.invalid", "GIT_COMMITTER_NAME": "tests", "GIT_COMMITTER_EMAIL": "tests@example.invalid",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


def short_temp() -> str:
    """A temporary directory with a short path: sockets go below it."""
    base = tempfile.gettempdir()
    return os.path.realpath(tempfile.mkdtemp(prefix="cad", dir=base if len(base) <= LONGEST_TEMP else SHORTEST_TEMP))


def directories(base: str) -> dict[str, str]:
    """The variables that move codeagentd's directories below `base`."""
    return {
        f"CODEAGENT_{name.upper()}_DIR": os.path.join(base, name) for name in ("cache", "data", "runtime", "config")
    }


@contextlib.contextmanager
def surrounded(base: str) -> Iterator[pytest.MonkeyPatch]:
    """This process with codeagentd's directories below `base`, and the one for sockets where its path is short."""
    sockets = short_temp()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (directories(base) | {"CODEAGENT_RUNTIME_DIR": sockets}).items():
            patch.setenv(name, value)
        yield patch
    shutil.rmtree(sockets, ignore_errors=True)


def isolated(environment: Mapping[str, str], base: str) -> dict[str, str]:
    """`environment` without any of the user's settings, with directories below `base` and a git identity. Nothing is fetched, no model looked for.
    Windows have the answers of the contract pages, which tests read as programs do.

    Processes may write bytecode: one of a changed build would otherwise be compiled by each process.
    """
    strange = ("CODEAGENT_", "GIT_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in environment.items() if not name.startswith(strange)}
    settings = {"CODEAGENT_EMBEDDING": "false", "CODEAGENT_BACKGROUND": "always", "CODEAGENT_ROWS": "full"}
    return kept | directories(base) | GIT_IDENTITY | settings


class World:
    """One temporary world. `close` ends every process that was started in it and removes it."""

    def __init__(self) -> None:
        self.base = Path(short_temp())
        self.environment = isolated(os.environ, str(self.base))
        self.errors = self.base / "stderr.log"
        self.windows: list[Window] = []

    # -- repositories

    def repository(self, name: str, files: Mapping[str, str], *, git: bool = True) -> Path:
        """A directory with these files, as a git repository with one commit."""
        root = self.base / name
        for path, text in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        if git:
            self.git(root, "init", "-q", "-b", "main")
            self.commit(root)
        return root

    def git(self, repo: Path, *arguments: str) -> str:
        """Run git in a repository; its output."""
        command = ["git", "-c", "gc.auto=0", "-c", "core.hooksPath=/dev/null", "-C", str(repo), *arguments]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
        ).stdout

    def commit(self, repo: Path, message: str = "change") -> None:
        """Commit everything that changed."""
        self.git(repo, "add", "-A", "-f")
        self.git(repo, "commit", "-q", "--allow-empty", "-m", message)

    # -- the two commands

    def codeagentd(
        self,
        *arguments: str,
        cwd: Path | None = None,
        patience_s: float = 120.0,
        program: str = str(BIN / "codeagentd"),
        **variables: str,
    ) -> Outcome:
        """Run `codeagentd …` to its end."""
        # files, not pipes: a daemon that kept a pipe of its starter open would keep us waiting for its own end
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            argv = [program, *arguments]
            environment = self.environment | variables
            done = subprocess.run(
                argv,
                env=environment,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                timeout=patience_s,
                check=False,
            )
            out.seek(0)
            err.seek(0)
            return Outcome(done.returncode, out.read(), err.read())

    def index(self, repo: Path) -> None:
        """`codeagentd index --wait`, which has to succeed."""
        done = self.codeagentd("index", "--repo", str(repo), "--wait", patience_s=600)
        assert done.code == 0, done

    def status(self, repo: Path) -> dict[str, Any]:
        """The fields of `codeagentd status --json`."""
        fields: dict[str, Any] = self.codeagentd("status", "--repo", str(repo), "--json").json
        return fields

    def window(self, repo: Path | str | None, *flags: str, cwd: Path | None = None, **variables: str) -> Window:
        """Start a shim; `repo` None leaves the root to the root policy."""
        argv = [str(BIN / "codeagent-mcp"), *(("--repo", str(repo)) if repo else ()), *flags]
        window = Window(argv, self.environment | variables, cwd, self.errors)
        self.windows.append(window)
        return window

    def connect(self, repo: Path, *flags: str) -> Window:
        """Start a shim and do the handshake."""
        window = self.window(repo, *flags)
        window.initialize()
        return window

    @contextlib.asynccontextmanager
    async def client(self, repo: Path, *flags: str, mode: str = "auto", **handlers: Any) -> AsyncIterator[Client]:
        """The official MCP client on a real shim."""
        async with official_client(
            str(BIN / "codeagent-mcp"), ["--repo", str(repo), *flags], self.environment, self.errors, mode, **handlers
        ) as client:
            yield client

    def converse(
        self, repo: Path, talk: Callable[[Client], Awaitable[None]], *flags: str, mode: str = "auto", **handlers: Any
    ) -> None:
        """Run a conversation of the official client with one window."""

        async def session() -> Exception | None:
            async with self.client(repo, *flags, mode=mode, **handlers) as client:
                try:
                    await talk(client)
                except Exception as fault:  # noqa: BLE001 - the client's task groups would wrap it beyond recognition
                    return fault
            return None

        if fault := asyncio.run(session()):
            raise fault

    # -- processes

    def processes(self) -> set[int]:
        """Every process of this world."""
        return processes.Roster(self.environment["CODEAGENT_RUNTIME_DIR"]).present()

    def daemon(self, repo: Path) -> int:
        """The pid of a repository's daemon, as status tells it."""
        return int(self.status(repo)["pid"])

    def close(self) -> None:
        """End everything and remove the directories."""
        for window in self.windows:
            window.close()
        while left := self.processes():  # one that was being started when we looked is seen the next time
            processes.end(left)
        shutil.rmtree(self.base, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.asynccontextmanager
async def official_client(
    command: str,
    arguments: list[str],
    environment: Mapping[str, str],
    errors: Path,
    mode: str = "auto",
    **handlers: Any,
) -> AsyncIterator[Client]:
    """A session of the official MCP client with a shim of its own. `handlers` are what it does with messages that it did not ask for."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(command=command, args=arguments, env=dict(environment))
    with errors.open("a") as errlog:
        async with Client(stdio_client(parameters, errlog=errlog), mode=mode, **handlers) as client:
            yield client
