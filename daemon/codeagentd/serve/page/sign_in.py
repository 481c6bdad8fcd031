"""Who may see the page: tokens that work once, and the cookies that browsers get for them.

A token is in the fragment of the address that `codeagentd ui` opens, which browsers send to nobody. What is stored are
digests: a page that is open when the daemon is replaced stays signed in.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.paths import read_regular
from codeagentd.serve.http.keys import User, digest

TOKEN_S: Final = 600.0  # a token works for so long, once
COOKIE_S: Final = 7 * 86_400  # and its cookie for so long
MOST: Final = 32  # tokens, and cookies; the oldest make room
MAX_FILE_BYTES: Final = 100_000

VIEWER: Final = User("viewer")
EDITOR: Final = User("editor")  # may also change memories and tasks


class SignedIn(msgspec.Struct, frozen=True):
    """A browser that has signed in: the digest of its cookie, in hexadecimal, and when it ends, in unix seconds."""

    digest: str
    until: float
    may_write: bool = False


class PageState(msgspec.Struct, frozen=True):
    """What the next daemon needs to go on with the page: the port, and the browsers."""

    port: int = 0
    browsers: tuple[SignedIn, ...] = ()


class SignIns:
    """The tokens and cookies of one page. `file` keeps its state. To be used on the event loop."""

    def __init__(self, file: Path, now: Callable[[], float] = time.time) -> None:
        self._file = file
        self._now = now
        self._tokens: dict[bytes, tuple[float, bool]] = {}  # by digest: when it ends, whether it lets write
        self._state = self._living(_stored(file))

    @property
    def port(self) -> int:
        """The port of the page that browsers are signed in to; 0 where there is none."""
        return self._state.port if self._state.browsers else 0

    def keep_port(self, port: int) -> None:
        """Remember the port where the page listens."""
        if port != self._state.port:
            self._save(PageState(port, self._state.browsers))

    def new_token(self, *, may_write: bool = False) -> str:
        """Return a new token."""
        now = self._now()
        living = [(key, entry) for key, entry in self._tokens.items() if entry[0] > now]
        token = secrets.token_urlsafe(32)
        self._tokens = dict([*living[-(MOST - 1) :], (digest(token), (now + TOKEN_S, may_write))])
        return token

    def redeem(self, token: str) -> str | None:
        """Return the value of a new cookie for a token, which is used up then; None for one that does not work."""
        until, may_write = self._tokens.pop(digest(token.strip()), (0.0, False))
        if until <= self._now():
            return None
        value = secrets.token_urlsafe(32)
        browser = SignedIn(digest(value).hex(), self._now() + COOKIE_S, may_write)
        self._save(PageState(self._state.port, (*self._living(self._state).browsers[-(MOST - 1) :], browser)))
        return value

    def sign_out(self, presented: tuple[str, ...]) -> None:
        """Forget the browsers that have these cookies."""
        gone = {digest(value).hex() for value in presented}
        left = tuple(browser for browser in self._state.browsers if browser.digest not in gone)
        self._save(PageState(self._state.port, left))

    def user_of(self, presented: tuple[str, ...]) -> User | None:
        """Return who presents one of the cookies; None where none is valid."""
        # the digests of secrets are looked up, so that the time of a comparison tells nothing about a secret
        digests = {digest(value).hex() for value in presented if value}
        for browser in self._state.browsers:
            if browser.digest in digests and browser.until > self._now():
                return EDITOR if browser.may_write else VIEWER
        return None

    def _living(self, state: PageState) -> PageState:
        return PageState(state.port, tuple(browser for browser in state.browsers if browser.until > self._now()))

    def _save(self, state: PageState) -> None:
        """Keep the state, on the disk too where that is possible."""
        self._state = state
        part = self._file.with_name(f".{self._file.name}")
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(msgspec.json.encode(state))
            part.replace(self._file)


def _stored(file: Path) -> PageState:
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(read_regular(file, MAX_FILE_BYTES) or b"", type=PageState)
    return PageState()
