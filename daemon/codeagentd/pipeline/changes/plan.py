"""The plan of a batch, computed without side effects from the files in the index and the files on the disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from codeagentd.base.text import is_binary, is_lock_file, type_by_name
from codeagentd.languages.language import OTHER
from codeagentd.scan.walk import Stat

UNSUPPORTED: Final = "no supported language"
BINARY: Final = "binary"
SECRET: Final = "secret"
LOCK_FILE: Final = "lock file"
SWITCHED_OFF: Final = "language not among the settings' languages"
_TEXT_TYPES: Final = frozenset(
    {
        "application/json",
        "application/xml",
        "application/javascript",
        "image/svg+xml",
        "application/x-sh",
        "application/toml",
    }
)


class Plan(msgspec.Struct, frozen=True):
    """The paths to read (`changed`), and the paths whose rows are removed (`gone`). Sorted, so that the same changes
    give the same batches.
    """

    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def compare(known: Mapping[str, Stat], on_disk: Mapping[str, Stat]) -> Plan:
    """Return the plan that makes the index's files (`known`) those on disk; equal size and time mean equal content."""
    changed = sorted(path for path, stat in on_disk.items() if known.get(path) != stat)
    gone = sorted(path for path in known if path not in on_disk)
    return Plan(tuple(changed), tuple(gone))


def why_not_parsed(path: str, language: str, sample: Callable[[], bytes], chosen: frozenset[str] = frozenset()) -> str:
    """Return the reason why the file at `path` is only counted; '' when it is read, because `language` is one of
    `chosen` (empty: all languages).

    Args: sample: gives the first bytes of the file.
    """
    if is_lock_file(path):
        return LOCK_FILE
    if language == OTHER and may_be_binary(path) and (not (first := sample()) or is_binary(first)):
        return BINARY if first else UNSUPPORTED
    return "" if not chosen or language in chosen else SWITCHED_OFF


def may_be_binary(path: str) -> bool:
    """Whether the name of the file at `path` suggests that it is not text. The name alone is no proof: many tables of
    MIME types take go.mod for music.
    """
    kind = type_by_name(path)
    return kind.split("/")[0] in ("image", "audio", "video", "font", "application") and kind not in _TEXT_TYPES
