"""The npm package, as `npm pack` would make it: its files below package/, and the hashes of all that it installs."""

from __future__ import annotations

import json
from pathlib import Path

from archives import files_below, write_tar
from constraints import requirements


def build(sources: Path, out: Path) -> list[Path]:
    """Build the tarball. Returns its path."""
    folder = sources / "packaging" / "npm"
    (folder / "lib" / "requirements.txt").write_text(requirements(sources, out))
    manifest = json.loads((folder / "package.json").read_text())
    files = {f"package/{name}": folder / name for name in ("package.json", "README.md")}
    for name in manifest["files"]:
        files |= files_below(folder / name, f"package/{name}/")
    files["package/LICENSE"] = sources / "LICENSE"
    return [write_tar(out / f"{manifest['name']}-npm-{manifest['version']}.tgz", files)]
