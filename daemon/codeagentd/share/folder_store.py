"""Stores in a folder, of this machine or a mounted one."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from .store import too_large, too_short, trouble


class FolderStore:
    """A store in a folder, of this machine or a mounted one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = f"file://{folder}"

    def size(self, key: str) -> int | None:
        """See Store."""
        try:
            return os.stat(self._folder / key).st_size
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise trouble(self.url, "read", error) from None

    def get(self, key: str, start: int, length: int) -> bytes:
        """See Store."""
        try:
            with (self._folder / key).open("rb", buffering=0) as file:
                file.seek(start)
                data = b""
                while len(data) < length and (part := file.read(length - len(data))):
                    data += part
        except FileNotFoundError:
            raise too_short(self.url, key) from None
        except OSError as error:
            raise trouble(self.url, "read", error) from None
        if len(data) < length:
            raise too_short(self.url, key)
        return data

    def whole(self, key: str, limit: int) -> bytes | None:
        """See Store."""
        size = self.size(key)
        if size is None:
            return None
        if size > limit:
            raise too_large(key, limit)
        return self.get(key, 0, size)

    def put(self, key: str, data: bytes) -> None:
        """See Store."""
        place = self._folder / key
        part = place.with_name(f".{place.name}.{secrets.token_hex(6)}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, place)
        except OSError as error:
            raise trouble(self.url, "written", error) from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
