"""An editor's window on a repository: a session of the language server over a real engine, in this process."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from codeagent_protocol import frames
from codeagent_protocol.messages import Hello
from codeagentd.base.paths import Jail
from codeagentd.lsp.uris import uri_of
from codeagentd.memory.memory_store import memory_store_at
from codeagentd.serve.lsp.lsp_session import LspSession
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import Calls
from codeagentd.toolkit.context import Context

from .served import served

ANSWER_S = 20.0
# the features of a client that has all of them
EVERYTHING: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "changeAnnotationSupport": {"groupsOnLabel": True},
        }
    },
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}


class EditorSession:
    """A window. Its methods block until the answer is there; `sent` is everything that came from the server."""

    def __init__(self, root: Path, calls: Calls) -> None:
        self.root = root
        self.lines: dict[int, Any] = {}  # by number: what was sent to the server
        self._calls = calls
        self.sent: list[tuple[int, int, int, bytes | None]] = []
        self._numbers = itertools.count(1)
        self._loop = asyncio.new_event_loop()
        self._arrived = asyncio.Event()
        hello = Hello(repo=str(root), language_server=True)

        async def begin() -> LspSession:
            return LspSession(b"S1", hello, 0.0, self._send, calls, ThreadPool(), root)

        self.session = self._loop.run_until_complete(begin())

    def _send(self, kind: int, flags: int, ack: int, payload: bytes | None) -> None:
        self.sent.append((kind, flags, ack, payload))
        self._arrived.set()

    def close(self) -> None:
        """End the session."""
        self.session.end()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    @contextlib.contextmanager
    def beside(self) -> Iterator[EditorSession]:
        """Another window on the same repository."""
        window = EditorSession(self.root, self._calls)
        try:
            yield window
        finally:
            window.close()

    def initialize(self, capabilities: Mapping[str, Any] = EVERYTHING, **params: Any) -> dict[str, Any]:
        """Begin, as a client with these capabilities; return the result of `initialize`."""
        result: dict[str, Any] = self.ask("initialize", capabilities=capabilities, **params)
        self.notify("initialized")
        return result

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request. An error fails the test."""
        answer = self.answer(method, **params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the whole response to a request."""
        return self.response(self.request(method, **params))

    def request(self, method: str, **params: Any) -> int:
        """Send a request, and return its number."""
        number = next(self._numbers)
        self.line(number, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def notify(self, method: str, **params: Any) -> int:
        """Send a notification, and return its number."""
        number = next(self._numbers)
        self.line(number, {"jsonrpc": "2.0", "method": method, "params": params})
        return number

    def line(self, number: int, message: Any, flags: int = 0) -> None:
        """Send a line with a number."""
        self.together({number: message}, flags)

    def together(self, messages: Mapping[int, Any], flags: int = 0) -> None:
        """Send lines by their numbers, before the server can answer any."""
        self.lines |= messages

        async def take() -> None:
            for number, message in messages.items():
                line = message if isinstance(message, bytes) else json.dumps(message).encode()
                self.session.take(number, flags, line)

        self._loop.run_until_complete(take())

    def response(self, number: int) -> dict[str, Any]:
        """Wait for the response to the request with this number."""

        async def wait() -> bytes:
            async with asyncio.timeout(ANSWER_S):
                while True:
                    for kind, _, ack, payload in self.sent:
                        if kind == frames.LINE and ack == number and payload:
                            return payload
                    self._arrived.clear()
                    await self._arrived.wait()

        answer: dict[str, Any] = json.loads(self._loop.run_until_complete(wait()))
        return answer

    # -- documents
    def uri(self, path: str) -> str:
        """The URI of a file of the repository."""
        return uri_of(self.root, path)

    def open(self, path: str, text: str | None = None, language: str = "") -> None:
        """Open a file, with another text than the one on disk if there is one."""
        content = (self.root / path).read_text() if text is None else text
        document = {"uri": self.uri(path), "languageId": language, "version": 1, "text": content}
        self.notify("textDocument/didOpen", textDocument=document)

    def change(self, path: str, version: int, *changes: Mapping[str, Any]) -> int:
        """Change an open document."""
        document = {"uri": self.uri(path), "version": version}
        return self.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def at(self, method: str, path: str, line: int, character: int, **params: Any) -> Any:
        """Return the result of a request about a position of a document, both from 0."""
        position = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", textDocument={"uri": self.uri(path)}, position=position, **params)

    def whole(self, method: str, path: str, **params: Any) -> Any:
        """Return the result of a request about a whole document."""
        return self.ask(f"textDocument/{method}", textDocument={"uri": self.uri(path)}, **params)

    def places(self, locations: list[dict[str, Any]] | None) -> list[str]:
        """Locations as `path:line:character`, from 0."""
        prefix = self.uri("") + "/"
        return [
            f"{at['uri'].removeprefix(prefix)}:{at['range']['start']['line']}:{at['range']['start']['character']}"
            for at in locations or []
        ]


@contextlib.contextmanager
def editor_session(
    place: Path, files: Mapping[str, str], *, begun: bool = True, watched: bool = True
) -> Iterator[EditorSession]:
    """A window on a repository with these files, after the handshake unless `begun` is False."""
    with served(place, files, watched=watched) as engine:
        memory = memory_store_at(place / "data", "shop")

        def context(session: bytes, seq: int, window: int) -> Context:
            return Context(
                engine.root, engine.readers, engine, Jail(engine.root), engine.ignored, session, seq, window, memory
            )

        window = EditorSession(engine.root, Calls(engine, context))
        try:
            if begun:
                window.initialize()
            yield window
        finally:
            window.close()
