"""Archives whose bytes depend on the names, contents and executable bits of their files alone."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_FILE: Final = 0o644
_PROGRAM: Final = 0o755
_UNIX: Final = 3  # the system that a zip names, so that readers take its modes
_REGULAR: Final = 0o100000


def release_time() -> int:
    """Return the time that every file of a release has, in seconds since 1970: SOURCE_DATE_EPOCH, the commit's date."""
    return int(os.environ["SOURCE_DATE_EPOCH"])


def files_below(folder: Path, prefix: str = "") -> dict[str, Path]:
    """Return the files below `folder` by their names in an archive: `prefix`, then the path. Symbolic links are
    refused, since a zip cannot carry them everywhere. Errors: SystemExit.
    """
    found = {prefix + path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*"))}
    if links := [name for name, path in found.items() if path.is_symlink()]:
        raise SystemExit(f"{folder}: symbolic links cannot be released: {', '.join(links)}")
    return {name: path for name, path in found.items() if path.is_file()}


def write_tar(archive: Path, files: Mapping[str, Path]) -> Path:
    """Write `files`, by name in the archive, to a .tar.gz. Returns `archive`."""
    with _gzip(archive) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content, mode in _entries(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, release_time()
            tar.addfile(entry, io.BytesIO(content))
    return archive


def write_zip(archive: Path, files: Mapping[str, Path]) -> Path:
    """Write `files`, by name in the archive, to a zip (also .mcpb, .vsix). Returns `archive`."""
    moment = datetime.fromtimestamp(release_time(), UTC).timetuple()[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content, mode in _entries(files):
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, _UNIX
            entry.external_attr = (_REGULAR | mode) << 16
            packed.writestr(entry, content)
    return archive


@contextmanager
def _gzip(archive: Path) -> Iterator[gzip.GzipFile]:
    """A gzip file without a name, and with the release's time."""
    with (
        archive.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=release_time()) as packed,
    ):
        yield packed


def _entries(files: Mapping[str, Path]) -> Iterator[tuple[str, bytes, int]]:
    """Name, content and mode of each file, sorted by name."""
    for name, path in sorted(files.items()):
        yield name, path.read_bytes(), _PROGRAM if os.access(path, os.X_OK) else _FILE
