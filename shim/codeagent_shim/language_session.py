"""The life of an LSP session: `initialize` names the repository, `shutdown` and `exit` end it. All other lines are the
daemon's; they are not parsed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, Final

from codeagent_protocol.errors import CodedError
from codeagent_protocol.jsonrpc_errors import INVALID_REQUEST, NOT_INITIALIZED, answer, error_line, is_request, parsed
from codeagent_protocol.processes import WatchedProcess

from . import limits
from .folder_links import FolderLinks
from .upstream import READABLE, Sink, Upstream
from .workspace_folders import main_root

_ENDINGS: Final = (b'"shutdown"', b'"exit"')  # in the lines that end a session, and in few others
_PIDS: Final = 1 << 31  # no process has this id or a higher one


class LanguageSession(Upstream):
    """Takes the lines of an editor. `connect` makes the upstream that serves a repository, from its root and the sink
    for the client's messages. `named` is the root that the options name, or the error in them; "" when they name none.

    Where no repository can be found, each request is answered with what to do; a later `initialize` may still name one.
    `shutdown` is answered here: an editor can leave whatever the daemon is doing.
    """

    def __init__(self, connect: Callable[[str, Sink], Upstream], outbox: Sink, named: str | CodedError = "") -> None:
        self._connect = connect
        self._outbox = outbox
        self._named = named
        self._refusal = named if isinstance(named, CodedError) else None
        self._upstream = Upstream()
        if isinstance(named, str) and named:
            self._upstream = FolderLinks(connect, outbox, named, follows=False)
        self._client: WatchedProcess | None = None
        self._has_begun = False
        self._is_shut_down = False
        self._has_left = False
        self.exit_code = 0

    @property
    def is_over(self) -> bool:
        """Whether the client sent `exit`, or has ended."""
        return self._has_left

    @property
    def unanswered(self) -> int:
        """The number of lines that no daemon has answered or acknowledged."""
        return self._upstream.unanswered

    @property
    def has_room(self) -> bool:
        """Whether another line may be stored, or answered here."""
        is_answering = not self._has_begun or self._is_shut_down
        return self._outbox.has_room if is_answering else self._upstream.has_room

    def patience_until(self, eof_at: float) -> float:
        """Return the monotonic time until which to wait for answers, after the client closed its end at `eof_at`."""
        return self._upstream.patience_until(eof_at)

    def offer(self, line: bytes) -> Upstream:
        """Take one line of the client. Returns this upstream."""
        if self._has_begun and not self._is_shut_down and not any(ending in line for ending in _ENDINGS):
            self._upstream = self._upstream.offer(line)
            return self
        message = parsed(line)
        method = message.get("method") if isinstance(message, dict) else None
        if method == "exit" and not is_request(message):
            self._has_left = True
            self.exit_code = 0 if self._is_shut_down else 1
        elif method == "shutdown" and is_request(message):
            self._is_shut_down = True
            self._send(message["id"], result=None)
        elif self._is_shut_down:
            self._refuse(message, INVALID_REQUEST, "the session was shut down")
        elif self._has_begun:
            self._upstream = self._upstream.offer(line)
        elif method == "initialize" and is_request(message):
            self._begin(line, message)
        elif self._refusal and (response := answer(line, self._refusal)):
            self._outbox.put(response)
        elif not self._refusal:
            self._refuse(message, NOT_INITIALIZED, "the session has to begin with initialize")
        return self

    def watched(self) -> list[tuple[Any, int]]:
        """Return the descriptors to poll: the daemon's, and that of the editor's process."""
        watched = self._upstream.watched()
        return [*watched, (self._client.fd, READABLE)] if self._client and self._client.fd >= 0 else watched

    def on_ready(self, ready: dict[Any, int]) -> Upstream:
        """Handle the watched descriptors in `ready`. Returns this upstream."""
        self._upstream = self._upstream.on_ready(ready)
        if self._client and self._client.fd in ready:
            self._has_left = True
        return self

    def tick(self) -> Upstream:
        """Do what is due by the clock. Returns this upstream."""
        self._upstream = self._upstream.tick()
        if self._client and self._client.fd < 0 and self._client.has_ended():
            self._has_left = True
        return self

    def wait_s(self) -> float | None:
        """Return the seconds until `tick` has something to do; None when only events matter."""
        wait_s = self._upstream.wait_s()
        if self._client and self._client.fd < 0:
            return limits.PARENT_S if wait_s is None else min(wait_s, limits.PARENT_S)
        return wait_s

    def end_input(self) -> Upstream:
        """Handle the end of the client's input. Returns this upstream."""
        self._upstream = self._upstream.end_input()
        return self

    def leave(self) -> None:
        """Say good-bye to the daemon, and release all resources."""
        self._upstream.leave()

    def _begin(self, line: bytes, message: dict[str, Any]) -> None:
        """Begin the session with its `initialize`, if there is a repository."""
        params = message.get("params")
        try:
            links = self._repositories(params)
        except CodedError as error:
            self._refusal = error
            self._outbox.put(error_line(message["id"], error))
            return
        self._upstream = links
        self._has_begun = True
        self._watch(params)
        links.begin(line, message)

    def _repositories(self, params: Any) -> FolderLinks:
        """The links for what the options or `params` name. Errors: CodedError when there is no repository."""
        if isinstance(self._named, CodedError):
            raise self._named
        if isinstance(self._upstream, FolderLinks):
            return self._upstream
        return FolderLinks(self._connect, self._outbox, main_root(params), follows=True)

    def _watch(self, params: Any) -> None:
        """Watch the process that `params` names as the client, besides the parent. In a container it may be one of the
        host's, which cannot be seen from here: then it is not watched.
        """
        pid = params.get("processId") if isinstance(params, dict) else None
        if not isinstance(pid, int) or not 1 < pid < _PIDS or pid == os.getppid():
            return
        client = WatchedProcess(pid)
        if client.has_ended():
            client.close()
        else:
            self._client = client

    def _refuse(self, message: Any, number: int, text: str) -> None:
        if is_request(message):
            self._send(message["id"], error={"code": number, "message": text})

    def _send(self, request_id: str | float, **member: Any) -> None:
        self._outbox.put(json.dumps({"jsonrpc": "2.0", "id": request_id, **member}, separators=(",", ":")).encode())
