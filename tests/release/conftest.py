"""What the tests of a release start from: its artefacts, made from the commit that is checked out.

They are run by `make release-test` alone: they take the time of an installation each, and the index.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from artefacts import ARTEFACTS

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "image"  # needs an image to build on: its test makes one


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
