"""The extension of VS Code. Its own tool packs it, with times in the archive; then it is packed again without them."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from archives import files_below, write_zip
from programs import run

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Build the extension from its lock, and return the path of its .vsix."""
    folder = sources / "editors" / "vscode"
    shutil.copy(sources / "LICENSE", folder)
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)
    run(["npm", "run", "build"], cwd=folder)
    run(["npm", "exec", "vsce", "--", "package", "--no-dependencies", "--out", "packed.vsix"], cwd=folder)
    with zipfile.ZipFile(folder / "packed.vsix") as packed:
        packed.extractall(folder / "packed")
    return [write_zip(out / f"codeagentd-{__version__}.vsix", files_below(folder / "packed"))]
