"""Stores in buckets of S3, Google Cloud Storage and Azure, through obstore.

Credentials, regions and endpoints come from where the tools of these services take them (AWS_*, GOOGLE_*, AZURE_*).
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from typing import Any, Final

from codeagent_protocol.errors import EngineUnavailable

from .store import TIMEOUT_S, too_large, too_short, trouble

RETRIES: Final = 2  # of a request that fails: indexing waits for it


class BucketStore:
    """A store in a bucket: s3://bucket/folder, gs://bucket/folder, az://account/container/folder."""

    def __init__(self, url: str) -> None:
        """Errors: engine_unavailable where obstore is missing; db_error for a URL or credentials that it refuses."""
        try:
            import obstore
            from obstore.store import from_url
        except ImportError:
            raise EngineUnavailable(
                f"{url} needs the package obstore", remedy="pip install 'codeagentd[buckets]'"
            ) from None
        self.url = url
        self._obstore = obstore
        patience = datetime.timedelta(seconds=TIMEOUT_S)
        # only an endpoint that the user's variables name is ever asked without TLS
        options: Any = {"timeout": patience, "connect_timeout": patience, "allow_http": True}
        retries: Any = {"max_retries": RETRIES, "retry_timeout": patience}
        with self._coded("opened"):
            self._bucket: Any = from_url(url, client_options=options, retry_config=retries)

    def size(self, key: str) -> int | None:
        """See Store."""
        with self._coded("read"):
            try:
                return int(self._obstore.head(self._bucket, key)["size"])
            except FileNotFoundError:
                return None

    def get(self, key: str, start: int, length: int) -> bytes:
        """See Store."""
        with self._coded("read"):
            try:
                data = bytes(self._obstore.get_range(self._bucket, key, start=start, length=length))
            except FileNotFoundError:
                data = b""
        if len(data) < length:
            raise too_short(self.url, key)
        return data

    def whole(self, key: str, limit: int) -> bytes | None:
        """See Store."""
        size = self.size(key)
        if size is not None and size > limit:
            raise too_large(key, limit)
        return None if size is None else self.get(key, 0, size)

    def put(self, key: str, data: bytes) -> None:
        """See Store."""
        with self._coded("written"):
            self._obstore.put(self._bucket, key, data)

    @contextlib.contextmanager
    def _coded(self, what: str) -> Iterator[None]:
        """Turn the errors of obstore into db_error: `what` was not possible."""
        try:
            yield
        except (self._obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise trouble(self.url, what, error) from None
