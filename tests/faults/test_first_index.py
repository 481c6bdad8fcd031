"""A first index that is interrupted goes on where it was, and a command that waits for it follows from daemon to daemon."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.store.connection import Database
from tests.harness.contents import content
from tests.harness.staging import database, index_state
from tests.harness.waiting import eventually
from tests.harness.world import BIN, World

FILES = 900  # some transactions of a first index


def source(number: int) -> str:
    """A file that shares functions with others, and is not read in a moment."""
    body = "".join(
        f"int work{number}_{at}(int value) {{ return common{(number + at) % 50}(value) + {at}; }}\n" for at in range(60)
    )
    return f'#include "common.h"\n{body}int own{number}(void) {{ return work{number}_1(2); }}\n'


@pytest.fixture
def repo(world: World) -> Path:
    header = "".join(f"int common{at}(int value);\n" for at in range(50))
    files = {f"src/part{number}.c": source(number) for number in range(FILES)}
    bodies = {f"lib/common{at}.c": f"int common{at}(int value) {{ return value; }}\n" for at in range(50)}
    return world.repository("many", {"common.h": header, **bodies, **files})


@contextlib.contextmanager
def waiting(world: World, repo: Path) -> Iterator[subprocess.Popen[str]]:
    """`codeagentd index --wait`, while it waits."""
    argv = [str(BIN / "codeagentd"), "index", "--wait", "--repo", str(repo)]
    with subprocess.Popen(
        argv, env=world.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as command:
        try:
            yield command
        finally:
            command.kill()


def is_under_way(world: World) -> bool:
    """Whether some files were written, and not all of them."""
    return 0 < index_state(world).get("files", 0) < FILES


def fresh(world: World, repo: Path) -> dict[str, list[tuple[object, ...]]]:
    """The content of an index that was built without interruption."""
    with World() as other:
        files = (path for path in repo.rglob("*.[ch]") if ".git" not in path.parts)
        other.index(other.repository("many", {str(path.relative_to(repo)): path.read_text() for path in files}))
        return content(database(other))


@pytest.mark.limit(180)
def test_killed_again_and_again_a_first_index_ends_whole_and_the_command_that_waits_sees_it(
    world: World, repo: Path
) -> None:
    with waiting(world, repo) as command:
        eventually(lambda: is_under_way(world), 60)
        born, files = index_state(world)["born"], 0
        for _ in range(3):
            eventually(lambda: index_state(world)["files"] > files or command.poll() is not None, 60)  # noqa: B023
            files = index_state(world)["files"]
            with contextlib.suppress(KeyError, ProcessLookupError):
                os.kill(world.status(repo)["pid"], signal.SIGKILL)
        assert command.wait(120) == 0, command.stdout.read() if command.stdout else ""
    after = index_state(world)
    assert after["born"] == born
    assert after["bulk"] == 0
    assert content(database(world)) == fresh(world, repo)


@pytest.mark.limit(120)
def test_a_restart_during_the_first_index_is_followed_by_the_command_that_waits(world: World, repo: Path) -> None:
    with waiting(world, repo) as command:
        eventually(lambda: is_under_way(world), 60)
        before = index_state(world)
        assert world.codeagentd("restart", "--repo", str(repo)).code == 0
        assert command.wait(100) == 0, command.stdout.read() if command.stdout else ""
        assert "caught up" in (command.stdout.read() if command.stdout else "")
    assert index_state(world)["born"] == before["born"]


@pytest.mark.limit(120)
def test_a_daemon_that_was_stopped_is_not_started_again_by_the_command_that_waits(world: World, repo: Path) -> None:
    with waiting(world, repo) as command:
        eventually(lambda: is_under_way(world), 60)
        assert world.codeagentd("stop", "--repo", str(repo)).code == 0
        assert command.wait(60) != 0
        assert "the daemon is leaving" in (command.stdout.read() if command.stdout else "")
    assert world.codeagentd("status", "--repo", str(repo)).code == 3


@pytest.mark.limit(120)
def test_what_changes_while_a_first_index_is_interrupted_is_in_it_at_the_end(world: World, repo: Path) -> None:
    with waiting(world, repo) as command:
        eventually(lambda: is_under_way(world), 60)
        assert world.codeagentd("stop", "--repo", str(repo)).code == 0
        command.wait(60)
    with contextlib.closing(Database(database(world))) as index:
        known = sorted(path for path, *_ in index.all("world.known_files") if path.startswith("src/"))
    (repo / known[0]).unlink()
    (repo / known[1]).write_text("int moved(void) { return common1(3); }\n")
    (repo / "src/added.c").write_text('#include "common.h"\nint added(void) { return moved() + common2(1); }\n')
    world.index(repo)
    assert content(database(world)) == fresh(world, repo)


@pytest.mark.limit(120)
def test_few_files_that_are_left_of_a_first_index_are_resolved_with_all_others(world: World) -> None:
    """A namespace of many files is whole only once the rows of all of them are in order."""
    files: dict[str, str] = {}
    for number in range(120):
        files[f"shelf{number}.h"] = (
            f"namespace shop {{ namespace v1 {{ class Shelf{number} {{ public: int lend(int book); }}; }} }}\n"
        )
        files[f"shelf{number}.cc"] = (
            f'#include "shelf{number}.h"\nint shop::v1::Shelf{number}::lend(int book) {{ return book + {number}; }}\n'
        )
    repo = world.repository("shelves", files)
    argv = [sys.executable, "-m", "codeagentd.boot.daemon", "--repo", str(repo), "--foreground"]
    doomed = subprocess.run(
        argv,
        env=world.environment | {"CODEAGENT_FAULT": "index.committed"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert doomed.returncode == -signal.SIGKILL
    world.index(repo)
    with World() as other:
        other.index(other.repository("shelves", files))
        assert content(database(world)) == content(database(other))
