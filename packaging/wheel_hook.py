"""What `make release` has made for the wheel beforehand: manual pages and completions, and its bill of materials.

A wheel that is built from the sources alone, as `pip install .` does it, has none of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedFiles(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's type of its own configuration
    """Puts `generated/share` below the environment's share/, and `generated/*.cdx.json` into the wheel's metadata."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files that there are."""
        generated = Path(self.root, "generated")
        if (generated / "share").is_dir():
            build_data["shared_data"][str(generated / "share")] = "share"
        build_data["sbom_files"] += [str(path) for path in sorted(generated.glob("*.cdx.json"))]
