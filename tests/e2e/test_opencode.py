"""What opencode gets from the server that `codeagentd install opencode --lsp` gives it; no model is asked."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.lsp.uris import uri_of
from tests.harness.five_languages import FILES, JAVA
from tests.harness.neovim import home_of
from tests.harness.world import World

QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
}


@pytest.fixture(scope="module")
def repository() -> Iterator[tuple[World, Path]]:
    if shutil.which("opencode") is None:
        pytest.skip("opencode is not installed")
    with World() as world:
        repo = world.repository("five", FILES)
        world.index(repo)
        installed = world.codeagentd("install", "opencode", "--lsp", **home_of(world))
        assert installed.code == 0, installed
        yield world, repo


def debugged(repository: tuple[World, Path], *words: str) -> Any:
    """What `opencode debug lsp …` prints."""
    world, repo = repository
    done = subprocess.run(
        ["opencode", "debug", "lsp", *words],
        cwd=repo, env=world.environment | home_of(world) | QUIET, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=50, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def test_the_symbols_of_a_document(repository: tuple[World, Path]) -> None:
    outline = debugged(repository, "document-symbols", uri_of(repository[1], JAVA.desk_path))
    assert "serve" in json.dumps(outline)


def test_the_diagnostics_that_it_waits_for_after_an_edit_are_there_and_empty(repository: tuple[World, Path]) -> None:
    path = str(repository[1] / JAVA.desk_path)
    assert debugged(repository, "diagnostics", JAVA.desk_path) == {path: []}
