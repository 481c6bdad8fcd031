"""The log of what `codeagentd setup` has made, from which `codeagentd setup --undo` removes it: `setup.json`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from codeagent_protocol import dirs
from codeagentd.clients.safe_files import original, replace


class SetupLog(msgspec.Struct, frozen=True):
    """What setup has made. `environment`: the version in its virtual environment, "" while that is being made, None for
    none; `links`: those to its programs; `folders`: those that were missing before, the deepest first.
    """

    environment: str | None = None
    links: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def load() -> SetupLog:
    """Return the log; an empty one when there is none, or none that can be read."""
    try:
        return msgspec.json.decode(path().read_bytes(), type=SetupLog)
    except (OSError, msgspec.DecodeError):
        return SetupLog()


def note(**changes: Any) -> None:
    """Write fields of the log, before what they name is made. Errors: OSError; engine_unavailable."""
    dirs.private(dirs.data_dir())
    log = load()
    noted = msgspec.structs.replace(log, **changes)
    if noted != log or not path().exists():
        replace(original(str(path())), msgspec.json.format(msgspec.json.encode(noted), indent=2) + b"\n")


def begin(others: Iterable[Path]) -> None:
    """Note the folders that are missing before anything is made, of this program's own directories and `others`."""
    own = (dirs.data_dir(), dirs.cache_dir(), dirs.state_dir(), dirs.runtime_dir())
    missing = {str(folder) for place in (*own, *others) for folder in (place, *place.parents) if not folder.exists()}
    known = load().folders
    note(folders=tuple(sorted({*known, *missing}, key=lambda folder: (-folder.count(os.sep), folder))))


def path() -> Path:
    """Return the path of the log."""
    return dirs.data_dir() / "setup.json"
