"""A store in a directory that all machines see: objects by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter


class Store(Protocol):
    """Objects by name, which every machine reads and writes. Errors: engine_unavailable."""

    def size(self, key: str) -> int | None:
        """Return the bytes of the object; None where there is none."""

    def get(self, key: str, start: int = 0, length: int | None = None) -> bytes:
        """Return the object, or a part of it."""

    def put(self, key: str, data: bytes) -> None:
        """Write the object: whole or not at all."""

    def names(self, prefix: str) -> Iterator[str]:
        """Yield the keys that begin with `prefix`, a folder."""


class DirectoryStore:
    """Objects as files below one directory."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def size(self, key: str) -> int | None:
        """Return the bytes of the object; None where there is none."""
        try:
            return (self._root / key).stat().st_size
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable("read", error) from None

    def get(self, key: str, start: int = 0, length: int | None = None) -> bytes:
        """Return the object, or a part of it."""
        try:
            with (self._root / key).open("rb") as file:
                file.seek(start)
                return file.read(-1 if length is None else length)
        except OSError as error:
            raise self._unusable("read", error) from None

    def put(self, key: str, data: bytes) -> None:
        """Write the object: whole or not at all."""
        path = self._root / key
        part = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            raise self._unusable("written", error) from None

    def names(self, prefix: str) -> Iterator[str]:
        """Yield the keys that begin with `prefix`, a folder."""
        folder = self._root / prefix
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_file() and not path.name.startswith("."):
                yield path.relative_to(self._root).as_posix()

    def _unusable(self, use: str, error: OSError) -> EngineUnavailable:
        return EngineUnavailable(
            f"the store {self._root} cannot be {use}: {error.strerror or error}",
            remedy="make it a directory that every machine can write, with room on its disk, and run this again: "
            "it goes on where it was",
        )


def open_store(url: str) -> Store:
    """Return the store at `url`. Errors: invalid_parameter."""
    path = url.removeprefix("file://")
    if "://" in path or not path:
        raise InvalidParameter(f"{url!r} is no store", remedy="pass file:///a/directory", parameter="store")
    return DirectoryStore(Path(path).absolute())
