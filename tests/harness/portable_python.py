"""A Python that runs from any folder, made of a clean machine's: what uv fetches where the network has no Python for it.

It has the layout of the archives that uv takes, whose own source the tests do not reach.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

import pytest

from tests.harness.clean_machines import Machine

OF_EVERY_SYSTEM: Final = ("libc.", "libm.", "ld-")  # libraries that belong to the system's C library


def archive(machine: Machine) -> tuple[Path, str]:
    """Return an archive of the machine's Python, with the libraries that it needs, and its version. It is made once."""
    if not shutil.which("patchelf"):
        pytest.skip("patchelf is not installed")
    version = _chrooted(machine.root, "python3", "-c", "import platform; print(platform.python_version())").strip()
    made = Path(sys.prefix) / "machines" / f"cpython-{version}.tar.gz"
    if not made.is_file():
        folder = made.with_name("cpython-files")
        shutil.rmtree(folder, ignore_errors=True)
        _copy(machine.root, f"python{version.rsplit('.', 1)[0]}", folder)
        with tarfile.open(made.with_suffix(".part"), "w:gz", compresslevel=1) as tar:
            tar.add(folder, "python")
        made.with_suffix(".part").rename(made)
        shutil.rmtree(folder)
    return made, version


def _copy(root: Path, name: str, folder: Path) -> None:
    library = root / "usr/lib" / name
    ignored = shutil.ignore_patterns("__pycache__", "test", "EXTERNALLY-MANAGED")
    shutil.copytree(library, folder / "lib" / name, ignore=ignored, ignore_dangling_symlinks=True)
    program = folder / "bin" / name
    program.parent.mkdir()
    shutil.copy2(root / "usr/bin" / name, program)
    (program.parent / "python3").symlink_to(name)
    modules = [f"/{path.relative_to(root)}" for path in (library / "lib-dynload").glob("*.so")]
    for needed in set(re.findall(r"=> (/\S+)", _chrooted(root, "ldd", f"/usr/bin/{name}", *modules))):
        if not Path(needed).name.startswith(OF_EVERY_SYSTEM):
            found = _chrooted(root, "readlink", "-f", needed).strip()
            shutil.copy2(root / found.lstrip("/"), folder / "lib" / Path(needed).name)
    # the older kind of search path: it counts for the libraries of modules too
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../lib", program], check=True)


def _chrooted(root: Path, *words: str) -> str:
    return subprocess.run(["chroot", root, *words], capture_output=True, text=True, check=True).stdout
