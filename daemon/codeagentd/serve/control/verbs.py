"""The verbs of the control socket, one method each; the shape of its arguments is documented at each method."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagent_protocol.version import __version__
from codeagentd.model.engine_status import Progress
from codeagentd.model.results.change_results import Planned, Verified
from codeagentd.serve.daemon_state import Service
from codeagentd.serve.tool_calls import FRESH_WAIT, META_INDEX, Answered, ToolSelection
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import EVERYTHING, select

from .server import ClientGone, Conversation, Json, Verb

START_PATIENCE_S: Final = 30.0  # seconds for the engine to become available
MAX_WAIT_S: Final = 86_400.0
BEAT_S: Final = 1.0  # a waiting client gets a message at least this often
PACE_S: Final = 0.1  # and at most this often
MAX_SYMBOLS: Final = 1_000_000_000
EMBEDDING: Final = ("resting", "loading", "ready")  # states in which symbols get vectors


class Operations:
    """The verbs and their answers. `leave(reason, has_successor)` starts the shutdown; `catalogue` returns every
    tool; `page_address(port, may_write)` the address of the page.
    """

    def __init__(
        self, service: Service, catalogue: Callable[[], dict[str, Tool]], leave: Callable[[str, bool], None],
        page_address: Callable[[int, bool], str],
    ) -> None:  # fmt: skip
        self._page_address = page_address
        self._service = service
        self._catalogue = catalogue
        self._leave = leave
        self.requested_at = service.clock.ticks()  # the time of an operator's last request

    def verbs(self) -> dict[str, Verb]:
        """Return every verb by name."""
        return {
            "ping": Verb(self._ping),
            "status": Verb(self._status),
            "stop": Verb(self._ping, then=lambda: self._leave("asked to stop", False)),
            "restart": Verb(self._ping, then=lambda: self._leave("asked to restart", True)),
            "index": Verb(self._index, is_long=True),
            "wait": Verb(self._wait, is_long=True),
            "embed": Verb(self._embed, is_long=True),
            "call": Verb(self._call, is_long=True),
            "tools": Verb(self._tools, is_long=True),
            "verify": Verb(self._verify, is_long=True),
            "graph": Verb(self._graph, is_long=True),
            "page": Verb(self._page, is_long=True),
        }

    def _ping(self, _arguments: Json, _conversation: Conversation) -> Json:
        return {"pid": os.getpid(), "version": __version__}

    def _status(self, _arguments: Json, _conversation: Conversation) -> object:
        return self._service.status()

    def _index(self, arguments: Json, _conversation: Conversation) -> Json:
        """Index the given files. Arguments: {"paths": [...]}; without paths a scan of the whole repository is
        requested.
        """
        paths = _fitting(arguments, "paths", list[str], [])
        engine = self._busy().engine(START_PATIENCE_S)
        if not paths:
            engine.request_scan()
            return {"requested": True}
        answer = self._answer(self._service.operator_selection, "index_files", {"paths": paths}).answer
        if answer.is_error:
            raise _as_raised(answer.structured["error"])
        return answer.structured

    def _wait(self, arguments: Json, conversation: Conversation) -> object:
        """Wait until the index has caught up. Arguments: {"timeout_s": seconds}. Replies: Progress at intervals, then
        the status.
        """
        timeout_s = min(MAX_WAIT_S, _fitting(arguments, "timeout_s", float, MAX_WAIT_S))
        engine = self._busy().engine(START_PATIENCE_S)
        deadline = time.monotonic() + timeout_s
        pace = _Pace(conversation)
        while (left := deadline - time.monotonic()) > 0:
            if engine.wait_caught_up(min(BEAT_S, left), pace.progress) and engine.watermark().caught_up:
                break  # else more changes have come during the batch
            pace.beat(engine.progress)  # the whole status reads all files, which would take a third of a core here
            self._busy().engine()  # raises once the daemon is leaving
        return self._service.status()

    def _embed(self, arguments: Json, conversation: Conversation) -> object:
        """Set how many symbols have a vector. Arguments: {"symbols": number, 0 for all, null for what the setting says,
        "timeout_s": seconds to wait for the vectors}. Replies: Progress at intervals, then the status.
        """
        symbols = _fitting(arguments, "symbols", int | None, None)
        timeout_s = min(MAX_WAIT_S, _fitting(arguments, "timeout_s", float, 0.0))
        engine = self._busy().engine(START_PATIENCE_S)
        if symbols is not None and not 0 <= symbols <= MAX_SYMBOLS:
            raise InvalidParameter("that is no number of symbols", remedy=f"pass 0 (all) to {MAX_SYMBOLS:,}")
        engine.limit_embeddings(symbols)
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline and (state := engine.embeddings).pending and state.state in EMBEDDING:
            conversation.say(Progress("vectors", state.count, state.count + state.pending))
            time.sleep(min(BEAT_S, max(0.0, deadline - time.monotonic())))
            self._busy().engine()  # raises once the daemon is leaving
        return self._service.status()

    def _page(self, arguments: Json, _conversation: Conversation) -> Json:
        """Open the page for people. Arguments: {"port": number, 0 for the usual one, "write": bool}. The address works
        once.
        """
        self._busy().engine(START_PATIENCE_S)
        port = _fitting(arguments, "port", int, 0)
        if not 0 <= port < 65_536:
            raise InvalidParameter("that is no port", remedy="pass 1 to 65535", parameter="port")
        return {"url": self._page_address(port, _fitting(arguments, "write", bool, False))}

    def _call(self, arguments: Json, conversation: Conversation) -> Json:
        """Call a tool. Arguments: {"tool": name, "arguments": {...}, "fresh": "wait"?, "allow_exec": bool?, "folder":
        the caller's directory?}.
        """
        name = _fitting(arguments, "tool", str, "")
        self._busy().engine(START_PATIENCE_S)
        selection = self._service.operator_selection
        if _fitting(arguments, "allow_exec", bool, False):
            selection = ToolSelection(select(self._catalogue(), toolsets=EVERYTHING, allow_exec=True))
        answered = self._answer(
            selection, name, arguments.get("arguments"), arguments.get("fresh"), _fitting(arguments, "folder", str, "")
        )
        answer = answered.answer
        return {"structuredContent": answer.structured, "isError": answer.is_error, "_meta": answered.meta} | (
            {"told": answer.rendered} if answer.rendered else {}
        )

    def _tools(self, arguments: Json, _conversation: Conversation) -> Json:
        """List the tools. Arguments: the selection flags of a window, by the same names; without flags all tools."""
        self._service.engine(START_PATIENCE_S)
        try:
            flags: dict[str, Any] = {"toolsets": EVERYTHING} | arguments
            chosen = select(self._catalogue(), **flags)
        except TypeError:
            raise InvalidParameter(
                "unknown selection flag",
                remedy="toolsets, tools, exclude_tools, read_only, allow_exec, tool_names, rows",
            ) from None
        return {"tools": [tool.as_listed() for tool in chosen]}

    def _verify(self, arguments: Json, _conversation: Conversation) -> Json:
        """Verify that a renaming is complete, once every change is indexed. Arguments: the answer of plan_rename, or
        {"old", "new", "id"?, "file"?}.
        """
        try:
            plan = msgspec.convert(arguments, Planned)
        except msgspec.ValidationError as error:
            raise InvalidParameter(
                f"this is no plan: {error}", remedy="pass what `codeagentd refactor plan --json` gave"
            ) from None
        if not plan.old or not plan.new:
            raise InvalidParameter("a plan has an old and a new name", remedy="pass both")
        self._busy().engine(START_PATIENCE_S)
        assert self._service.calls is not None  # set when the engine is
        answer, mark = self._service.calls.consult(partial(_verified, plan), b"", 0, fresh=FRESH_WAIT)
        return {
            "structuredContent": msgspec.to_builtins(answer),
            "isError": False,
            "_meta": {META_INDEX: msgspec.to_builtins(mark)},
        }

    def _graph(self, _arguments: Json, conversation: Conversation) -> Json:
        """Export the whole graph in parts (surface.export), one reply each; the last reply is empty."""
        from codeagentd.capabilities.graph_export import parts

        self._busy().engine(START_PATIENCE_S)
        assert self._service.calls is not None

        def send(ctx: Any) -> None:
            for part in parts(ctx):
                conversation.say(part)

        self._service.calls.consult(send, b"C" + secrets.token_bytes(15), 1)
        return {}

    def _answer(
        self, selection: ToolSelection, name: str, arguments: object, fresh: object = None, folder: str = ""
    ) -> Answered:
        """Run a tool in a session of its own."""
        assert self._service.calls is not None  # set when the engine is
        return self._service.calls.answer(
            selection, name, arguments, b"C" + secrets.token_bytes(15), 1, fresh=fresh, folder=folder, is_shell=True
        )

    def _busy(self) -> Service:
        self.requested_at = self._service.clock.ticks()
        return self._service


def _verified(plan: Planned, ctx: Context) -> Verified:
    from codeagentd.query.refactor.rename_verification import verified  # as above

    ctx.engine.text_ready()
    with ctx.read() as db:
        return verified(db, plan, ctx.lines)


class _Pace:
    """Forwards progress at intervals."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._next = 0.0

    def progress(self, progress: Progress) -> None:
        """Send the progress, unless a message was sent a moment ago. Never raises, since the engine calls it."""
        if time.monotonic() >= self._next:
            with contextlib.suppress(ClientGone):
                self.beat(progress)

    def beat(self, progress: Progress) -> None:
        """Send the progress. Errors: ClientGone."""
        self._next = time.monotonic() + PACE_S
        self._conversation.say(progress)


def _as_raised(error: Json) -> CodedError:
    facts = {name: value for name, value in error.items() if name not in ("code", "message", "remedy")}
    return CodedError(error["message"], code=error["code"], remedy=error.get("remedy", ""), **facts)


def _fitting(arguments: Json, name: str, kind: Any, default: Any) -> Any:
    try:
        return msgspec.convert(arguments.get(name, default), kind)
    except msgspec.ValidationError:
        raise InvalidParameter(f"{name} does not fit", parameter=name) from None
