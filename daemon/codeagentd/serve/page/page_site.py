"""The routes of the page: sign-in, one view per kind of page, the stream of events, and the static files."""

from __future__ import annotations

import functools
import gzip
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from codeagent_protocol.errors import CodedError
from codeagentd.base.log import EventLog
from codeagentd.model.engine_status import Watermark
from codeagentd.serve.http.middleware import HEALTH, USER, Authentication, refusal, status_of
from codeagentd.serve.http.server import Site
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import Calls, ToolSelection
from codeagentd.toolkit.tool import declared

from .page_events import PageEvents
from .questions import DaemonView, Freshness, Json, Moved, PageRequest, Shown, View, failure
from .sign_in import COOKIE_S, EDITOR, SignIns
from .templating import HERE, rendered, visible
from .views import changes, files, flow, graph_map, memories, now, search, symbols, task_board, workspace_members

STATIC: Final = HERE / "static"
# not as the system has them: where it knows .js as plain text, browsers run none
MEDIA_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SIGN_IN: Final = "/sign-in"
COOKIE: Final = "codeagentd-page-"  # begins the names of cookies; the port follows, since cookies have none
MAIN_ONLY: Final = "x-main-only"  # the header of a request for the inside of the main element
CHANGES: Final = "changes"  # key in a request's state for the changes that were noted before it
MAX_FIELDS: Final = 20
SHORT_BYTES: Final = 4_000  # of a page that is sent as it is
COMPRESSION: Final = 4
EDITS: Final = {  # tools that forms may call, with the arguments that they may set
    "update": frozenset({"id", "title", "content"}),
    "delete": frozenset({"id"}),
    "create_task": frozenset({"project", "name", "description"}),
    "complete_task": frozenset({"task_id", "summary"}),
}
HEADERS: Final = (
    ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"),
    ("Referrer-Policy", "same-origin"),  # with no-referrer, forms would be sent with the origin "null"
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
NO_STORE: Final = {"Cache-Control": "no-store"}  # what may be read with a cookie alone stays nowhere

_log = EventLog(__name__)


class PageKind(NamedTuple):
    """One kind of page: its name, its entry in the menu ('' for none), the key that opens it after `g`, its address,
    its view, and whether that waits for changes to be indexed.
    """

    name: str
    label: str
    key: str
    path: str
    view: View
    needs_index: bool = True

    @property
    def url(self) -> str:
        """The address without what it is about."""
        return self.path.partition("{")[0]


PAGES: Final = (
    PageKind("now", "Now", "n", "/", now.now, needs_index=False),
    PageKind("search", "Search", "f", "/search", search.search),
    PageKind("symbol", "", "", "/symbol/{rest:label}", symbols.symbol),
    PageKind("possible", "", "", "/possible/{rest:label}", symbols.possible),
    PageKind("tests", "", "", "/tests/{rest:label}", symbols.tests),
    PageKind("tree", "Files", "t", "/tree/{rest:label}", files.tree),
    PageKind("file", "", "", "/file/{rest:label}", files.file),
    PageKind("history", "", "", "/history/{rest:label}", files.history, needs_index=False),
    PageKind("flow", "Flow", "w", "/flow", flow.flow),
    PageKind("map", "Map", "m", "/map", graph_map.communities),
    PageKind("change", "Change", "c", "/change", changes.change),
    PageKind("memories", "Memories", "k", "/memories", memories.memories, needs_index=False),
    PageKind("tasks", "Tasks", "b", "/tasks", task_board.board, needs_index=False),
    PageKind("workspace", "Workspace", "p", "/workspace", workspace_members.members, needs_index=False),
)


class Page:
    """The page of one daemon. To be used on the event loop."""

    def __init__(
        self, root: Path, calls: Calls, daemon: DaemonView, sign_ins: SignIns, events: PageEvents, pool: ThreadPool
    ) -> None:
        self._root = root
        self._calls = calls
        self._daemon = daemon
        self._sign_ins = sign_ins
        self._events = events
        self._pool = pool
        self._all_tools = ToolSelection([*declared().values()])
        self.port = 0  # where it listens

    def site(self) -> Site:
        """Return what the server of the page answers."""
        routes = [Route(kind.path, partial(self._show, kind), methods=["GET"]) for kind in PAGES]
        routes += [
            Route("/suggest", partial(self._data, search.suggestions), methods=["GET"]),
            Route("/colors/{rest:label}", partial(self._data, files.source_colors), methods=["GET"]),
            Route("/map/data", partial(self._data, graph_map.map_data), methods=["GET"]),
            Route("/map/members", partial(self._data, graph_map.map_members), methods=["GET"]),
            Route("/events", self._listen, methods=["GET"]),
            Route("/static/{version}/{name}", _static, methods=["GET"]),
            Route(SIGN_IN, self._sign_in, methods=["POST"]),
            Route("/sign-out", self._sign_out, methods=["POST"]),
            Route("/edit/{tool}", self._edit, methods=["POST"]),
        ]
        authentication = Authentication(self._sign_ins, self._cookies, _is_public, self._ask_to_sign_in)
        return Site(routes, authentication, headers=HEADERS, is_for_people=True)

    def url(self, token: str) -> str:
        """Return the address that signs a browser in."""
        return f"http://127.0.0.1:{self.port}/#token={token}"

    # signing in

    @property
    def _cookie(self) -> str:
        return f"{COOKIE}{self.port}"

    def _cookies(self, headers: Headers) -> tuple[str, ...]:
        value = cookie_parser(headers.get("cookie", "")).get(self._cookie, "")
        return (value,) if value else ()

    def _ask_to_sign_in(self, headers: Headers, fault: str = "") -> Response:
        """Return the form; to a person it is a page as others are, not an error in the browser's console."""
        status = 200 if headers.get("sec-fetch-mode") == "navigate" and not fault else 401
        values = {"title": "Sign in", "repository": self._root.name, "fault": fault, "version": version()}
        return HTMLResponse(rendered("sign_in", values, only_main=False), status, NO_STORE)

    async def _sign_in(self, request: Request) -> Response:
        fields = await _fields(request)
        cookie = self._sign_ins.redeem(fields.get("token", ""))
        if cookie is None:
            return self._ask_to_sign_in(request.headers, "This link was used before, or it is older than ten minutes.")
        response = RedirectResponse(_local(fields.get("next", "/")), 303)
        response.set_cookie(self._cookie, cookie, max_age=COOKIE_S, path="/", httponly=True, samesite="strict")
        return response

    async def _sign_out(self, request: Request) -> Response:
        self._sign_ins.sign_out(self._cookies(request.headers))
        response = RedirectResponse("/", 303)
        response.delete_cookie(self._cookie, path="/", httponly=True, samesite="strict")
        return response

    # views

    async def _show(self, kind: PageKind, request: Request) -> Response:
        only_main = MAIN_ONLY in request.headers
        request.scope["state"][CHANGES] = self._events.changes
        try:
            content, title, status, coding = await self._pool.run(partial(self._encoded, kind, request, only_main))
        except Moved as moved:
            if only_main:  # a script that is led elsewhere does not see the fragment
                return Response(status_code=204, headers={"X-Location": moved.url} | NO_STORE)
            return RedirectResponse(moved.url, 303)
        headers = {"X-Title": quote(str(visible(title))), "X-Page": kind.name}
        return HTMLResponse(content, status, headers | NO_STORE | coding)

    def _encoded(self, kind: PageKind, request: Request, only_main: bool) -> tuple[bytes, str, int, dict[str, str]]:
        """The content, title and status of a view's page, and the headers about its coding: long ones are compressed,
        since the page may be read over SSH.
        """
        text, title, status = self._shown(kind, request, only_main)
        content = text.encode("utf-8", "replace")
        if len(content) < SHORT_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
            return content, title, status, {}
        coding = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return gzip.compress(content, COMPRESSION, mtime=0), title, status, coding

    def _shown(self, kind: PageKind, request: Request, only_main: bool) -> tuple[str, str, int]:
        """The text, title and status of a view's page, or of one that says why there is none."""

        def written(shown: Shown, mark: Watermark) -> tuple[str, str, int]:
            values = self._values(kind, shown, mark, request)
            return rendered(shown.template, values, only_main=only_main), shown.title, shown.status

        try:
            return written(*self._viewed(kind, request))
        except CodedError as error:
            failed = Shown("failed", "Not there", {"error": error, "facts": error.facts}, status_of(error))
        except Moved:
            raise
        except Exception as error:  # noqa: BLE001 - a bug in one view must not end the page
            _log.error("a page failed", error, page=kind.name)
            failed = Shown("failed", "Failed", {"error": _BUG, "facts": {}}, 500)
        return written(failed, Watermark())

    def _viewed(self, kind: PageKind, request: Request) -> tuple[Shown, Watermark]:
        """What the view shows, and how fresh that is."""
        ctx = self._calls.context(b"", 0)
        if not kind.needs_index:
            return kind.view(self._request(request, ctx)), ctx.engine.watermark()
        if not ctx.engine.has_whole_index:
            return Shown("indexing", "Indexing", {"progress": ctx.engine.progress}, 503), ctx.engine.watermark()
        return self._calls.consult(lambda ctx: kind.view(self._request(request, ctx)), b"", 0)

    def _values(self, kind: PageKind, shown: Shown, mark: Watermark, request: Request) -> Json:
        frame = {
            "title": shown.title, "repository": self._root.name, "root": str(self._root), "version": version(),
            "current": kind.name, "pages": [page for page in PAGES if page.label],
            "search_text": request.query_params.get("q", "") if kind.name == "search" else "",
            "freshness": Freshness.of(mark), "may_write": request.scope["state"][USER] == EDITOR,
            "changes": request.scope["state"].get(CHANGES, 0),
        }  # fmt: skip
        return frame | shown.values

    def _request(self, request: Request, ctx: Any) -> PageRequest:
        return PageRequest(
            ctx, self._daemon, request.scope["state"][USER], request.path_params.get("rest", ""), request.query_params
        )

    async def _data(self, view: Callable[[PageRequest], object], request: Request) -> Response:
        """Answer a script's request with what a view returns, as JSON."""
        try:
            answer, _ = await self._pool.run(
                partial(self._calls.consult, lambda ctx: view(self._request(request, ctx)), b"", 0)
            )
        except CodedError as error:
            return JSONResponse({"error": error.message}, status_of(error), NO_STORE)
        return JSONResponse(answer, headers=NO_STORE)

    async def _edit(self, request: Request) -> Response:
        """Call a tool that changes memories or tasks, with the fields of a form."""
        tool, fields = request.path_params["tool"], await _fields(request)
        after = _local(fields.pop("next", "/"))
        if tool not in EDITS or request.scope["state"][USER] != EDITOR:
            return refusal(
                403, "forbidden", "this browser may only read: `codeagentd ui --write` opens one that may write"
            )
        arguments = {name: value for name, value in fields.items() if name in EDITS[tool] and value.strip()}
        answered = await self._pool.run(partial(self._calls.answer, self._all_tools, tool, arguments, b"", 0))
        if answered.answer.is_error:
            error = failure(answered.answer.structured)
            values = {"error": error, "facts": {}}
            shown = Shown("failed", "Not changed", values, 400)
            text = rendered("failed", self._values(PAGES[0], shown, Watermark(), request), only_main=False)
            return HTMLResponse(text, 400, NO_STORE)
        return RedirectResponse(after, 303)

    async def _listen(self, _request: Request) -> Response:
        return StreamingResponse(self._events.stream(), media_type="text/event-stream", headers=NO_STORE)


_BUG: Final = CodedError("this page failed", code="internal", remedy="`codeagentd logs` says more")


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form, each once."""
    body = (await request.body()).decode("utf-8", "replace")
    return {name: values[0] for name, values in parse_qs(body, max_num_fields=MAX_FIELDS).items()}


def _is_public(path: str) -> bool:
    return path in (HEALTH, SIGN_IN) or path.startswith("/static/")


def _local(path: str) -> str:
    """An address of this page; the first page for one of elsewhere."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in static_files():
        return Response(status_code=404)
    # scripts import each other by relative addresses, so that all of a page have its version
    is_lasting = request.path_params["version"] == version()
    headers = {"Cache-Control": "max-age=31536000, immutable" if is_lasting else "no-cache"}
    return Response(static_files()[name], headers=headers, media_type=MEDIA_TYPES[Path(name).suffix])


@functools.cache
def static_files() -> dict[str, bytes]:
    """Return the static files by their names: some 30 kB, which stay in memory."""
    return {file.name: file.read_bytes() for file in sorted(STATIC.iterdir())}


@functools.cache
def version() -> str:
    """Return what is in the addresses of static files, so that a browser keeps them until they change."""
    digest = hashlib.sha256()
    for content in static_files().values():
        digest.update(content)
    return digest.hexdigest()[:12]
