"""The checks before every route: an allowed host, an allowed origin, the key, the rate of requests and the size of the
body.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from email.utils import formatdate
from typing import Any, Final, NamedTuple

import msgspec
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from codeagent_protocol.errors import ENGINE_UNAVAILABLE, INDEX_ERROR, NOT_FOUND, CodedError

from .allowed_hosts import AllowedHosts
from .connections import ADMIT
from .keys import Keys, User, presented_keys
from .peer_user import is_own

# maximum size of a request; a question is a few hundred bytes, a memory some kilobytes
MAX_BODY_BYTES: Final = 4 * 1024 * 1024
RATE: Final = 200.0  # requests a second from one address, on average
BURST: Final = 400.0  # requests at once
MAX_CALLERS: Final = 10_000  # addresses with an account of their own; all others share one

# values of the header by which a browser describes a request's origin; another port of this machine is the same site
ELSEWHERE: Final = ("cross-site", "same-site")

USER: Final = "user"  # key in a request's state for the user that sends it
NOTES: Final = "notes"  # and for the facts about it that the access log gets
KEYS: Final = "keys"  # and for the keys that the server takes
HEALTH: Final = "/healthz"  # the path that tells that the server answers, and nothing else: it needs no key

RETRY_FACTS: Final = ("retry_after", "progress")  # facts of an error about something that is being made

TOO_LARGE: Final = f"a body may have {MAX_BODY_BYTES} bytes"
TWO_ENDS: Final = "a body has either a Content-Length or a Transfer-Encoding"
JSON: Final = "application/json"
ANOTHER_USER: Final = "without a key only the user who started this server may ask: start it with a key"


def refusal(status: int, code: str, message: str, **headers: str) -> JSONResponse:
    """Return a response with this HTTP status and these headers; its body is a coded error."""
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers)


def status_of(error: CodedError) -> int:
    """Return the HTTP status of a coded error."""
    return {NOT_FOUND: 404, ENGINE_UNAVAILABLE: 503, INDEX_ERROR: 503}.get(error.code, 400)


def retry_headers(error: CodedError) -> dict[str, str]:
    """Return the header that says when to try again, where the error says that."""
    return {"Retry-After": str(error.facts["retry_after"])} if "retry_after" in error.facts else {}


def error_response(error: CodedError, status: int = 0) -> JSONResponse:
    """Return a response whose body is `error`. `status`: 0 for the one that fits its code."""
    body = {"code": error.code, "message": error.message}
    body |= {name: error.facts[name] for name in RETRY_FACTS if name in error.facts}
    return JSONResponse({"error": body}, status or status_of(error), retry_headers(error))


async def refused(_request: Request, error: Exception) -> Response:
    """Return the response for `error` of the router or of a route; its body is a coded error."""
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 413: "too_large"}.get(error.status_code, "invalid_parameter")
    return refusal(error.status_code, code, error.detail, **dict(error.headers or {}))


class Rates:
    """A token bucket of requests for each address: it gets RATE tokens a second up to BURST, and a request takes
    one.
    """

    def __init__(self, ticks: Callable[[], float] = time.monotonic) -> None:
        self._ticks = ticks
        self._accounts: dict[str, tuple[float, float]] = {}

    def takes(self, caller: str) -> bool:
        """Take a token for a request from the address `caller`. Returns False if there is none."""
        now = self._ticks()
        if caller not in self._accounts and len(self._accounts) >= MAX_CALLERS:
            self._accounts = {
                name: account for name, account in self._accounts.items() if now - account[1] < BURST / RATE
            }
            caller = caller if len(self._accounts) < MAX_CALLERS else ""
        left, at = self._accounts.get(caller, (BURST, now))
        left = min(BURST, left + (now - at) * RATE)
        self._accounts[caller] = (left - 1 if left >= 1 else left, now)
        return left >= 1


class Access(msgspec.Struct, frozen=True):
    """One request and its response, for the access log. `notes`: what its route knows about it."""

    user: str
    method: str
    status: int
    seconds: float
    response_bytes: int
    notes: dict[str, Any]


def _ask_for_key(_headers: Headers) -> Response:
    return refusal(
        401,
        "unauthorized",
        "a key is missing or wrong: X-API-Key, or Authorization: Bearer",
        **{"WWW-Authenticate": "Bearer"},
    )


class Authentication(NamedTuple):
    """The way in which requests show who sends them: the valid keys, where a request has its own, the paths that need
    none, and the response to a request without a valid one. `is_for_own_user`: other users of this machine may not
    ask, where the system tells them apart; for a server that needs no key.
    """

    keys: Keys
    presented: Callable[[Headers], tuple[str, ...]] = presented_keys
    is_public: Callable[[str], bool] = HEALTH.__eq__
    challenge: Callable[[Headers], Response] = _ask_for_key
    is_for_own_user: bool = False


class Guard:
    """ASGI middleware before every route. `answered` counts responses by status; `log` gets each request at its end.

    A server for people is asked by its own pages alone: cookies do not tell the ports of a machine apart, so that pages
    of another port would be the signed-in user. Links of elsewhere may open its pages, which they cannot read.
    """

    def __init__(
        self, app: ASGIApp, hosts: AllowedHosts, authentication: Authentication,
        log: Callable[[Access], None] | None = None, answered: Counter[int] | None = None, *,
        is_for_people: bool = False,
    ) -> None:  # fmt: skip
        self._app = app
        self._hosts = hosts
        self._authentication = authentication
        self._log = log
        self._is_for_people = is_for_people
        self._rates = Rates()
        # a separate account, so that clients without the key use up nothing of the rate of clients with it
        self._refusals = Rates()
        self.answered: Counter[int] = Counter() if answered is None else answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request and pass it on."""
        if scope["type"] != "http":
            return
        began, status, sent = time.monotonic(), 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                self.answered[status] += 1
                message = {**message, "headers": [*message.get("headers", ()), (b"date", _date())]}
            sent += len(message.get("body", b""))
            await send(message)

        user, refused = self._checked(scope)
        notes: dict[str, Any] = {}
        scope["state"] = {**scope.get("state", {}), USER: user, NOTES: notes, KEYS: self._authentication.keys}
        try:
            if refused:
                await refused(scope, receive, counted)
                return
            if admit := scope["state"].get(ADMIT):
                admit()
            await self._app(scope, _limited(receive), counted)
        except ClientDisconnect:
            return  # nobody is there to be answered
        finally:
            if self._log:
                name = user.name if user else ""
                self._log(Access(name, scope["method"], status, time.monotonic() - began, sent, notes))

    def _checked(self, scope: Scope) -> tuple[User | None, Response | None]:
        """The user of a request (None for nobody), and its refusal (None for a request that may go on)."""
        headers = Headers(scope=scope)
        keys, presented, is_public, challenge, is_for_own_user = self._authentication
        refusal_of_client: Response | None = self._client_refusal(scope["method"], headers)
        user = None if refusal_of_client else keys.user_of(presented(headers))
        if not refusal_of_client and not is_public(scope["path"]):
            if user is None:
                refusal_of_client = challenge(headers)
            elif is_for_own_user and not is_own(scope["client"], scope["server"]):
                refusal_of_client = refusal(403, "forbidden", ANOTHER_USER)
        rates = self._refusals if refusal_of_client else self._rates
        address = (scope.get("client") or ("",))[0]
        # addresses have no slash: no user can take an address's account
        if not rates.takes(f"user/{user.name}" if user and user.name else address):
            return user, refusal(429, "too_many", "too many requests", **{"Retry-After": "1"})
        if refusal_of_client:
            return user, refusal_of_client
        if "content-length" in headers and "transfer-encoding" in headers:
            return user, refusal(400, "invalid_parameter", TWO_ENDS, Connection="close")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY_BYTES:
            return user, refusal(413, "too_large", TOO_LARGE)
        return user, None

    def _client_refusal(self, method: str, headers: Headers) -> JSONResponse | None:
        """The refusal of a client that may not send requests; None for one that may."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._hosts.allows(host):
            return refusal(
                403,
                "forbidden",
                "forbidden host: use the address that the daemon prints, or list the name with --http-host",
            )
        if origin is not None and not self._allows_origin(origin, host):
            return refusal(403, "forbidden", "forbidden origin")
        # browsers send no origin when a page embeds or loads a resource, and when a link is followed
        is_link = self._is_for_people and method == "GET" and _opens_document(headers)
        if origin is None and not is_link and headers.get("sec-fetch-site", "").strip().lower() in ELSEWHERE:
            return refusal(403, "forbidden", "forbidden origin: a page of elsewhere asks")
        return None

    def _allows_origin(self, origin: str, host: str) -> bool:
        if self._is_for_people:
            return origin.lower() == f"http://{host.lower()}"
        return self._hosts.allows_origin(origin, host)


def _date() -> bytes:
    """The header's value: now."""
    return formatdate(time.time(), usegmt=True).encode()


def _opens_document(headers: Headers) -> bool:
    """Whether a browser says that it opens a page of its own, which no other page holds."""
    return (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("navigate", "document")


def _limited(receive: Receive) -> Receive:
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY_BYTES:
            raise HTTPException(413, TOO_LARGE)
        return message

    return limited
