"""The checks before every route: an allowed host, an allowed origin, the key, the rate of requests and the size of the
body.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .allowed_hosts import AllowedHosts
from .connections import ADMIT

# maximum size of a request; a question is a few hundred bytes, a memory some kilobytes
MAX_BODY_BYTES: Final = 4 * 1024 * 1024
RATE: Final = 200.0  # requests a second from one address, on average
BURST: Final = 400.0  # requests at once
MAX_CALLERS: Final = 10_000  # addresses with an account of their own; all others share one

# values of the header by which a browser describes a request's origin; another port of this machine is the same site
ELSEWHERE: Final = ("cross-site", "same-site")

TOO_LARGE: Final = f"a body may have {MAX_BODY_BYTES} bytes"
JSON: Final = "application/json"


def refusal(status: int, code: str, message: str, **headers: str) -> JSONResponse:
    """Return a response with this HTTP status and these headers; its body is a coded error."""
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers)


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


class Guard:
    """ASGI middleware before every route. `answered` counts responses by status."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, api_key: str) -> None:
        self._app = app
        self._hosts = hosts
        self._key = _digest(api_key.strip()) if api_key.strip() else b""
        self._rates = Rates()
        # a separate account, so that clients without the key use up nothing of the rate of clients with it
        self._refusals = Rates()
        self.answered: Counter[int] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request and pass it on."""
        if scope["type"] != "http":
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered[message["status"]] += 1
            await send(message)

        refused = self._refused(scope)
        if refused:
            await refused(scope, receive, counted)
            return
        if admit := scope.get("state", {}).get(ADMIT):
            admit()
        await self._app(scope, _limited(receive), counted)

    def _refused(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        refusal_of_client = self._client_refusal(headers)
        rates = self._refusals if refusal_of_client else self._rates
        if not rates.takes((scope.get("client") or ("",))[0]):
            return refusal(429, "too_many", "too many requests", **{"Retry-After": "1"})
        if refusal_of_client:
            return refusal_of_client
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY_BYTES:
            return refusal(413, "too_large", TOO_LARGE)
        return None

    def _client_refusal(self, headers: Headers) -> JSONResponse | None:
        """The refusal of a client that may not send requests; None for one that may."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._hosts.allows(host):
            return refusal(
                403,
                "forbidden",
                "forbidden host: use the address that the daemon prints, or list the name with --http-host",
            )
        if origin is not None and not self._hosts.allows_origin(origin, host):
            return refusal(403, "forbidden", "forbidden origin")
        # browsers send no origin when a page embeds or loads a resource
        if origin is None and headers.get("sec-fetch-site", "").strip().lower() in ELSEWHERE:
            return refusal(403, "forbidden", "forbidden origin: a page of elsewhere asks")
        if self._key and not self._has_key(headers):
            return refusal(
                401,
                "unauthorized",
                "a key is missing or wrong: X-API-Key, or Authorization: Bearer",
                **{"WWW-Authenticate": "Bearer"},
            )
        return None

    def _has_key(self, headers: Headers) -> bool:
        """Whether the headers contain the key. Digests of equal length are compared in constant time, so that neither
        time nor length shows how much of a guess is right.
        """
        scheme, _, token = headers.get("authorization", "").partition(" ")
        keys = (headers.get("x-api-key", ""), token.strip() if scheme.lower() == "bearer" else "")
        matches = [hmac.compare_digest(_digest(key), self._key) for key in keys]
        return any(matches)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


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
