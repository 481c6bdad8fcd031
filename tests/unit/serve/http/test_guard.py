"""The guard before every route: the rate of each user, and the one path that needs no key."""

from __future__ import annotations

import asyncio
from typing import Any

from codeagentd.serve.http.address import Address
from codeagentd.serve.http.allowed_hosts import AllowedHosts
from codeagentd.serve.http.keys import User
from codeagentd.serve.http.middleware import BURST, Access, Authentication, Guard

HOST = (b"host", b"127.0.0.1:80")


class TwoUsers:
    """Two users, whose keys are their names."""

    def user_of(self, presented: tuple[str, ...]) -> User | None:
        return next((User(key, key) for key in presented if key in ("ann", "bob")), None)


async def route(scope: Any, receive: Any, send: Any) -> None:
    scope["state"]["notes"]["tool"] = "echo"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"12345"})


def guard(log: Any = None) -> Guard:
    return Guard(route, AllowedHosts(Address("127.0.0.1", 80)), Authentication(TwoUsers()), log)


def status(asked: Guard, key: str, path: str = "/") -> int:
    """The status of one request."""
    statuses: list[int] = []

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    headers = [HOST, *([(b"x-api-key", key.encode())] if key else [])]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "client": ("127.0.0.1", 1)}
    asyncio.run(asked(scope, receive, send))
    return statuses[0]


def test_each_user_has_a_rate_of_its_own() -> None:
    asked = guard()
    answered = [status(asked, "ann") for _ in range(int(BURST) + 200)]
    assert 429 in answered
    assert status(asked, "bob") == 200


def test_health_needs_no_key_and_everything_else_does() -> None:
    asked = guard()
    assert [status(asked, "", "/healthz"), status(asked, "", "/healthz/"), status(asked, "", "/metrics")] == [
        200,
        401,
        401,
    ]


def test_each_request_is_logged_with_its_user_and_size() -> None:
    log: list[Access] = []
    asked = guard(log.append)
    status(asked, "ann")
    status(asked, "wrong")
    assert [(access.user, access.status) for access in log] == [("ann", 200), ("", 401)]
    assert (log[0].response_bytes, log[0].notes) == (5, {"tool": "echo"})
