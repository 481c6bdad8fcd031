"""The container image of `codeagentd serve`, as an archive for `podman load` and `docker load`.

Variables: IMAGE_BASE, another image to build on than that of the Containerfile; IMAGE_FLAGS, further options of
`buildah build`, such as `-v` for the certificates of a proxy.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
from pathlib import Path
from typing import Final

from archives import compress, release_time
from programs import run

from codeagent_protocol.version import __version__

NAME: Final = f"codeagentd:{__version__}"


def build(sources: Path, out: Path) -> list[Path]:
    """Build the image from the wheel and the lock in `out`. Returns the path of the archive."""
    context = sources / "context"
    context.mkdir()
    for path in (*out.glob("*.whl"), *out.glob("*-constraints.txt")):
        shutil.copy(path, context)
    base = os.environ.get("IMAGE_BASE", "")
    flags = [*(["--build-arg", f"BASE={base}"] if base else []), *shlex.split(os.environ.get("IMAGE_FLAGS", ""))]
    recipe, noted = sources / "packaging/container/Containerfile", sources / "image-id"
    # docker's format is the one that has health checks
    fixed = ["--format", "docker", "--timestamp", str(release_time()), "--iidfile", str(noted), "--no-cache"]
    # by which the MCP registry knows that the image is of its entry
    entry = json.loads((sources / "packaging/server.json").read_text())
    label = f"io.modelcontextprotocol.server.name={entry['name']}"
    run(["buildah", "build", *fixed, "--label", label, *flags, "--file", recipe, context])
    image, archive = noted.read_text(), sources / f"codeagentd-{__version__}-image-{platform.machine()}.tar"
    run(["buildah", "push", image, f"docker-archive:{archive}:{NAME}"])
    run(["buildah", "rmi", image])
    return [compress(archive, out / f"{archive.name}.gz")]
