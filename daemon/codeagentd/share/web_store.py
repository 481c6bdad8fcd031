"""Stores that a web server offers for reading."""

from __future__ import annotations

import contextlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Final

from codeagent_protocol.errors import StoreFailed

from .store import TIMEOUT_S, too_large, too_short, trouble

ABSENT: Final = (http.client.NOT_FOUND, http.client.GONE)

Answer = http.client.HTTPResponse | urllib.error.HTTPError


class WebStore:
    """A store that a web server offers for reading, with ranges (RFC 9110)."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    def size(self, key: str) -> int | None:
        """See Store."""
        with self._reading(), contextlib.closing(self._answer(key, method="HEAD")) as answer:
            return None if answer.status in ABSENT else int(answer.headers.get("Content-Length", 0))

    def get(self, key: str, start: int, length: int) -> bytes:
        """See Store."""
        with (
            self._reading(),
            contextlib.closing(self._answer(key, {"Range": f"bytes={start}-{start + length - 1}"})) as answer,
        ):
            if answer.status in ABSENT:
                raise too_short(self.url, key)
            if answer.status != http.client.PARTIAL_CONTENT:
                raise trouble(self.url, "read", "its server does not send parts of files")
            data = answer.read(length)
        if len(data) < length:
            raise too_short(self.url, key)
        return data

    def whole(self, key: str, limit: int) -> bytes | None:
        """See Store."""
        with self._reading(), contextlib.closing(self._answer(key)) as answer:
            data = None if answer.status in ABSENT else answer.read(limit + 1)
        if data is not None and len(data) > limit:
            raise too_large(key, limit)
        return data

    def put(self, key: str, data: bytes) -> None:
        """See Store."""
        raise StoreFailed(
            f"the store {self.url} is only read", remedy="push to the folder or bucket that the server shows"
        )

    def _answer(self, key: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Answer:
        """Return what the server answers. Errors: OSError; db_error for an answer that is neither the file nor its
        absence.
        """
        request = urllib.request.Request(f"{self.url}/{key}", headers=dict(headers or {}), method=method)
        try:
            answer: Answer = urllib.request.urlopen(request, timeout=TIMEOUT_S)
        except urllib.error.HTTPError as error:
            if error.status not in ABSENT:
                raise trouble(self.url, "read", f"its server answers {error.status}") from None
            answer = error
        return answer

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            raise trouble(self.url, "read", getattr(error, "reason", error)) from None
