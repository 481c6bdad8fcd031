"""Files that are written outside of this program's own directories. Such a file is recognised by a line with the digest
of the rest; a file with other content is never changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagent_protocol.errors import CodedError, EngineUnavailable, InvalidParameter

ABSENT: Final = "absent"
CURRENT: Final = "current"
OUTDATED: Final = "outdated"  # our file, written by another version or in another environment
EDITED: Final = "edited"  # our file, changed since
FOREIGN: Final = "foreign"  # a file that this program never wrote
OURS: Final = (CURRENT, OUTDATED)

_MARK: Final = re.compile(r"^.*codeagentd service, sha256 ([0-9a-f]{64}).*\n", re.MULTILINE)
MAX_BYTES: Final = 1_000_000


class Planned(NamedTuple):
    """A file with its intended content. The mark is its first line, or in XML the line after the declaration."""

    path: Path
    text: str

    def marked(self) -> str:
        """Return the text with its mark."""
        mark = f"codeagentd service, sha256 {_digest(self.text)}"
        if self.text.startswith("<?xml"):
            head, _, rest = self.text.partition("\n")
            return f"{head}\n<!-- {mark} -->\n{rest}"
        return f"# {mark}\n{self.text}"


def state(planned: Planned) -> str:
    """Return the state of the file of `planned` on the disk: ABSENT, CURRENT, OUTDATED, EDITED or FOREIGN. Errors:
    engine_unavailable when it cannot be read.
    """
    try:
        if planned.path.is_symlink():
            return FOREIGN
        with planned.path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_BYTES)
    except FileNotFoundError:
        return ABSENT
    except OSError as error:
        raise _trouble("read", planned.path, error) from error
    mark = _MARK.search(text)
    if not mark:
        return FOREIGN
    if _digest(text[: mark.start()] + text[mark.end() :]) != mark[1]:
        return EDITED
    return CURRENT if text == planned.marked() else OUTDATED


def refuse_changed(files: Iterable[Planned], verb: str) -> None:
    """Check that none of `files` was changed by others; `verb` names the action in the error.

    Errors: invalid_parameter when an existing file is not as this command wrote it; no file has been changed then.
    """
    for planned in files:
        if (mark := state(planned)) in (EDITED, FOREIGN):
            why = "has been edited" if mark == EDITED else "is not of `codeagentd service install`"
            raise InvalidParameter(
                f"{planned.path} {why}: nothing was {verb}",
                remedy="move it away, or keep it and go on without this command",
            )


def write(files: Sequence[Planned]) -> list[Path]:
    """Write those of `files` that differ on the disk, all or none. Returns the paths of the written files.

    Errors: invalid_parameter for a file of another program; engine_unavailable when a file cannot be written.
    """
    refuse_changed(files, "written")
    before: list[tuple[Path, bytes | None]] = []
    for planned in files:
        if state(planned) == CURRENT:
            continue
        try:
            before.append((planned.path, planned.path.read_bytes() if planned.path.exists() else None))
            _replace(planned.path, planned.marked().encode())
        except OSError as error:
            _restore(before)
            raise _trouble("written", planned.path, error) from error
    return [path for path, _ in before]


def remove(files: Sequence[Planned], base: Path) -> list[Path]:
    """Remove this program's files, and the directories that are then empty, up to but not including `base`. Returns the
    removed paths.

    Errors: as `write`.
    """
    refuse_changed(files, "removed")
    removed = []
    for planned in files:
        if state(planned) == ABSENT:
            continue
        try:
            planned.path.unlink()
        except OSError as error:
            raise _trouble("removed", planned.path, error) from error
        removed.append(planned.path)
        prune(planned.path.parent, base)
    return removed


def prune(folder: Path, base: Path) -> None:
    """Remove the directory `folder` and those above it as long as they are empty and below `base`."""
    with contextlib.suppress(OSError):
        while base in folder.parents:
            folder.rmdir()
            folder = folder.parent


def _replace(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it: a manager that reads meanwhile sees the old file or the new
    one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=".codeagentd-")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def _restore(before: Iterable[tuple[Path, bytes | None]]) -> None:
    for path, content in before:
        with contextlib.suppress(OSError):
            if content is None:
                path.unlink(missing_ok=True)
            else:
                _replace(path, content)


def _trouble(verb: str, path: Path, error: OSError) -> CodedError:
    remedy = "make it writable; without a service the first window starts the daemon"
    return EngineUnavailable(f"{path} cannot be {verb}: {error.strerror}", remedy=remedy)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
