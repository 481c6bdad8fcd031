"""An editor: a real shim as a child process, spoken to in LSP's framing."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.harness.window import Answer, Json, NoAnswer, Window, WindowClosed

_HEADER = re.compile(rb"Content-Length: (\d+)\r\n\r\n")


def framed(message: Json) -> bytes:
    """A message behind its header."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def messages(output: bytes) -> list[Json]:
    """The messages in all that a server wrote."""
    found: list[Json] = []
    while output:
        header = _HEADER.match(output)
        assert header, output
        end = header.end() + int(header[1])
        found.append(json.loads(output[header.end() : end]))
        output = output[end:]
    return found


def folders(*paths: Path) -> Json:
    """Parameters of `initialize` that name these folders."""
    return {"workspaceFolders": [{"uri": path.as_uri(), "name": path.name} for path in paths]}


@dataclass
class Editor(Window):
    """A shim of LSP and the one editor that talks to it. `asked` are the server's requests, with null as their answer;
    `notified` its notifications.
    """

    asked: list[Json] = field(default_factory=list)
    notified: list[Json] = field(default_factory=list)
    unnumbered: list[Json] = field(default_factory=list)  # answers without an id

    def send(self, message: Json) -> None:
        """Write one message with its header."""
        self.write(framed(message))

    def write(self, content: bytes) -> None:
        """Write bytes as they are."""
        self._stdin.write(content)

    def notify(self, method: str, parameters: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters or {}})

    def begin_session(self, parameters: Json | None = None) -> Answer:
        """`initialize` and `initialized`; the answer of the former."""
        answer = self.request("initialize", {"processId": os.getpid(), "capabilities": {}, **(parameters or {})})
        self.notify("initialized")
        return answer

    def open(self, path: Path, text: str = "") -> None:
        """Open a document."""
        self.notify("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "version": 1, "text": text}})

    def change(self, path: Path, text: str, version: int = 2) -> None:
        """Change a document as a whole."""
        document = {"uri": path.as_uri(), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def about(self, method: str, path: Path) -> Answer:
        """A request about a document, and its answer."""
        return self.request(method, {"textDocument": {"uri": path.as_uri()}})

    def exit(self, patience_s: float = 5.0) -> int:
        """Send `exit`; the shim's exit code."""
        self.notify("exit")
        return self.process.wait(patience_s)

    def _line(self, deadline: float) -> bytes:
        while not ((header := _HEADER.match(self._buffer)) and len(self._buffer) >= header.end() + int(header[1])):
            left = deadline - time.monotonic()
            if left <= 0:
                raise NoAnswer(f"no answer from shim {self.pid}")
            if self._poll.poll(left * 1000):
                chunk = os.read(self._stdout.fileno(), 1 << 20)
                if not chunk:
                    raise WindowClosed(f"shim {self.pid} closed its stdout (exit code {self.process.poll()})")
                self._buffer += chunk
        end = header.end() + int(header[1])
        body = bytes(self._buffer[header.end() : end])
        del self._buffer[:end]
        return body

    def _sort(self, line: bytes) -> None:
        message = json.loads(line)
        if "method" not in message:
            if message.get("id") is None:
                self.unnumbered.append(message)
            else:
                super()._sort(line)
        elif "id" in message:
            self.asked.append(message)
            with contextlib.suppress(OSError):
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        else:
            self.notified.append(message)


def run(argv: Sequence[str], sent: bytes, **options: Any) -> tuple[int, list[Json]]:
    """The exit code of a shim that is written these bytes and then the end, and its messages."""
    done = subprocess.run(argv, input=sent, capture_output=True, timeout=20, check=False, **options)
    return done.returncode, messages(done.stdout)
