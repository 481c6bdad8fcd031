"""Registries on loopback that have the artefacts of a release and nothing else: an index of Python packages, a registry
of npm, and a source of Pythons for uv.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import shutil
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

NAME: Final = "codeagentd"


@contextlib.contextmanager
def registries(release: Path, python: tuple[Path, str] | None = None) -> Iterator[dict[str, str]]:
    """Serve the wheel and the npm package in `release`, and an archive of Python with its version. Yields the variables
    by which installers find them; what is not there they take from the registries that they know.
    """
    (wheel,) = release.glob("*.whl")
    (tarball,) = release.glob("*-npm-*.tgz")
    with tempfile.TemporaryDirectory(prefix="registries-") as place, served_folder(Path(place)) as address:
        folder = Path(place)
        for file in [wheel, tarball, *(python or ())[:1]]:
            shutil.copy(file, folder)
        _write(
            folder / "simple" / NAME / "index.html", f'<a href="/{wheel.name}#sha256={_sha256(wheel)}">{wheel.name}</a>'
        )
        _write(folder / "npm" / NAME, _packument(tarball, address))
        variables = {
            "UV_INDEX": f"{address}/simple",
            "PIP_EXTRA_INDEX_URL": f"{address}/simple",
            "npm_config_registry": f"{address}/npm/",
        }
        if python:
            _write(folder / "pythons.json", _pythons(*python, address))
            variables["UV_PYTHON_DOWNLOADS_JSON_URL"] = f"{address}/pythons.json"
        yield variables


@contextlib.contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    """Serve a folder over HTTP, on loopback. Yields its address, without a slash at its end."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _packument(tarball: Path, address: str) -> str:
    """What a registry of npm says of the one package."""
    with tarfile.open(tarball) as tar:
        file = tar.extractfile("package/package.json")
        assert file
        manifest = json.load(file)
    digest = hashlib.sha1(tarball.read_bytes()).hexdigest()  # as npm has it
    manifest["dist"] = {"tarball": f"{address}/{tarball.name}", "shasum": digest}
    version = manifest["version"]
    return json.dumps({"name": NAME, "dist-tags": {"latest": version}, "versions": {version: manifest}})


def _pythons(archive: Path, version: str, address: str) -> str:
    """What uv reads of the Pythons that it can fetch: one."""
    major, minor, patch = map(int, version.split("."))
    python = {
        "name": "cpython",
        "arch": {"family": "x86_64", "variant": None},
        "os": "linux",
        "libc": "gnu",
        "major": major,
        "minor": minor,
        "patch": patch,
        "prerelease": "",
        "url": f"{address}/{archive.name}",
        "sha256": _sha256(archive),
        "variant": None,
        "build": "1",
    }
    return json.dumps({f"cpython-{version}-linux-x86_64-gnu": python})


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
