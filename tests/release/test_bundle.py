"""The bundle for Claude Desktop: its own tool takes it, and what its manifest starts is the server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import git_repositories, npm_packages
from tests.harness.loopback_registries import registries
from tests.harness.window import Window

pytestmark = [pytest.mark.long, pytest.mark.limit(600)]


@pytest.fixture
def unpacked(release: Path, tmp_path: Path) -> Path:
    """The bundle as its host unpacks it."""
    (bundle,) = release.glob("*.mcpb")
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(tmp_path / "bundle")
    return tmp_path / "bundle"


def test_its_manifest_is_valid(unpacked: Path):
    tool = npm_packages.npm_packages("mcpb", "@anthropic-ai/mcpb@2.1.2") / "node_modules/.bin/mcpb"
    done = subprocess.run([tool, "validate", unpacked], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_it_starts_is_the_server_of_the_repository_that_the_user_chose(
    release: Path, unpacked: Path, tmp_path: Path
):
    server = json.loads((unpacked / "manifest.json").read_text())["server"]["mcp_config"]
    repository = git_repositories.repository(tmp_path / "shop")
    (repository / "till.py").write_text("def total():\n    return 1\n\n\ndef checkout():\n    return total()\n")
    known = {"${__dirname}": str(unpacked), "${user_config.repository}": str(repository)}

    def filled(text: str) -> str:
        for name, value in known.items():
            text = text.replace(name, value)
        return text

    uv = shutil.which(server["command"], path=str(Path(sys.executable).parent)) or server["command"]
    words = [uv, *map(filled, server["args"])]
    chosen = {name: filled(value) for name, value in server["env"].items()}
    with registries(release) as variables:
        environment = os.environ | variables | chosen | {"UV_CACHE_DIR": str(tmp_path / "cache")}
        environment.pop("VIRTUAL_ENV", None)
        with closing(Window(words, environment, Path("/"), tmp_path / "errors")) as window:
            window.initialize(200)
            answer = window.must("get_callers", {"node_id": "till.total"})
    assert "checkout" in json.dumps(answer.data)
