"""The users of a server, each with a key and patterns of the repositories that they may see: a file of JSON lines that
is read again when it changes.
"""

from __future__ import annotations

import contextlib
import datetime
import fnmatch
import hmac
import os
import re
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol.dirs import home
from codeagent_protocol.errors import EngineUnavailable, InvalidParameter, NotFound
from codeagent_protocol.locks import FileLock
from codeagent_protocol.path_owners import fault_of
from codeagentd.base.log import EventLog
from codeagentd.base.paths import read_regular
from codeagentd.serve.http.keys import User, digest

FILE: Final = "users.jsonl"
KEY_BYTES: Final = 32  # random bytes of a key: no digest that is slow to compute is needed for these
MAX_BYTES: Final = 10_000_000
LOCK_S: Final = 5.0  # seconds to wait for another process that changes the file
LOOK_S: Final = 0.02
EVERY: Final = "*"
PREFIX: Final = "cad_"  # begins the keys, so that scanners of secrets can recognise them

_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._@+-]{0,99}", re.ASCII)
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")

_log = EventLog(__name__)


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the file. `sha256`: of the key, in hexadecimal; `repositories`: patterns, in which * stands for any
    characters; `expires`: the day (UTC) from which on the key is not valid, '' for never.
    """

    name: str
    sha256: str
    repositories: tuple[str, ...] = (EVERY,)
    expires: str = ""

    @property
    def fault(self) -> str:
        """What is wrong with the entry; '' for nothing."""
        if not _NAME.fullmatch(self.name):
            return "a name has letters of ASCII, digits and . _ @ + -, and at most 100 of them"
        if not _DIGEST.fullmatch(self.sha256):
            return "sha256 has to have 64 hexadecimal digits"
        if self.expires and _day(self.expires) is None:
            return "expires has to be a day such as 2027-01-31"
        return ""

    def is_over(self, now: datetime.datetime) -> bool:
        """Whether the key has expired."""
        day = _day(self.expires)
        return day is not None and now.astimezone(datetime.UTC).date() >= day


class Users:
    """The users in the file at `path`. Thread-safe. A file that is gone or cannot be read lets nobody in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._signature: tuple[int, ...] = (-1,)
        self._entries: dict[str, Entry] = {}

    def user_of(self, presented: tuple[str, ...]) -> User | None:
        """Return the user whose key is among those presented; None if it is nobody's, or has expired. Every key is
        compared, in constant time.
        """
        now, user = _now(), None
        digests = [digest(key).hex() for key in presented if key]
        for entry in self.entries().values():
            matches = [hmac.compare_digest(each, entry.sha256) for each in digests]
            if any(matches) and not entry.is_over(now):
                user = User(entry.name, entry.sha256)
        return user

    def may_see(self, user: User, repository: str) -> bool:
        """Whether `user` may see the repository of this name; a key that was revoked sees none."""
        entry = self.entries().get(user.key)
        return (
            entry is not None
            and not entry.is_over(_now())
            and any(fnmatch.fnmatchcase(repository, pattern) for pattern in entry.repositories)
        )

    def entries(self) -> dict[str, Entry]:
        """Return the entries of the file as it is now, by the digest of their keys."""
        signature = _signature(self.path)
        with self._lock:
            if signature != self._signature:
                self._entries = {entry.sha256: entry for entry in self._relied_on()}
                self._signature = signature
                _log.info("users read", users=len(self._entries))
            return self._entries

    def _relied_on(self) -> list[Entry]:
        """The entries of the file; none where another user could have written it."""
        if trouble := trouble_of(self.path):
            _log.warning("the file of users is not read", why=trouble)
            return []
        return _read(self.path)


class Anyone:
    """The users of a server without keys."""

    def user_of(self, presented: tuple[str, ...]) -> User | None:
        """Return a user for every request."""
        return User()

    def may_see(self, user: User, repository: str) -> bool:
        """Whether `user` may see the repository: always."""
        return True


def add(path: Path, name: str, repositories: tuple[str, ...], expires: str = "") -> str:
    """Add a user to the file at `path`, and return the new key, which is stored nowhere. Errors: invalid_parameter,
    engine_unavailable.
    """
    key = PREFIX + secrets.token_urlsafe(KEY_BYTES)
    entry = Entry(name, digest(key).hex(), repositories, expires)
    if entry.fault:
        raise InvalidParameter(
            entry.fault, parameter="expires" if entry.expires and "expires" in entry.fault else "name"
        )
    with _locked(path):
        entries = _read(path) if path.exists() else []
        if any(other.name == name for other in entries):
            raise InvalidParameter(
                f"there is a user {name} already",
                remedy=f"`codeagentd serve users remove {name}` first",
                parameter="name",
            )
        _write(path, [*entries, entry])
    return key


def remove(path: Path, name: str) -> None:
    """Remove a user from the file at `path`. Errors: not_found, engine_unavailable."""
    with _locked(path):
        entries = _read(path) if path.exists() else []
        rest = [entry for entry in entries if entry.name != name]
        if len(rest) == len(entries):
            raise NotFound(f"there is no user {name[:100]!r}", remedy="`codeagentd serve users list` lists them")
        _write(path, rest)


def listed(path: Path) -> list[Entry]:
    """Return the users in the file at `path`; none without a file."""
    return _read(path) if path.exists() else []


def trouble_of(path: Path) -> str:
    """Return why the file at `path` must not be relied on; '' for a sound one."""
    try:
        os.stat(path)
        fault = fault_of(os.path.abspath(path), home())
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    return f"{fault.step} {fault.reason}" if fault else ""


def _read(path: Path) -> list[Entry]:
    """The valid lines of the file. A line with a mistake is left out, and logged without its content."""
    result = []
    for number, line in enumerate((read_regular(path, MAX_BYTES) or b"").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = msgspec.json.decode(line, type=Entry)
            fault = entry.fault
        except msgspec.MsgspecError:
            fault = "it is no JSON of a user"
        if fault:
            _log.warning("a line of the file of users is left out", line=number, why=fault)
        else:
            result.append(entry)
    return result


def _write(path: Path, entries: list[Entry]) -> None:
    """Replace the file, whole or not at all; its owner alone can read it."""
    try:
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries))
                file.flush()
                os.fsync(file.fileno())
                if sys.platform != "win32" and os.geteuid() == 0:  # an administrator: the server's own user reads it
                    owner = os.stat(path if path.exists() else path.parent)
                    os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise
    except OSError as error:
        raise EngineUnavailable(
            f"{path} cannot be written: {error.strerror}", remedy="choose another --users"
        ) from error


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Be the only process that changes the file. Errors: engine_unavailable."""
    lock = FileLock(f"{path}.lock")
    deadline = time.monotonic() + LOCK_S
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while not lock.try_take():
            if time.monotonic() > deadline:
                raise EngineUnavailable(f"another process changes {path}", remedy="try again")
            time.sleep(LOOK_S)
    except OSError as error:
        raise EngineUnavailable(
            f"{path} cannot be written: {error.strerror}", remedy="choose another --users"
        ) from error
    try:
        yield
    finally:
        lock.release()


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _signature(path: Path) -> tuple[int, ...]:
    try:
        info = os.stat(path)
    except OSError:
        return ()
    return info.st_ino, info.st_size, info.st_mtime_ns, info.st_mode, info.st_uid
