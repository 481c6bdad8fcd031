"""Writes lib/uv_wheels.json: the wheels of one version of uv, with their SHA-256.

    python packaging/npm/pin_uv.py 0.13.9

The wheels are fetched with pip, which verifies them against its index.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

PINS: Final = Path(__file__).parent / "lib" / "uv_wheels.json"
INDEX: Final = "https://pypi.org/simple"  # unless the user names another one: lib/uv_wheel.js

# Node.js's platform and architecture, and the tag of the wheel; those of musl are static, and run on every Linux
TAGS: Final = {
    "darwin-arm64": "macosx_11_0_arm64",
    "darwin-x64": "macosx_10_12_x86_64",
    "linux-arm64": "musllinux_1_1_aarch64",
    "linux-x64": "musllinux_1_1_x86_64",
    "win32-arm64": "win_arm64",
    "win32-x64": "win_amd64",
}


def pinned(version: str, tag: str) -> dict[str, str]:
    """Return the name and the SHA-256 of uv's wheel for a platform tag."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["--platform", tag, "--only-binary", ":all:", "--no-deps", "--dest", folder, f"uv=={version}"]
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *wanted], check=True)
        (wheel,) = Path(folder).iterdir()
        return {"file": wheel.name, "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest()}


def main(version: str) -> None:
    """Write the pins of a version."""
    wheels = {platform: pinned(version, tag) for platform, tag in TAGS.items()}
    PINS.write_text(json.dumps({"version": version, "index": INDEX, "wheels": wheels}, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
