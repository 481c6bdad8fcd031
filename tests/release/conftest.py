"""What the tests of a release start from: its artefacts, made from the commit that is checked out.

They are run by `make release-test` alone: they take the time of an installation each, and the index.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from artefacts import ARTEFACTS

from tests.harness import npm_packages
from tests.harness.clean_machines import Machine, machine

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "image"  # needs an image to build on: its test makes one
NODE: Final = ("nodejs", "git", "ca-certificates")  # what there is on a machine besides a system
PYTHON: Final = ("python3", "python3-venv", "git", "ca-certificates")


def build(out: Path, *arguments: str, **variables: str) -> Path:
    """Run `packaging/release`. Returns the folder that it wrote."""
    words = [sys.executable, ROOT / "packaging/release", "--out", out, *arguments]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=os.environ | variables)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    return out


@pytest.fixture(scope="session")
def makeable() -> list[str]:
    """The artefacts that this machine has the programs for, without the image."""
    return [
        artefact.name
        for artefact in ARTEFACTS
        if artefact.name != IMAGE and not any(tool.is_missing for tool in artefact.needs)
    ]


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory, makeable: list[str]) -> Path:
    """The folder of a release."""
    return build(tmp_path_factory.mktemp("release") / "dist", "--only", ",".join(makeable))


@pytest.fixture
def node_alone() -> Iterator[Machine]:
    """A machine with Node.js and the npm that comes with it, and with git: no Python, no uv."""
    npm = npm_packages.npm_packages("npm-of-a-machine", "npm@11") / "node_modules" / "npm"
    with machine("node", *NODE, add={"usr/local/lib/node_modules/npm": npm}) as made:
        for name in ("npm", "npx"):
            program = made.root / "usr/local/bin" / name
            program.unlink(missing_ok=True)
            program.symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")
        assert made.run("which python3 uv pipx").out == ""
        yield made


@pytest.fixture
def python_alone() -> Iterator[Machine]:
    """A machine with Python 3.13 and git: no Node.js, no uv."""
    with machine("python", *PYTHON) as made:
        assert made.run("which node uv pipx").out == ""
        yield made
