"""The choice of a store by its URL."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from codeagent_protocol.errors import InvalidParameter

from .bucket_store import BucketStore
from .folder_store import FolderStore
from .store import Store
from .web_store import WebStore

BUCKETS: Final = ("s3", "gs", "az")
SCHEMES: Final = ("file", "http", "https", *BUCKETS)


def open_store(url: str) -> Store:
    """Return the store at `url`. Errors: invalid_parameter for a URL that names none; engine_unavailable where a
    package is missing for it.
    """
    parts = urlsplit(url if "://" in url else f"file://{Path(url).expanduser().absolute()}" if url else "")
    if parts.scheme not in SCHEMES:
        raise InvalidParameter(
            f"share.url: {parts.scheme or 'a text without a scheme'} is no store", parameter="share.url",
            remedy=f"use a folder or one of {', '.join(f'{scheme}://' for scheme in SCHEMES)}",
        )  # fmt: skip
    if parts.username or parts.password or parts.query:
        raise InvalidParameter(
            "share.url: passwords and tokens in a URL end up in logs", parameter="share.url",
            remedy="give the credentials as the tools of the store's maker take them, such as AWS_PROFILE",
        )  # fmt: skip
    if parts.scheme == "file":
        if parts.netloc not in ("", "localhost"):
            raise InvalidParameter(
                "share.url: file:// needs three slashes", parameter="share.url", remedy="use file:///folder"
            )
        return FolderStore(Path(unquote(parts.path)))
    if parts.scheme in BUCKETS:
        return BucketStore(url)
    return WebStore(url)
