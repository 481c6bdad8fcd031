"""HTTP as a test wants it: any header, any body, streams read line by line; and a daemon's address."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

PATIENCE_S = 20
Json = dict[str, Any]


class Reply:
    """A response that has been read."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Site:
    """One daemon's HTTP. `headers` go with every request; a header that is None is left out."""

    def __init__(self, url: str, **headers: str) -> None:
        self.host, _, port = url.removeprefix("http://").removesuffix("/mcp").rpartition(":")
        self.port = int(port)
        self.headers = headers
        self.path = "/mcp"  # where it answers MCP

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Reply:
        """One request on a connection of its own."""
        connection = self._send(method, path, body, headers)
        try:
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def post(self, message: object, **headers: str | None) -> Reply:
        """A JSON body to /mcp, with every tool."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.ask("POST", f"{self.path}?toolsets=all", body, **({"Content-Type": "application/json"} | headers))

    def request(self, method: str, params: Json | None = None, **headers: str | None) -> Reply:
        """A JSON-RPC request to /mcp."""
        return self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}, **headers)

    def initialize(self, **headers: str | None) -> str:
        """A new session's id."""
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        reply = self.request("initialize", params, **headers)
        assert reply.status == 200, reply.body
        return reply.headers["mcp-session-id"]

    def listen(self, session: str) -> tuple[http.client.HTTPConnection, Iterator[Json]]:
        """A session's stream: its connection, and its messages as they come."""
        connection = self._send("GET", self.path, None, {"Mcp-Session-Id": session, "Accept": "text/event-stream"})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        response.readline()  # a sign of life: the stream is there
        return connection, _messages(response)

    def probe(self, session: str) -> int:
        """The status of a session's stream, which is closed at once."""
        connection = self._send("GET", self.path, None, {"Mcp-Session-Id": session, "Accept": "text/event-stream"})
        try:
            return connection.getresponse().status
        finally:
            connection.close()

    def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str | None]
    ) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=PATIENCE_S)
        given = {name.replace("_", "-"): value for name, value in (self.headers | headers).items() if value is not None}
        connection.putrequest(method, path, skip_host="Host" in given)
        for name, value in given.items():
            connection.putheader(name, value)
        if body is not None and "Content-Length" not in given and "Transfer-Encoding" not in given:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        return connection


def _messages(response: http.client.HTTPResponse) -> Iterator[Json]:
    while line := response.readline():
        if line.startswith(b"data: "):
            yield json.loads(line.removeprefix(b"data: "))


def url_of(events: list[Json]) -> str:
    """Where a daemon says that it listens, by its log; '' before it does."""
    return next((str(event["url"]) for event in reversed(events) if event["event"] == "HTTP listens"), "")
