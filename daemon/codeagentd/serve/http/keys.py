"""The keys that requests over HTTP have to carry, and the users that they stand for."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final, Protocol

import msgspec

BEARER: Final = "bearer"


class User(msgspec.Struct, frozen=True):
    """Whoever sends a request. `name` is '' where no key is needed, or one key is for all; `key` identifies the key."""

    name: str = ""
    key: str = ""


ANYBODY: Final = User()


class Keys(Protocol):
    """The valid keys."""

    def user_of(self, presented: tuple[str, ...]) -> User | None:
        """Return the user of the first valid key among those that a request presents; None without a valid one."""


class OneKey:
    """The key that all clients share; '' lets everybody in."""

    def __init__(self, key: str) -> None:
        self._digest = digest(key.strip()) if key.strip() else b""

    def user_of(self, presented: tuple[str, ...]) -> User | None:
        """Return ANYBODY if the key is among those presented, or if none is needed."""
        if not self._digest:
            return ANYBODY
        # digests of equal length are compared in constant time, so that neither time nor length shows how much of a
        # guess is right
        matches = [hmac.compare_digest(digest(key), self._digest) for key in presented]
        return ANYBODY if any(matches) else None


def presented_keys(headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys that a request carries: in X-API-Key, and in Authorization as a bearer's."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return headers.get("x-api-key", ""), token.strip() if scheme.lower() == BEARER else ""


def digest(key: str) -> bytes:
    """Return the SHA-256 of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
