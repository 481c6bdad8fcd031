"""An editor's window: a real language server shim as a child process, spoken to in raw JSON-RPC with Content-Length."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from codeagentd.lsp.uris import uri_of
from tests.harness.window import PATIENCE_S, Answer, Json, NoAnswer, Window, WindowClosed
from tests.harness.world import BIN, World

HEADER_END = b"\r\n\r\n"


class LanguageWindow(Window):
    """A shim and the one editor that talks to it. Not for several threads."""

    root: Path
    notified: list[Json]

    def send(self, message: Json) -> None:
        """Write one message with its header."""
        body = json.dumps(message, separators=(",", ":")).encode()
        self._stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, parameters: Json) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def hello(self, patience_s: float = 60.0, **parameters: Any) -> Answer:
        """The handshake of the protocol."""
        client = {"processId": os.getpid(), "capabilities": {}, "clientInfo": {"name": "harness", "version": "1"}}
        answer = self.request("initialize", client | parameters, patience_s)
        self.notify("initialized", {})
        return answer

    def document(self, path: str) -> Json:
        """A file of the repository as a TextDocumentIdentifier."""
        return {"uri": uri_of(self.root, path)}

    def open(self, path: str, text: str | None = None, language: str = "") -> None:
        """Open a file, with another text than the one on disk if there is one."""
        content = (self.root / path).read_text() if text is None else text
        opened = {**self.document(path), "languageId": language, "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": opened})

    def change(self, path: str, version: int, *changes: Json) -> None:
        """Change an open document."""
        named = {**self.document(path), "version": version}
        self.notify("textDocument/didChange", {"textDocument": named, "contentChanges": list(changes)})

    def at(
        self, method: str, path: str, line: int, character: int, patience_s: float = PATIENCE_S, **more: Any
    ) -> Answer:
        """One request about a position, both from 0, and its answer."""
        position = {"line": line, "character": character}
        return self.request(
            f"textDocument/{method}", {"textDocument": self.document(path), "position": position, **more}, patience_s
        )

    def places(self, answer: Answer) -> list[str]:
        """The locations of an answer as `path:line:character`, from 0."""
        found = answer.message.get("result") or []
        prefix = uri_of(self.root, "") + "/"
        return [
            f"{at['uri'].removeprefix(prefix)}:{at['range']['start']['line']}:{at['range']['start']['character']}"
            for at in (found if isinstance(found, list) else [found])
        ]

    def leave(self, patience_s: float = 10.0) -> int:
        """Shut down and exit as the protocol wants it; the shim's exit code."""
        self.request("shutdown")
        self.notify("exit", {})
        return self.process.wait(patience_s)

    def _line(self, deadline: float) -> bytes:
        while True:
            head, end, rest = bytes(self._buffer).partition(HEADER_END)
            if end:
                length = next(
                    int(field.partition(b":")[2])
                    for field in head.split(b"\r\n")
                    if field.lower().startswith(b"content-length")
                )
                if len(rest) >= length:
                    del self._buffer[: len(head) + len(end) + length]
                    return rest[:length]
            left = deadline - time.monotonic()
            if left <= 0:
                raise NoAnswer(f"no answer from shim {self.pid}")
            if self._poll.poll(left * 1000):
                chunk = os.read(self._stdout.fileno(), 1 << 20)
                if not chunk:
                    raise WindowClosed(f"shim {self.pid} closed its stdout (exit code {self.process.poll()})")
                self._buffer += chunk


def language_window(
    world: World, repo: Path, *flags: str, cwd: Path | None = None, named: bool = True
) -> LanguageWindow:
    """Start a language server shim in a world; with `named` the repository is an argument, else it is found."""
    argv = [str(BIN / "codeagent-lsp"), *(("--repo", str(repo)) if named else ()), *flags]
    window = LanguageWindow(argv, world.environment, cwd, world.errors)
    window.root = repo
    world.windows.append(window)
    return window


def editor_window(world: World, repo: Path, **parameters: Any) -> LanguageWindow:
    """Start a language server shim and do the handshake."""
    window = language_window(world, repo)
    window.hello(**parameters)
    return window
