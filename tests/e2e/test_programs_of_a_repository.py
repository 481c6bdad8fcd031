"""Programs that a repository brings along under the names of git and gh are never run, whatever is on PATH."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.harness.world import World


@pytest.fixture
def trap(world: World) -> tuple[Path, Path]:
    """A repository whose `bin` and top have a git and a gh of their own, which write into a file; that file."""
    repo = world.repository("trap", {"a.py": "def step():\n    return 1\n", "bin/own": "#!/bin/sh\nexit 0\n"})
    ran = world.base / "ran"
    (repo / "bin/own").chmod(0o755)
    for program in ("git", "gh", "bin/git", "bin/gh"):
        (repo / program).write_text(f"#!/bin/sh\necho $0 >> {ran}\n")
        (repo / program).chmod(0o755)
    world.environment["PATH"] = os.pathsep.join((".", "bin", "", f"{repo}/bin", world.environment["PATH"]))
    return repo, ran


def test_no_program_of_the_repository_answers_for_git_or_gh(world: World, trap: tuple[Path, Path]) -> None:
    repo, ran = trap
    window = world.window(repo, "--toolsets", "all", "--allow-exec", cwd=repo)
    window.initialize()
    for tool in ("list_prs", "working_changes_impact"):
        window.call(tool, {})
    window.call("get_pr_impact", {"pr_number": 1})
    assert not ran.exists(), ran.read_text()
    # what the user has asked for is found on the user's own PATH
    assert window.must("speculate", {"build": ["own"]}).data["verdict"] == "passed"
    assert not ran.exists(), ran.read_text()
    window.close()
