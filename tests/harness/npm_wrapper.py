"""The npm package with stand-ins for what it starts: programs that are shell scripts, and an index with a uv of ours."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.harness.loopback_registries import served_folder

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "packaging" / "npm"
TOOLS: Final = ("sh", "mkdir", "cat", "chmod", "sleep", "dirname")  # what the stand-ins need

# answers `version --json`; anything else prints what it was started with
PROGRAM: Final = """#!/bin/sh
if [ "$1" = version ]; then echo '{{"version": "{version}"}}'; exit 0; fi
if [ "$1" = fail ]; then exit 7; fi
if [ "$1" = die ]; then kill -9 $$; fi
if [ "$1" = wait ]; then trap 'echo terminated; exit 5' TERM; echo ready; while :; do sleep 0.05; done; fi
if [ "$1" = read ]; then exec cat; fi
echo "$0 $*"
echo "lasting: $CODEAGENT_LASTING_COMMAND"
"""

# as uv, and as python3, as far as the package asks them; they log their words and the current directory
UV: Final = """#!/bin/sh
echo "$PWD uv $*" >> {log}
case "$1 $2" in
  --version*) echo "uv 9.9.9";;
  "python find") echo /usr/bin/python3.12;;
  venv*) for folder in "$@"; do :; done; mkdir -p "$folder/bin"; echo made;;
  "pip install") mkdir -p "${{UV_CACHE_DIR:-{log}-cache}}"; {install}
    if [ "$UV_PYTHON_INSTALL_DIR" ]; then echo "variables of UV_PYTHON_INSTALL_DIR=$UV_PYTHON_INSTALL_DIR" >> {log}; fi;;
esac
"""
PYTHON: Final = """#!/bin/sh
echo "$PWD python3 $*" >> {log}
case "$2 $3" in
  "-m venv") mkdir -p "$4/bin"; cat "$0" > "$4/bin/python"; chmod 755 "$4/bin/python";;
  "-m pip") folder=$(dirname "$(dirname "$0")"); {copy};;
esac
"""
COPY: Final = (
    'for name in codeagentd codeagent-mcp codeagent-lsp; do cat {program} > "$folder/bin/$name"; '
    'chmod 755 "$folder/bin/$name"; done'
)


class Wrapper:
    """A machine of its own: a PATH with node alone, a home directory, and the package."""

    def __init__(self, place: Path) -> None:
        """Below `place`."""
        node = shutil.which("node")
        if not node or os.name == "nt":
            pytest.skip("node is not installed, or its stand-ins cannot run here")
        self.place, self.bin, self.home = place, place / "bin", place / "home"
        self.log = place / "log"
        self.package = place / "lib" / "node_modules" / "codeagentd"
        self.repository = place / "repository"
        for folder in (self.bin, self.home, self.repository):
            folder.mkdir(parents=True)
        shutil.copytree(PACKAGE, self.package)
        for name, program in [("node", node), *((tool, shutil.which(tool)) for tool in TOOLS)]:
            (self.bin / name).symlink_to(str(program))
        self.variables: dict[str, str] = {"PATH": str(self.bin), "HOME": str(self.home)}

    @property
    def environments(self) -> Path:
        """The folder of the environments that the package makes."""
        return self.home / ".local/share/codeagentd/npm"

    def script(self, path: Path, text: str) -> Path:
        """Write a program."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def installed(self, version: str, folder: Path | None = None) -> Path:
        """Put a codeagentd with its other programs on PATH, or into `folder`. Returns its folder."""
        for name in ("codeagentd", "codeagent-mcp", "codeagent-lsp"):
            self.script((folder or self.bin) / name, PROGRAM.format(version=version))
        return folder or self.bin

    def uv(self, path: Path | None = None, *, works: bool = True) -> Path:
        """Put a uv on PATH, or at `path`, whose `pip install` installs the programs, or fails."""
        program = self.script(self.place / "program", PROGRAM.format(version="9"))
        install = f'folder="$5"; {COPY.format(program=program)}' if works else "echo no network; exit 2"
        return self.script(path or self.bin / "uv", UV.format(log=self.log, install=install))

    def python(self) -> None:
        """Put a Python on PATH that can make virtual environments."""
        program = self.script(self.place / "program", PROGRAM.format(version="9"))
        self.script(self.bin / "python3", PYTHON.format(log=self.log, copy=COPY.format(program=program)))

    def version(self, version: str) -> None:
        """Make the package one of another version."""
        manifest = self.package / "package.json"
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": version}))

    def logged(self) -> list[str]:
        """What the installers were asked for."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def command(self, *words: str, program: str = "codeagentd") -> list[str]:
        """The command line that starts a program of the package."""
        return [str(self.bin / "node"), str(self.package / "bin" / f"{program}.js"), *words]

    def run(self, *words: str, program: str = "codeagentd", text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the package, in the repository."""
        return subprocess.run(
            self.command(*words, program=program),
            input=text,
            capture_output=True,
            text=True,
            timeout=30,
            env=self.variables,
            cwd=self.repository,
            check=False,
        )

    def interrupted(self, number: signal.Signals) -> tuple[int, str]:
        """Start a program that waits, and send the wrapper a signal. Returns exit code and output."""
        command = self.command("wait")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self.variables) as process:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            process.send_signal(number)
            return process.wait(10), process.stdout.read()

    @contextlib.contextmanager
    def index(self, *, sha256: str = "") -> Iterator[None]:
        """An index on this machine whose wheel of uv is a stand-in, and the package with its name and SHA-256, or with
        `sha256`.
        """
        folder = self.place / "index" / "uv"
        folder.mkdir(parents=True)
        wheel = folder / "uv-9.9.9-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("uv/__init__.py", "")
            packed.write(self.uv(self.place / "uv"), "uv-9.9.9.data/scripts/uv")
        (folder / "index.html").write_text(f'<a href="../uv/{wheel.name}#sha256=0">{wheel.name}</a>')
        pin = {"file": wheel.name, "sha256": sha256 or hashlib.sha256(wheel.read_bytes()).hexdigest()}
        platforms = [f"{system}-{machine}" for system in ("linux", "darwin") for machine in ("x64", "arm64")]
        pins: dict[str, Any] = {
            "version": "9.9.9",
            "index": "http://127.0.0.1:9/",
            "wheels": dict.fromkeys(platforms, pin),
        }
        (self.package / "lib" / "uv_wheels.json").write_text(json.dumps(pins))
        with served_folder(folder.parent) as address:
            self.variables["PIP_INDEX_URL"] = f"{address}/"
            yield
