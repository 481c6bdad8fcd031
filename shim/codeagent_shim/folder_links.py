"""The repositories of one editor window, each with a link to its own daemon. Only a window with several of them has its
messages parsed here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.jsonrpc_errors import is_request, parsed

from . import limits
from .joined_answers import JoinedAnswers
from .link import Link
from .message_subjects import DID_CLOSE, changed_document, is_within, line_of, marked, subject_of, unmarked
from .upstream import Sink, Upstream
from .workspace_folders import folder_roots

FOLDERS_CHANGED: Final = "workspace/didChangeWorkspaceFolders"
SYMBOLS: Final = "workspace/symbol"  # the request that all daemons answer
PROGRESS_CANCELLED: Final = "window/workDoneProgress/cancel"
PROGRESS_BEGINS: Final = "window/workDoneProgress/create"
PROGRESS: Final = "$/progress"
REGISTRATIONS: Final = ("client/registerCapability", "client/unregisterCapability")
INITIALIZED: Final = b'{"jsonrpc":"2.0","method":"initialized","params":{}}'
_FOLDERS_CHANGED: Final = b'didChangeWorkspaceFolders"'  # in its line, also where the slash is escaped


class FolderLink:
    """The link to the daemon of one repository, and the sink for that daemon's messages. The main one has the number 0:
    its ids and tokens are its own, while those of others are marked.
    """

    def __init__(self, number: int, root: str, outbox: Sink, joined: JoinedAnswers) -> None:
        self.number = number
        self.root = root
        self.upstream = Upstream()
        self._outbox = outbox
        self._joined = joined
        self._tokens: set[str | int] = set()  # of the progress that the daemon reports

    @property
    def has_room(self) -> bool:
        """Whether more messages may be added."""
        return self._outbox.has_room

    def put(self, message: bytes) -> None:
        """Write a message of the daemon to the client, or join it with those of other daemons."""
        if self._joined.is_waiting or (self.number and b'"method"' in message):
            content = parsed(message)
            if isinstance(content, dict):
                self._put_parsed(message, content)
                return
        self._outbox.put(message)

    def offer(self, line: bytes) -> None:
        """Send a line of the client to the daemon."""
        self.upstream = self.upstream.offer(line)

    def close(self) -> None:
        """Leave the daemon: answer what it owes with an error, and end the progress that it reports."""
        if isinstance(self.upstream, Link):
            why = f"the folder {self.root} was closed"
            self.upstream.give_up(EngineUnavailable(why, remedy="open it again, and ask again"))
        for token in self._tokens:
            ending = {"token": marked(self.number, token), "value": {"kind": "end"}}
            self._outbox.put(_notification(PROGRESS, ending))

    def _put_parsed(self, message: bytes, content: dict[str, Any]) -> None:
        if "method" not in content:
            if self._joined.takes(self.number, content.get("id")):
                joined = self._joined.take(self.number, content)
                if joined is not None:
                    self._outbox.put(joined)
                return
        elif self.number and "id" in content and content["method"] in REGISTRATIONS:
            # the main daemon registers the same; a client knows each registration by its id
            self.offer(line_of({"jsonrpc": "2.0", "id": content["id"], "result": None}))
            return
        elif self.number and self._mark(content):
            message = line_of(content)
        self._outbox.put(message)

    def _mark(self, content: dict[str, Any]) -> bool:
        """Mark the id and the token of a message. Returns whether it has any."""
        has_id = "id" in content
        if has_id:
            content["id"] = marked(self.number, content["id"])
        params = content.get("params")
        token = params.get("token") if isinstance(params, dict) else None
        if isinstance(token, str | int) and isinstance(params, dict):
            if content["method"] == PROGRESS_BEGINS:
                self._tokens.add(token)
            if token in self._tokens:  # others are the client's own
                content["params"] = params | {"token": marked(self.number, token)}
                if _member(params.get("value"), "kind") == "end":
                    self._tokens.discard(token)
                return True
        return has_id


class FolderLinks(Upstream):
    """Sends each line to the daemon of the repository that it is about, and lines about no document to the main one;
    notifications about none go to all. `connect` makes the link to the daemon of a repository.

    `follows`: whether there may be more repositories than the one at `root`. The main one stays until the end.
    """

    def __init__(self, connect: Callable[[str, Sink], Upstream], outbox: Sink, root: str, *, follows: bool) -> None:
        self._connect = connect
        self._outbox = outbox
        self._follows = follows
        self._joined = JoinedAnswers()
        self._folders: dict[str, str] = {}  # the root of each workspace folder, by its URI
        self._initialize = b""
        self._last = -1
        self._main = self._connected(root)
        self._links = [self._main]

    @property
    def unanswered(self) -> int:
        """The number of lines that no daemon has answered or acknowledged."""
        return sum(link.upstream.unanswered for link in self._links)

    @property
    def has_room(self) -> bool:
        """Whether another line may be stored, whichever daemon it is for."""
        return all(link.upstream.has_room for link in self._links)

    def patience_until(self, eof_at: float) -> float:
        """Return the monotonic time until which to wait for answers, after the client closed its end at `eof_at`."""
        return max(link.upstream.patience_until(eof_at) for link in self._links)

    def begin(self, line: bytes, message: dict[str, Any]) -> None:
        """Take `initialize`, as a line and parsed. Only the main daemon's answer reaches the client."""
        self._main.offer(line)
        if self._follows:
            self._initialize = _without_progress(line, message)
            self._folders = folder_roots(_member(message.get("params"), "workspaceFolders"))
            self._join_folders(self._initialize)

    def offer(self, line: bytes) -> Upstream:
        """Send a line to its daemon. Returns this upstream."""
        if len(self._links) == 1 and not (self._follows and _FOLDERS_CHANGED in line):
            self._main.offer(line)
            return self
        message = parsed(line)
        if isinstance(message, dict):
            self._route(line, message)
        else:
            self._main.offer(line)
        return self

    def watched(self) -> list[tuple[Any, int]]:
        """Return the descriptors to poll, each with its events."""
        return [watched for link in self._links for watched in link.upstream.watched()]

    def on_ready(self, ready: dict[Any, int]) -> Upstream:
        """Handle the watched descriptors in `ready`. Returns this upstream."""
        for link in self._links:
            link.upstream = link.upstream.on_ready(ready)
        return self

    def tick(self) -> Upstream:
        """Do what is due by the clock. Returns this upstream."""
        for link in self._links:
            link.upstream = link.upstream.tick()
        for line in self._joined.due(time.monotonic()):
            self._outbox.put(line)
        return self

    def wait_s(self) -> float | None:
        """Return the seconds until `tick` has something to do; None when only events matter."""
        waits = [self._joined.wait_s(time.monotonic()), *(link.upstream.wait_s() for link in self._links)]
        return min((wait for wait in waits if wait is not None), default=None)

    def end_input(self) -> Upstream:
        """Handle the end of the client's input. Returns this upstream."""
        for link in self._links:
            link.upstream = link.upstream.end_input()
        return self

    def leave(self) -> None:
        """Say good-bye to all daemons, and release all resources."""
        for link in self._links:
            link.upstream.leave()

    # lines

    def _route(self, line: bytes, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        if method is None:
            self._return(line, message)
        elif is_request(message):
            self._ask(line, message)
        elif method == FOLDERS_CHANGED and self._follows:
            self._send(self._links, line)
            self._change_folders(params)
        elif method == PROGRESS_CANCELLED and (origin := unmarked(_member(params, "token"))):
            number, token = origin
            self._send(self._numbered(number), line_of({**message, "params": {"token": token}}))
        else:
            path = subject_of(params)
            self._send(self._links if path is None else [self._serving(path)], line)

    def _ask(self, line: bytes, message: dict[str, Any]) -> None:
        """Send a request to the daemon that answers it, or to all."""
        if message["method"] == SYMBOLS and len(self._links) > 1:
            self._joined.begin(message["id"], [link.number for link in self._links], time.monotonic())
            self._main.offer(line)
            self._send(self._links[1:], _without_progress(line, message))
        else:
            self._serving(subject_of(message.get("params"))).offer(line)

    def _return(self, line: bytes, message: dict[str, Any]) -> None:
        """Send the client's answer to the daemon that asked."""
        origin = unmarked(message.get("id"))
        if origin is None:
            self._main.offer(line)
        else:
            number, request_id = origin
            self._send(self._numbered(number), line_of({**message, "id": request_id}))

    def _send(self, links: Iterable[FolderLink], line: bytes) -> None:
        for link in links:
            link.offer(line)

    def _numbered(self, number: int) -> list[FolderLink]:
        """The link with this number; none when its folder was closed."""
        return [link for link in self._links if link.number == number]

    def _serving(self, path: str | None) -> FolderLink:
        """The link of the innermost repository with this path, else the main one."""
        outer = [link for link in self._links if path and is_within(path, link.root)]
        return max(outer, key=lambda link: len(link.root), default=self._main)

    # repositories

    def _change_folders(self, params: Any) -> None:
        event = _member(params, "event")
        removed = _member(event, "removed")
        for folder in removed if isinstance(removed, list) else []:
            self._folders.pop(str(_member(folder, "uri")), None)
        self._folders |= folder_roots(_member(event, "added"))
        gone = [link for link in self._links if link is not self._main and link.root not in self._folders.values()]
        self._links = [link for link in self._links if link not in gone]
        self._join_folders(self._initialize, INITIALIZED)
        self._hand_over([*self._links, *gone])
        for link in gone:
            link.close()

    def _join_folders(self, *handshake: bytes) -> None:
        """Connect to the daemons of folders whose repository has none yet; they have to know the lines `handshake`."""
        roots = dict.fromkeys(self._folders.values())
        for root in roots:
            if len(self._links) < limits.FOLDER_LINKS and root not in [link.root for link in self._links]:
                link = self._connected(root)
                if isinstance(link.upstream, Link):
                    for line in handshake:
                        link.upstream.replay_log.add_state(line)
                self._links.append(link)

    def _connected(self, root: str) -> FolderLink:
        self._last += 1
        link = FolderLink(self._last, root, self._outbox, self._joined)
        link.upstream = self._connect(root, link)
        return link

    def _hand_over(self, links: list[FolderLink]) -> None:
        """Close open documents in daemons that do not serve them any more, and open them in those that do."""
        for link in links:
            moved: dict[str, None] = {}
            for line in link.upstream.replay_log.lines() if isinstance(link.upstream, Link) else []:
                message = parsed(line)
                uri = changed_document(message)
                serving = link if uri is None else self._serving(subject_of(message["params"]))
                if uri is not None and serving is not link:
                    moved[uri] = None
                    serving.offer(line)
            for uri in moved:
                link.offer(_notification(DID_CLOSE, {"textDocument": {"uri": uri}}))


def _notification(method: str, params: dict[str, Any]) -> bytes:
    return line_of({"jsonrpc": "2.0", "method": method, "params": params})


def _without_progress(line: bytes, message: dict[str, Any]) -> bytes:
    """A request for further daemons: only the main one reports its progress, by the token that it has for that."""
    params = message.get("params")
    if not isinstance(params, dict) or "workDoneToken" not in params:
        return line
    return line_of({**message, "params": {name: value for name, value in params.items() if name != "workDoneToken"}})


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
