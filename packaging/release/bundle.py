"""The bundle for Claude Desktop and other hosts of .mcpb files, and the entry of the MCP registry that names it."""

from __future__ import annotations

import json
from pathlib import Path

from archives import files_below, write_zip
from checksums import sha256


def build(sources: Path, out: Path) -> list[Path]:
    """Build the bundle, and the entry with its SHA-256, which clients verify. Returns their paths."""
    entry = json.loads((sources / "packaging" / "server.json").read_text())
    version, repository = entry["version"], entry["repository"]["url"]
    bundle = write_zip(out / f"codeagentd-{version}.mcpb", files_below(sources / "packaging" / "mcpb"))
    listed = {
        "registryType": "mcpb",
        "identifier": f"{repository}/releases/download/v{version}/{bundle.name}",
        "fileSha256": sha256(bundle),
        "transport": {"type": "stdio"},
    }
    entry["packages"].append(listed)
    published = out / "server.json"
    published.write_text(json.dumps(entry, indent=2, ensure_ascii=False) + "\n")
    return [bundle, published]
