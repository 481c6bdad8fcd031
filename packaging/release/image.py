"""The container image of `codeagentd serve`, as an archive for `podman load` and `docker load`.

Variables: IMAGE_BASE, another image to build on than that of the Containerfile; IMAGE_FLAGS, further options of
`buildah build`, such as `-v` for the certificates of a proxy.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import shutil
import tarfile
from pathlib import Path
from typing import Final

from archives import release_time, write_tar
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
    image, archive = noted.read_text(), sources / "image.tar"
    run(["buildah", "push", image, f"docker-archive:{archive}:{NAME}"])
    run(["buildah", "rmi", image])
    with tarfile.open(archive) as pushed:
        pushed.extractall(sources / "image", filter="data")
    archive.unlink()
    name = f"codeagentd-{__version__}-image-{platform.machine()}.tar.gz"
    return [write_tar(out / name, _described_again(sources / "image"))]


def _described_again(folder: Path) -> dict[str, Path]:
    """Return the files of an image, by name in its archive, with a description that every build of it has: without
    the container in which it was made, and without what Docker read before 1.10, which names that container too.
    """
    (entry,) = json.loads((folder / "manifest.json").read_text())
    description = json.loads((folder / entry["Config"]).read_text())
    for key in ("container", "container_config"):
        del description[key]
    description["config"]["Hostname"] = ""
    text = json.dumps(description).encode()
    entry["Config"] = f"{hashlib.sha256(text).hexdigest()}.json"
    (folder / entry["Config"]).write_bytes(text)
    (folder / "manifest.json").write_text(json.dumps([entry]))
    return {name: folder / name for name in ("manifest.json", entry["Config"], *entry["Layers"])}
