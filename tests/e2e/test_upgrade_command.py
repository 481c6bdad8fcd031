"""`codeagentd upgrade` with an index of two versions: a window that is open the whole time has every answer."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from codeagent_protocol.version import __version__
from tests.harness.upgrade import MIGRATION, SCHEMA
from tests.harness.wheels import environment, offline, wheel
from tests.harness.window import Window
from tests.harness.world import Outcome, World

NEWER = "99.0.0"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two versions, as an index; the newer one has a schema of its own."""
    folder = tmp_path_factory.mktemp("wheels")
    wheel(folder, __version__)
    wheel(folder, NEWER, MIGRATION)
    return folder


class Installed:
    """This version in a virtual environment of its user, with a repository, a daemon and an open window."""

    def __init__(self, world: World, wheels: Path, repo: Path) -> None:
        self.world, self.repo = world, repo
        home = world.base / "home"
        home.mkdir()
        world.environment |= offline(wheels) | {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        self.programs = environment(
            home / "venv", wheels / f"codeagentd-{__version__}-py3-none-any.whl", sys.executable
        )
        assert self.run("index", "--wait", "--repo", str(repo)).code == 0
        self.window = Window(
            [str(self.programs / "codeagent-mcp"), "--repo", str(repo)], world.environment, None, world.errors
        )
        world.windows.append(self.window)
        self.window.initialize()

    def run(self, *words: str, **variables: str) -> Outcome:
        """A command of the installed version."""
        return self.world.codeagentd(*words, program=str(self.programs / "codeagentd"), **variables)

    def upgrade(self, *words: str) -> tuple[Outcome, int]:
        """`codeagentd upgrade …` while the window asks all the time. Returns its outcome, and the number of answers."""
        done: list[Outcome] = []
        command = threading.Thread(target=lambda: done.append(self.run("upgrade", *words)))
        command.start()
        answers = 0
        while command.is_alive():
            assert self.found() == ["compute_total"]
            answers += 1
        command.join()
        assert self.found() == ["compute_total"]
        return done[0], answers

    def found(self) -> list[str]:
        """What the window finds."""
        return [item["name"] for item in self.window.must("search_symbols", {"query": "compute_total"}).items]

    def status(self) -> str:
        """The version of the daemon."""
        return str(self.run("status", "--json", "--repo", str(self.repo)).json["version"])

    def indexes(self) -> list[str]:
        """The names of the indexes of the repository."""
        cache = Path(self.world.environment["CODEAGENT_CACHE_DIR"])
        return sorted(path.name for path in cache.glob("worktrees/*/index*.db"))


@pytest.fixture
def installed(world: World, wheels: Path, shop: Path) -> Installed:
    return Installed(world, wheels, shop)


@pytest.mark.limit(300)
def test_a_window_has_every_answer_through_an_upgrade_and_a_downgrade(installed: Installed):
    checked = installed.run("upgrade", "--check")
    assert checked.out.splitlines()[0] == f"codeagentd {NEWER} is there; this is {__version__}"
    assert installed.status() == __version__

    done, answers = installed.upgrade()
    assert done.code == 0, done
    assert f"daemon of {installed.repo}: {__version__} -> {NEWER}" in done.out
    assert f"codeagentd {NEWER} is installed" in done.out
    assert answers > 1
    assert (installed.status(), installed.indexes()) == (NEWER, ["index.db"])

    again, _ = installed.upgrade()
    assert (again.code, f"codeagentd {NEWER} is installed" in again.out) == (0, True)

    refused = installed.run("upgrade", "--to", __version__)
    assert refused.code == 2
    assert f"{__version__} is older than {NEWER}" in refused.err
    assert "pass --yes to downgrade" in refused.err
    assert installed.status() == NEWER

    done, answers = installed.upgrade("--to", __version__, "--yes")
    assert done.code == 0, done
    assert f"daemon of {installed.repo}: {NEWER} -> {__version__}" in done.out
    assert answers > 1
    assert (installed.status(), installed.indexes()) == (__version__, ["index.db", f"index.v{SCHEMA - 1}.db"])
    installed.window.drain(0.3)
    assert installed.window.surplus == 0


@pytest.mark.limit(120)
def test_a_dry_run_says_what_would_be_run_and_asks_nobody(installed: Installed):
    planned = installed.run("upgrade", "--dry-run", "--json").json
    assert planned["installed_by"] == "pip"
    assert planned["command"][-1] == "codeagentd"
    unasked = installed.run("upgrade", "--check", PIP_FIND_LINKS="/nowhere", UV_FIND_LINKS="/nowhere")
    assert unasked.code == 1, "an index that says nothing does not say that this is the newest version"
    assert "the index cannot be asked" in unasked.err
    wrong = installed.run("upgrade", "--to", "newest!")
    assert (wrong.code, "is no version" in wrong.err) == (2, True)
    missing = installed.run("upgrade", "--to", "77.0.0")
    assert missing.code == 1
    assert "failed" in missing.err
    assert installed.status() == __version__
