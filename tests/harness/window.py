"""An editor window: a real shim as a child process, spoken to in raw newline-delimited JSON-RPC."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE_S = 30.0
INDEX_META = "codeagent/index"
Json = dict[str, Any]


class WindowClosed(Exception):
    """The shim closed its stdout."""


class NoAnswer(Exception):
    """No answer within the time allowed."""


@dataclass(frozen=True)
class Answer:
    """One JSON-RPC response and how long it took."""

    message: Json
    seconds: float

    @property
    def result(self) -> Json:
        """The result ({} for a protocol error)."""
        return self.message.get("result") or {}

    @property
    def data(self) -> Json:
        """The structured content of a tool's answer."""
        return self.result.get("structuredContent") or {}

    @property
    def items(self) -> list[Json]:
        """The `results` of a tool that lists."""
        return self.data.get("results") or []

    @property
    def watermark(self) -> Json:
        """How fresh the answer is."""
        return (self.result.get("_meta") or {}).get(INDEX_META) or {}

    @property
    def failed(self) -> bool:
        """A protocol error or a tool's error."""
        return "error" in self.message or bool(self.result.get("isError"))

    @property
    def error_code(self) -> str:
        """The code of a tool's error ('' for none)."""
        return str((self.data.get("error") or {}).get("code", ""))


@dataclass
class Window:
    """A shim and the one client that talks to it. Not for several threads."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    cwd: Path | None
    errors: Path
    answers: Counter[int] = field(default_factory=Counter)
    noise: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        with self.errors.open("ab") as stderr:
            self.process = subprocess.Popen(
                self.argv,
                env=dict(self.environment),
                cwd=self.cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
            )
        assert self.process.stdin
        assert self.process.stdout
        self._stdin, self._stdout = self.process.stdin, self.process.stdout
        self._poll = select.poll()
        self._poll.register(self._stdout.fileno(), select.POLLIN | select.POLLHUP)
        self._buffer = bytearray()
        self._last = 0
        self._early: dict[int, Answer] = {}
        self._sent: dict[int, float] = {}

    @property
    def pid(self) -> int:
        """The shim's process id."""
        return self.process.pid

    def send(self, message: Json) -> None:
        """Write one message as a line."""
        self._stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def begin(self, method: str, parameters: Json | None = None) -> int:
        """Send a request and return its id without waiting."""
        self._last += 1
        self._sent[self._last] = time.perf_counter()
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters or {}})
        return self._last

    def finish(self, wanted: int, patience_s: float = PATIENCE_S) -> Answer:
        """Wait for the answer to one request; answers to others are kept for their own turn."""
        deadline = time.monotonic() + patience_s
        while wanted not in self._early:
            self._sort(self._line(deadline))
        return self._early.pop(wanted)

    def request(self, method: str, parameters: Json | None = None, patience_s: float = PATIENCE_S) -> Answer:
        """One request and its answer."""
        return self.finish(self.begin(method, parameters), patience_s)

    def initialize(self, patience_s: float = 60.0) -> Answer:
        """The handshake of the 2025 era."""
        client = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "harness", "version": "1"},
        }
        answer = self.request("initialize", client, patience_s)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})
        return answer

    def call(self, tool: str, arguments: Json | None = None, patience_s: float = PATIENCE_S) -> Answer:
        """One tool call; its answer may be an error."""
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}}, patience_s)

    def must(self, tool: str, arguments: Json | None = None, patience_s: float = PATIENCE_S) -> Answer:
        """One tool call that has to succeed."""
        answer = self.call(tool, arguments, patience_s)
        if answer.failed:
            raise AssertionError(f"{tool}({arguments}) failed: {json.dumps(answer.message)[:400]}")
        return answer

    def finds(self, name: str) -> bool:
        """Whether a symbol search for a name has it, now."""
        return name in [item["name"] for item in self.call("search_symbols", {"query": name}).items]

    def drain(self, seconds: float) -> None:
        """Read what else arrives, so that surplus answers are counted."""
        deadline = time.monotonic() + seconds
        with contextlib.suppress(NoAnswer, WindowClosed):
            while True:
                self._sort(self._line(deadline))

    def close(self, patience_s: float = 5.0) -> int:
        """Close the pipes as a leaving client does; the shim's exit code (-9 when it had to be killed)."""
        for stream in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                stream.close()
        try:
            return self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(patience_s)

    def _line(self, deadline: float) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            left = deadline - time.monotonic()
            if left <= 0:
                raise NoAnswer(f"no answer from shim {self.pid}")
            if self._poll.poll(left * 1000):
                chunk = os.read(self._stdout.fileno(), 1 << 20)
                if not chunk:
                    raise WindowClosed(f"shim {self.pid} closed its stdout (exit code {self.process.poll()})")
                self._buffer += chunk
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def _sort(self, line: bytes) -> None:
        arrived = time.perf_counter()
        try:
            message = json.loads(line)
        except ValueError:
            self.noise.append(line)
            return
        if "method" in message:
            if "id" in message:
                self.send(
                    {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "not supported"}}
                )
            return
        number = message.get("id")
        if not isinstance(number, int) or number not in self._sent:
            self.noise.append(line)
            return
        self.answers[number] += 1
        self._early[number] = Answer(message, arrived - self._sent[number])

    @property
    def surplus(self) -> int:
        """Responses beyond one per request, and lines that answer nothing."""
        return sum(count - 1 for count in self.answers.values()) + len(self.noise)
