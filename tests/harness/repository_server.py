"""A real `codeagentd serve` process over a folder of repositories, and the official client of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Self

from tests.harness.site import Site
from tests.harness.waiting import eventually, let_pass_beside
from tests.harness.world import BIN, World

PATIENCE_S = 60
STARTED = "/r/NAME/mcp"
CODEAGENTD = (str(BIN / "codeagentd"),)


class RepositoryServer:
    """The server of `folder`; its errors and access log go to a file of the world. `program`: the words that run
    `codeagentd`, where it is not this one.
    """

    def __init__(
        self, world: World, folder: Path, *options: str, program: Sequence[str] = CODEAGENTD, **variables: str
    ) -> None:
        self.world = world
        self.folder = folder
        self.errors = world.base / "server.log"
        self.errors.write_text("")
        argv = [*program, "serve", str(folder), "--http", "127.0.0.1:0", *options]
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                argv, env=world.environment | variables, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )
        self.url = eventually(self._url, PATIENCE_S, explain=self.errors.read_text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        assert self.process.wait(PATIENCE_S) == 0, self.errors.read_text()[-2_000:]

    def _url(self) -> str:
        lines = self.errors.read_text().splitlines()
        return next((line.rpartition(" ")[2].removesuffix(STARTED) for line in lines if line.endswith(STARTED)), "")

    def site(self, key: str = "") -> Site:
        """The server for plain requests."""
        return Site(f"{self.url}/mcp", **({"X-API-Key": key} if key else {}))

    def log(self, event: str) -> list[dict[str, Any]]:
        """The records of the log with this event."""
        lines = [line for line in self.errors.read_text().splitlines() if line.startswith("{")]
        return [record for record in map(json.loads, lines) if record["event"] == event]

    @contextlib.asynccontextmanager
    async def client(self, target: str, key: str = "", mode: str = "legacy") -> AsyncIterator[Any]:
        """The official client of NAME or NAME@REVISION."""
        import httpx2
        from mcp.client.client import Client
        from mcp.client.streamable_http import streamable_http_client

        headers = {"X-API-Key": key} if key else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http,
            Client(streamable_http_client(f"{self.url}/r/{target}/mcp", http_client=http), mode=mode) as client,
        ):
            yield client

    def talk(self, target: str, talk: Callable[[Any], Awaitable[Any]], key: str = "", mode: str = "legacy") -> Any:
        """The result of a conversation of the official client."""

        async def session() -> Any:
            async with self.client(target, key, mode) as client:
                return await talk(client)

        return asyncio.run(session())

    def call(self, target: str, tool: str, key: str = "", mode: str = "legacy", **arguments: Any) -> Any:
        """The answer to one call, in a session of its own; it is asked again while the commit is being indexed."""

        async def ask(client: Any) -> Any:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    answer = await client.call_tool(tool, arguments)
                    error = (answer.structured_content or {}).get("error", {})
                    if not (answer.is_error and error.get("progress")):
                        return answer
                    await let_pass_beside(error["retry_after"], "the server says when to ask again")

        return self.talk(target, ask, key, mode)


def bare(world: World, repo: Path, place: Path) -> Path:
    """A bare clone of `repo` at `place`."""
    place.parent.mkdir(parents=True, exist_ok=True)
    world.git(repo, "clone", "-q", "--bare", str(repo), str(place))
    return place
