"""The install script: it installs, changes nothing a second time, goes back, and takes everything out again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import installed_programs
from tests.harness.world import World

pytestmark = [pytest.mark.long, pytest.mark.limit(1800)]
PROGRAMS = ("codeagent-lsp", "codeagent-mcp", "codeagentd")


class Machine:
    """A home directory without anything in it, on which the script is run."""

    def __init__(self, base: Path, release: Path) -> None:
        self.home = base / "home"
        self.home.mkdir()
        self.release = release
        (self.script,) = release.glob("*-install.sh")
        self.programs = self.home / ".local/bin"
        self.root = self.home / ".local/share/codeagentd"

    def run(self, *arguments: str, script: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the script, with the wheel of the release."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        words = ["sh", str(script or self.script), *arguments]
        return subprocess.run(words, env=kept | {"HOME": str(self.home)} | variables, capture_output=True, text=True)

    def install(self, *arguments: str, script: Path | None = None, **variables: str) -> str:
        """Install, which has to succeed. Returns what was printed."""
        done = self.run("--from", str(self.release), *arguments, script=script, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def contents(self) -> dict[str, str]:
        """Every file and link in the home directory, with where links lead and when files changed."""
        return {
            str(path): os.readlink(path) if path.is_symlink() else str(path.stat().st_mtime_ns)
            for path in sorted(self.home.rglob("*"))
            if "__pycache__" not in path.parts
        }


@pytest.fixture
def machine(tmp_path: Path, release: Path) -> Machine:
    return Machine(tmp_path, release)


def newer(machine: Machine, base: Path) -> Path:
    """The script of a release that differs in its lock alone."""
    script = base / "newer.sh"
    script.write_text(machine.script.read_text().replace("LOCKED'\n", "LOCKED'\n# another lock\n", 1))
    return script


def test_a_script_installs_updates_goes_back_and_leaves_nothing(machine: Machine, world: World, tmp_path: Path):
    told = machine.install()
    assert "installed: codeagentd 0.1.0" in told
    assert f"{machine.programs} is not on PATH" in told
    repository = installed_programs.shop(world)
    assert installed_programs.callers(world, repository, machine.programs) == installed_programs.CALLERS
    assert str(machine.root) in installed_programs.daemon_command(world, repository, machine.programs)
    assert (machine.home / ".local/share/man/man1/codeagentd.1").is_file()

    before = machine.contents()
    assert "is installed already" in machine.install()
    assert machine.contents() == before

    first = os.readlink(machine.root / "current")
    machine.install(script=newer(machine, tmp_path))
    second = os.readlink(machine.root / "current")
    assert second != first
    assert os.readlink(machine.root / "previous") == first

    assert machine.run("--rollback").returncode == 0
    assert (os.readlink(machine.root / "current"), os.readlink(machine.root / "previous")) == (first, second)
    assert installed_programs.callers(world, repository, machine.programs) == installed_programs.CALLERS

    (machine.root / "memory.db").write_text("what agents keep")
    assert machine.run("--uninstall").returncode == 0
    left = [path for path in (machine.home / ".local").rglob("*") if not path.is_dir()]
    assert left == [machine.root / "memory.db"]


def test_uv_is_enough_where_python_has_no_venv(machine: Machine, world: World, tmp_path: Path):
    if not (Path(sys.executable).parent / "uv").is_file():
        pytest.skip("no uv here")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/ensurepip.py").write_text("raise ImportError")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    machine.install(PYTHONPATH=str(tmp_path / "broken"), PATH=path)
    assert not list(machine.root.glob("current/bin/pip*"))
    repository = installed_programs.shop(world)
    assert installed_programs.callers(world, repository, machine.programs) == installed_programs.CALLERS


def test_a_wheel_with_other_bytes_is_refused_and_nothing_changes(machine: Machine, tmp_path: Path):
    shutil.copytree(machine.release, tmp_path / "tampered")
    (wheel,) = (tmp_path / "tampered").glob("*.whl")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    done = machine.run("--from", str(tmp_path / "tampered"))
    assert done.returncode == 1
    assert "codeagentd could not be installed; what was there before is as it was" in done.stderr
    assert not machine.programs.exists()
    assert not (machine.root / "current").is_symlink()


def test_a_program_of_somebody_else_is_not_replaced(machine: Machine):
    machine.programs.mkdir(parents=True)
    (machine.programs / "codeagentd").write_text("#!/bin/sh\necho mine\n")
    done = machine.run("--from", str(machine.release))
    assert done.returncode == 1
    assert "codeagentd is there, and not from this script: remove it, or pass another --bin" in done.stderr
    assert sorted(os.listdir(machine.home / ".local")) == ["bin"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fast"], "there is no option --fast; see --help"),
        (["--from"], "--from needs a value"),
        (["--from", "/nowhere"], "there is no folder /nowhere"),
        (["--python", "/bin/true.py"], "is no Python 3.11 or newer"),
        (["--rollback"], "there is no earlier version"),
        (["--uninstall"], "there is nothing to uninstall"),
    ],
)
def test_wrong_usage_says_what_is_wrong(machine: Machine, words: list[str], message: str):
    done = machine.run(*words)
    assert done.returncode == 1
    assert message in done.stderr
    assert [path for path in machine.home.rglob("*") if not path.is_dir()] == []
