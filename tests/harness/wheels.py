"""Wheels of this checkout with any version, which need no index: the packages that it needs are found in this environment."""

from __future__ import annotations

import re
import subprocess
import sysconfig
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("daemon/codeagentd", "shim/codeagent_shim", "protocol/codeagent_protocol")
VERSION_FILE: Final = "codeagent_protocol/version.py"
ENTRY_POINTS: Final = """[console_scripts]
codeagentd = codeagentd.cli.main:main
codeagent-mcp = codeagent_shim.main:main
codeagent-lsp = codeagent_shim.language_server:main
"""


def wheel(folder: Path, version: str, migration: str = "") -> Path:
    """Write the wheel of a version into a folder; `migration`: a script that its index's schema has beyond ours."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"codeagentd-{version}-py3-none-any.whl"
    info = f"codeagentd-{version}.dist-info"
    # the rest of this environment; its own codeagentd comes after the one of the wheel
    texts = {
        "codeagentd_needs.pth": f"{sysconfig.get_path('purelib')}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: codeagentd\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": ENTRY_POINTS,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for package in PACKAGES:
            for file in sorted((ROOT / package).rglob("*")):
                name = str(file.relative_to((ROOT / package).parent))
                if file.is_file() and "__pycache__" not in name:
                    archive.writestr(name, _of_version(name, file.read_bytes(), version))
        for manager in ("systemd", "launchd"):
            for file in sorted((ROOT / manager).iterdir()):
                archive.write(file, f"codeagentd/cli/services/data/{manager}/{file.name}")
        if migration:
            from tests.harness.upgrade import SCHEMA

            archive.writestr(f"codeagentd/store/schema/{SCHEMA:04}_index.sql", migration)
        for name, text in texts.items():
            archive.writestr(name, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*archive.namelist(), f"{info}/RECORD"]))
    return path


def environment(folder: Path, wheel: Path, python: str) -> Path:
    """Make a virtual environment in a folder, with the wheel; returns the folder of its programs."""
    for command in (
        [python, "-m", "venv", str(folder)],
        [
            str(folder / "bin/python"),
            "-m",
            "pip",
            "install",
            "-q",
            "--no-index",
            "--no-cache-dir",
            "--no-compile",
            str(wheel),
        ],
    ):
        subprocess.run(command, check=True, capture_output=True)
    return folder / "bin"


def offline(folder: Path) -> dict[str, str]:
    """The variables by which installers know no index but a folder of wheels."""
    return {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
        "PIP_CONFIG_FILE": "/dev/null",
        "UV_NO_INDEX": "1",
        "UV_FIND_LINKS": str(folder),
        "UV_NO_CONFIG": "1",
    }


def _of_version(name: str, content: bytes, version: str) -> bytes:
    if name != VERSION_FILE:
        return content
    return re.sub(rb'__version__ = "[^"]*"', f'__version__ = "{version}"'.encode(), content)
