"""A model on loopback that asks for what a test wants asked, and keeps what it is answered."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

PROVIDER: Final = "scripted"
MODEL: Final = "model"


class ScriptedModel:
    """Calls one tool several times at once, and ends with a word when it has the results. Speaks OpenAI's chat completions.

    `calls` are the arguments of the calls by a name for each; `results` are what it read, by the same names; `offered`
    are the names of all tools that it could have called.
    """

    def __init__(self, tool: str, calls: Mapping[str, Mapping[str, Any]]) -> None:
        self.offered: set[str] = set()
        self.results: dict[str, str] = {}
        self.address = ""
        self._tool = tool
        self._calls = calls

    def says(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The message that answers a request."""
        offered = {tool["function"]["name"] for tool in asked.get("tools", ())}
        results = {
            message["tool_call_id"]: message["content"] for message in asked["messages"] if message["role"] == "tool"
        }
        self.offered |= offered
        self.results |= results
        if results or self._tool not in offered:  # a client may ask for a title too, and offers no tools then
            return {"role": "assistant", "content": "done"}
        return {
            "role": "assistant",
            "tool_calls": [
                {
                    "index": number, "id": name, "type": "function",
                    "function": {"name": self._tool, "arguments": json.dumps(arguments)},
                }
                for number, (name, arguments) in enumerate(self._calls.items())
            ],
        }  # fmt: skip

    @contextlib.contextmanager
    def listening(self) -> Iterator[ScriptedModel]:
        """Answer on a port of loopback; `address` is the base of its URLs."""
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                message = model.says(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                end = "tool_calls" if "tool_calls" in message else "stop"
                for chunk in _completion(message, None), _completion({}, end):
                    self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_: Any) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            self.address = f"http://127.0.0.1:{server.server_port}/v1"
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()


def _completion(delta: dict[str, Any], end: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": end}
    return {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [choice]}
