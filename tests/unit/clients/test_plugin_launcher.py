"""The launchers of the plugin of Claude Code: which codeagentd they start, and how they fetch one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_protocol.version import __version__
from tests.harness.editor_packages import PLUGIN
from tests.harness.registry_files import PYTHONS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the launchers are shell scripts")
NAMES = ("codeagentd", "codeagent-mcp", "codeagent-lsp")


class Machine:
    """A PATH with nothing but what the launchers need, a home directory, and a repository that is open."""

    def __init__(self, place: Path) -> None:
        self.bin, self.home, self.repository = place / "bin", place / "home", place / "repository"
        self.plugin = place / "a plugin" / "bin"
        shutil.copytree(PLUGIN / "bin", self.plugin)
        for folder in (self.bin, self.home, self.repository):
            folder.mkdir()
        for tool in ("sh", "dirname"):
            (self.bin / tool).symlink_to(str(shutil.which(tool)))

    def program(self, name: str, folder: Path | None = None) -> str:
        """Put a program somewhere that prints its own path and its words. Returns its path."""
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('#!/bin/sh\necho "$0" "$@"\n')
        path.chmod(0o755)
        return str(path)

    def run(self, name: str, *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
        """Run a launcher as Claude Code does: with its own folder on the PATH too."""
        env = {"PATH": path or os.pathsep.join(map(str, (self.plugin, self.bin))), "HOME": str(self.home)}
        command = [str(self.plugin / name), *words]
        return subprocess.run(command, env=env, cwd=self.repository, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine without codeagentd."""
    return Machine(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_the_installed_program_is_started(machine: Machine, name: str):
    machine.program("uvx")
    installed = machine.program(name)
    assert machine.run(name, "--repo", "a b").stdout == f"{installed} --repo a b\n"


def test_a_program_in_the_home_directory_is_found_though_the_editor_has_another_path(machine: Machine):
    installed = machine.program("codeagent-mcp", machine.home / ".local/bin")
    assert machine.run("codeagent-mcp").stdout == f"{installed} \n".replace(" \n", "\n")


def test_uvx_fetches_the_version_of_the_plugin(machine: Machine):
    machine.program("npx")
    uvx = machine.program("uvx")
    assert (
        machine.run("codeagent-lsp", "--stdio").stdout
        == f"{uvx} --python {PYTHONS} --from codeagentd=={__version__} codeagent-lsp --stdio\n"
    )


def test_npx_does_where_there_is_no_uvx(machine: Machine):
    npx = machine.program("npx")
    assert (
        machine.run("codeagentd", "status").stdout
        == f"{npx} --yes --package codeagentd@{__version__} codeagentd status\n"
    )


def test_nothing_of_the_open_repository_is_started(machine: Machine):
    for name in ("codeagent-mcp", "uvx", "npx"):
        machine.program(name, machine.repository)
    done = machine.run("codeagent-mcp", path=f".::{machine.plugin}:{machine.bin}")
    assert (done.returncode, done.stdout) == (127, "")
    assert "install uv, or pipx install codeagentd" in done.stderr


def test_the_hook_fetches_nothing(machine: Machine):
    machine.program("uvx")
    done = machine.run("codeagent-mcp", "--nudge")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
