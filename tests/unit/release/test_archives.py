"""Archives of a release: the same files make the same bytes, whenever and wherever they were written."""

from __future__ import annotations

import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import archives
import pytest

Write = Callable[[Path, Mapping[str, Path]], Path]
WRITERS = [pytest.param(archives.write_tar, id="tar"), pytest.param(archives.write_zip, id="zip")]


def written(folder: Path, names: list[str], mode: int, mtime: int) -> dict[str, Path]:
    """A folder with the files `names`, one of which is a program, written in this order."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}")
        path.chmod(mode | (0o111 if "bin/" in name else 0))
        os.utime(path, (mtime, mtime))
    return archives.files_below(folder, "top/")


@pytest.mark.parametrize("write", WRITERS)
def test_order_times_and_modes_of_the_files_do_not_show(tmp_path: Path, write: Write):
    names = ["b.txt", "bin/run", "a/deep.txt"]
    first = write(tmp_path / "1", written(tmp_path / "one", names, 0o644, 1_000_000_000))
    second = write(tmp_path / "2", written(tmp_path / "two", names[::-1], 0o600, 1_500_000_000))
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("write", WRITERS)
def test_another_content_makes_other_bytes(tmp_path: Path, write: Write):
    files = written(tmp_path / "one", ["a.txt"], 0o644, 0)
    first = write(tmp_path / "1", files).read_bytes()
    files["top/a.txt"].write_text("something else")
    assert write(tmp_path / "2", files).read_bytes() != first


def test_a_tar_has_the_date_of_the_commit_and_keeps_programs_executable(tmp_path: Path):
    made = archives.write_tar(tmp_path / "x.tar.gz", written(tmp_path / "one", ["a.txt", "bin/run"], 0o600, 0))
    with tarfile.open(made) as tar:
        entries = [(entry.name, entry.mode, entry.mtime, entry.uid) for entry in tar]
    assert entries == [("top/a.txt", 0o644, 1_700_000_000, 0), ("top/bin/run", 0o755, 1_700_000_000, 0)]


def test_a_zip_has_the_date_of_the_commit_and_keeps_programs_executable(tmp_path: Path):
    made = archives.write_zip(tmp_path / "x.zip", written(tmp_path / "one", ["a.txt", "bin/run"], 0o600, 0))
    with zipfile.ZipFile(made) as packed:
        entries = [(entry.filename, entry.external_attr >> 16 & 0o777, entry.date_time) for entry in packed.infolist()]
        assert packed.read("top/a.txt") == b"content of a.txt"
    moment = (2023, 11, 14, 22, 13, 20)
    assert entries == [("top/a.txt", 0o644, moment), ("top/bin/run", 0o755, moment)]


def test_a_symbolic_link_is_refused(tmp_path: Path):
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(SystemExit, match="symbolic links cannot be released: link"):
        archives.files_below(tmp_path)
