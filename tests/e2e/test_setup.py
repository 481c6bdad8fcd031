"""The first minute and its end: from a runner's cache to clients that answer, and back to the byte."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.version import __version__
from tests.harness.wheels import environment, offline, wheel
from tests.harness.window import Window
from tests.harness.world import Outcome, World, directories

CURSOR = '{\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n'
PATIENCE_S = 280.0  # making a virtual environment and indexing, on a busy machine
CODEX = '# mine\nmodel = "m"\n'
Tree = dict[str, tuple[int, Any]]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of wheels, as an index."""
    folder = tmp_path_factory.mktemp("wheels")
    wheel(folder, __version__)
    return folder


@pytest.fixture(scope="module")
def programs(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs in the cache of a runner."""
    cache = tmp_path_factory.mktemp("runner") / ".cache/pipx/0123abcd"
    cache.parent.mkdir(parents=True)
    return environment(cache, wheels / f"codeagentd-{__version__}-py3-none-any.whl", sys.executable)


class Machine:
    """A user with two clients, a repository, and this program in the cache of a runner."""

    def __init__(self, world: World, wheels: Path, programs: Path, repo: Path) -> None:
        self.world, self.programs, self.repo = world, programs, repo
        self.home = world.base / "home"
        self.home.mkdir()
        world.environment |= directories(str(self.home / "own")) | offline(wheels) | {"HOME": str(self.home)}
        for name in ("UV", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "CODEX_HOME"):
            world.environment.pop(name, None)
        world.environment["PATH"] = os.pathsep.join((str(self.programs), "/usr/bin", "/bin"))
        (self.home / ".cursor").mkdir(mode=0o750)
        (self.home / ".cursor/mcp.json").write_text(CURSOR)
        (self.home / ".codex").mkdir()
        (self.home / ".codex/real.toml").write_text(CODEX)
        (self.home / ".codex/config.toml").symlink_to("real.toml")
        self.before = self.tree()

    def run(self, *words: str, program: Path | None = None, cwd: Path | None = None, **variables: str) -> Outcome:
        """`codeagentd …` from the cache, or from elsewhere."""
        program = program or self.programs / "codeagentd"
        return self.world.codeagentd(
            *words, cwd=cwd or self.repo, program=str(program), patience_s=PATIENCE_S, **variables
        )

    def setup(self, *words: str, **variables: str) -> Outcome:
        """`codeagentd setup` of both clients, from the cache."""
        return self.run("setup", "--client", "cursor", "codex", *words, **variables)

    def keeps_an_installation(self) -> None:
        """From now on a wrapper names an installation of its own."""
        program = self.home / "wrapper/codeagent-mcp"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        self.world.environment["CODEAGENT_LASTING_COMMAND"] = str(program)
        self.before = self.tree()

    def undo(self, *words: str) -> Outcome:
        """`codeagentd setup --undo`, from the cache."""
        return self.run("setup", "--undo", *words)

    @property
    def lasting(self) -> Path:
        """The folder of the programs of the installation that setup makes."""
        return self.home / "own/data/venv/bin"

    def tree(self) -> Tree:
        """Everything below the home directory: modes, and contents or where links lead."""
        found: Tree = {}
        for place in sorted(self.home.rglob("*")):
            name, mode = str(place.relative_to(self.home)), stat.S_IMODE(place.lstat().st_mode)
            content = os.readlink(place) if place.is_symlink() else place.read_bytes() if place.is_file() else None
            found[name] = (mode, content)
        return found

    def settled(self) -> Tree:
        """The same without what a daemon writes by itself, and without bytecode."""
        return {
            name: entry
            for name, entry in self.tree().items()
            if not name.startswith(("own/cache", "own/runtime")) and "__pycache__" not in name
        }

    def entry(self) -> str:
        """The program that one of the clients starts."""
        return str(json.loads((self.home / ".cursor/mcp.json").read_text())["mcpServers"]["codeagent"]["command"])


@pytest.fixture
def machine(world: World, wheels: Path, programs: Path, shop: Path) -> Machine:
    return Machine(world, wheels, programs, shop)


@pytest.mark.limit(300)
def test_one_line_sets_up_clients_that_answer_twice_changes_nothing_and_undo_is_exact(machine: Machine):
    done = machine.setup()
    assert done.code == 0, done
    assert f"installing codeagentd {__version__} into {machine.lasting.parent}" in done.out
    assert "caught up in" in done.out
    answer = done.out.split("(codeagentd callers ")[1]
    symbol, _, shown = answer.partition(" --limit 5)\n")
    assert "checkout_cart" in shown or "compute_total" in shown
    assert "everything that is saved is in it, branch main" in shown
    assert f"undo: {machine.lasting / 'codeagentd'} setup --undo" in done.out
    assert machine.entry() == str(machine.lasting / "codeagent-mcp")
    assert "/.cache/" not in (machine.home / ".codex/config.toml").read_text()

    window = Window([machine.entry()], machine.world.environment, machine.repo, machine.world.errors)
    machine.world.windows.append(window)
    window.initialize()
    assert [item["name"] for item in window.must("search_symbols", {"query": symbol.rpartition(".")[2]}).items]
    window.close()

    settled = machine.settled()
    again = machine.setup()
    assert again.code == 0, again
    assert "nothing had to be changed" in again.out
    assert "installing" not in again.out
    assert machine.settled() == settled

    shown = machine.run("setup", "--client", "cursor", program=machine.home / ".local/bin/codeagentd")
    assert "nothing had to be changed" in shown.out, "the same entry, whichever link led to the program"

    assert "would be removed" in machine.undo("--dry-run").out
    assert machine.settled() == settled
    assert machine.run("service", "install", program=machine.lasting / "codeagentd").code == 0
    # the slot of daemons with background work: none had any in this small repository
    (Path(machine.world.environment["CODEAGENT_RUNTIME_DIR"]) / "background.0").touch(0o600)
    undone = machine.undo()
    assert undone.code == 0, undone
    assert f"removed {machine.home / '.config/systemd/user'}/codeagentd@" in undone.out
    assert machine.tree() == machine.before
    assert machine.undo().out == "there is nothing of codeagentd to remove\n"


@pytest.mark.limit(300)
def test_the_installation_that_setup_made_can_remove_itself(machine: Machine):
    assert machine.setup("--no-index").code == 0
    undone = machine.run("setup", "--undo", program=machine.lasting / "codeagentd")
    assert (undone.code, undone.err) == (0, "")
    assert machine.tree() == machine.before


@pytest.mark.limit(300)
def test_what_the_user_changes_in_between_and_what_agents_keep_stays(machine: Machine):
    assert machine.setup().code == 0
    config = machine.home / ".cursor/mcp.json"
    config.write_text(config.read_text().replace('"x"', '"changed"'))
    memory = machine.home / "own/data/memory.db"
    words = ("type=decision", "title=Rounding", "content=compute_total never rounds", "project=shop")
    machine.run("call", "store", *words, program=machine.lasting / "codeagentd")
    assert memory.exists()
    project = machine.run("install", "cursor", "--project", program=machine.lasting / "codeagentd")
    assert project.code == 0, project
    undone = machine.undo()
    assert undone.code == 0, undone
    assert json.loads(config.read_text()) == {"mcpServers": {"other": {"command": "changed"}}}
    assert not (machine.repo / ".cursor").exists()
    assert f"kept, since it is yours: {memory}" in undone.out
    assert memory.exists()
    assert machine.undo("--memories").code == 0
    left = {name for name in machine.tree() if name not in machine.before} - {"own"}
    assert all(name.startswith(".cursor/mcp.json.codeagentd-") for name in left), left


@pytest.mark.limit(300)
@pytest.mark.parametrize("point", ["setup.environment", pytest.param("setup.installed", marks=pytest.mark.long)])
def test_a_setup_that_is_killed_while_it_installs_can_be_undone_to_the_byte(machine: Machine, point: str):
    assert machine.setup(CODEAGENT_FAULT=point).code != 0
    assert machine.tree() != machine.before
    undone = machine.undo()
    assert undone.code == 0, undone
    assert machine.tree() == machine.before


@pytest.mark.parametrize("point", ["install.recorded", "install.copied", "install.replaced", "setup.indexed"])
def test_a_setup_that_is_killed_while_it_edits_can_be_undone_to_the_byte(machine: Machine, point: str):
    machine.keeps_an_installation()
    assert machine.setup(CODEAGENT_FAULT=point).code != 0
    assert machine.tree() != machine.before
    undone = machine.undo()
    assert undone.code == 0, undone
    assert machine.tree() == machine.before


@pytest.mark.long
@pytest.mark.limit(300)
def test_a_setup_that_is_killed_can_be_repeated(machine: Machine):
    assert machine.setup("--no-index", CODEAGENT_FAULT="setup.environment").code != 0
    assert machine.setup("--no-index", CODEAGENT_FAULT="install.copied").code != 0
    done = machine.setup("--no-index")
    assert (done.code, machine.entry()) == (0, str(machine.lasting / "codeagent-mcp"))
    assert machine.undo().code == 0
    assert machine.tree() == machine.before


@pytest.mark.limit(300)
def test_the_error_of_one_client_does_not_stop_the_others(machine: Machine):
    machine.keeps_an_installation()
    (machine.home / ".codex/real.toml").write_text("model = \n")
    done = machine.setup("--no-index")
    assert done.code == 1
    assert "codex: error:" in done.err
    assert machine.entry() == machine.world.environment["CODEAGENT_LASTING_COMMAND"]


@pytest.mark.limit(300)
def test_outside_of_a_repository_the_clients_are_set_up(machine: Machine):
    machine.keeps_an_installation()
    outside = machine.world.base / "outside"
    outside.mkdir()
    done = machine.run("setup", "--client", "cursor", "--json", cwd=outside)
    assert done.code == 0, done
    report = done.json
    assert report["program"] == machine.entry()
    assert report["environment"] is False
    assert [item["done"] for item in report["clients"]] == ["installed"]
    assert "index" not in report
    told = machine.run("setup", "--client", "cursor", cwd=outside).out
    assert "the first window in one indexes it" in told


def test_a_dry_run_changes_nothing_and_says_what_would_be(machine: Machine):
    done = machine.setup("--dry-run")
    assert done.code == 0, done
    assert f"would install codeagentd {__version__} into {machine.lasting.parent}" in done.out
    assert "would be installed" in done.out
    assert f'+            "command": "{machine.lasting / "codeagent-mcp"}"' in done.out
    assert machine.tree() == machine.before
