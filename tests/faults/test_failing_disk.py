"""The disk answers with EIO: the daemon goes on, says so, loses nothing that it acknowledged, and recovers by itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.background_work import CHECKPOINT_IDLE_S
from tests.harness.waiting import eventually, let_pass
from tests.harness.window import Window
from tests.harness.world import World

pytestmark = [pytest.mark.long, pytest.mark.limit(120)]
MODULES = 40
FILES = {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" for number in range(MODULES)}
CODES = {"", "engine_unavailable"}


@pytest.fixture
def failing(world: World, tmp_path: Path) -> Path:
    """While this file is there, what it names fails, in every process that the world starts."""
    if not (compiler := shutil.which("cc")):
        pytest.skip("no C compiler")
    library, flag = tmp_path / "disk.so", tmp_path / "failing"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, Path(__file__).with_name("failing_disk.c"), "-ldl"], check=True
    )
    world.environment |= {"LD_PRELOAD": str(library), "FAILING_DISK": str(flag)}
    return flag


def saved(repo: Path, edition: int) -> None:
    """Every file changes."""
    for number in range(MODULES):
        (repo / f"pkg/mod{number}.py").write_text(
            f"def step{number}(value):\n    return value\n\n\ndef edition{edition}x{number}():\n    return 1\n"
        )


@pytest.mark.parametrize("name", ["index.db", "index.db-wal", "blobs.db"])
def test_an_index_on_a_disk_that_fails_is_told_and_caught_up_with_when_the_disk_works(
    world: World, failing: Path, name: str
) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    window = world.connect(repo)
    pid = world.daemon(repo)
    assert window.finds("step7")
    failing.write_text(name)
    saved(repo, 1)
    eventually(lambda: world.status(repo)["state"] == "degraded")
    told = world.status(repo)
    assert told["reason"]
    assert told["remedy"]
    answers = [window.call("search_symbols", {"query": f"step{number}"}) for number in range(MODULES)]
    assert {answer.error_code for answer in answers} <= CODES
    assert all(answer.failed or answer.watermark["caught_up"] is False for answer in answers)
    failing.unlink()
    eventually(lambda: world.status(repo)["state"] == "ready")
    assert all(window.finds(f"edition1x{number}") for number in range(MODULES))
    assert world.daemon(repo) == pid


def test_a_disk_that_fails_while_nothing_is_to_be_done_does_not_end_the_following(world: World, failing: Path) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    window = world.connect(repo)
    pid = world.daemon(repo)
    saved(repo, 1)
    assert eventually(lambda: window.finds("edition1x7"))
    failing.write_text("index.db")  # while its log is folded
    let_pass(CHECKPOINT_IDLE_S + 3, "the daemon tries to fold its log meanwhile")
    failing.unlink()
    saved(repo, 2)
    assert eventually(lambda: window.finds("edition2x7"))
    assert world.status(repo)["state"] == "ready"
    assert world.daemon(repo) == pid


def test_what_is_read_from_a_disk_that_fails_is_an_error_with_a_code(world: World, failing: Path) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    world.codeagentd("restart", "--repo", str(repo))  # nothing is in its caches
    window = world.connect(repo)
    eventually(
        lambda: world.status(repo)["state"] == "ready"
    )  # before that, each question waits ten seconds for the index to be opened
    failing.write_text("index.db")
    answers = [window.call("get_file_outline", {"path": f"pkg/mod{number}.py"}) for number in range(10)]
    assert {answer.error_code for answer in answers} <= CODES
    assert world.codeagentd("status", "--repo", str(repo)).code in (0, 1)
    failing.unlink()
    eventually(lambda: not window.call("get_file_outline", {"path": "pkg/mod7.py"}).failed)
    assert window.finds("step7")
    eventually(lambda: world.status(repo)["state"] == "ready")


@pytest.mark.parametrize("name", ["index.db", "blobs.db"])
def test_an_index_that_a_failing_disk_makes_look_corrupt_is_kept(world: World, failing: Path, name: str) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    before = files_of(world)
    for edition in range(2):
        world.codeagentd("restart", "--repo", str(repo))  # nothing is in its caches
        window = world.connect(repo)
        eventually(lambda: world.status(repo)["state"] == "ready")
        failing.write_text(name)
        saved(repo, edition)
        for number in range(10):
            window.call("get_file_outline", {"path": f"pkg/mod{number}.py"})
        eventually(lambda: world.status(repo)["state"] == "degraded")
        failing.unlink()
        eventually(lambda: world.status(repo)["state"] == "ready")
        assert window.finds(f"edition{edition}x7")
    assert files_of(world) == before
    assert world.status(repo)["reason"] == ""


def test_a_start_on_a_disk_that_fails_waits_for_the_disk(world: World, failing: Path) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    world.codeagentd("stop", "--repo", str(repo))
    before = files_of(world)
    failing.write_text("index.db")
    world.codeagentd("start", "--repo", str(repo))
    eventually(lambda: world.status(repo)["state"] == "degraded")
    assert world.status(repo)["remedy"]
    failing.unlink()
    eventually(lambda: world.status(repo)["state"] == "ready")
    assert world.connect(repo).finds("step7")
    assert files_of(world) == before


def test_memories_on_a_disk_that_fails_are_refused_with_a_code_and_none_that_was_acknowledged_is_lost(
    world: World, failing: Path
) -> None:
    window = world.connect(world.repository("repo", FILES), "--toolsets", "memory")
    kept = [store(window, number) for number in range(20)]
    failing.write_text("memory.db")
    answers = [
        window.call("store", {"type": "knowledge", "title": f"t{number}", "content": f"fact {number}"})
        for number in range(20, 30)
    ]
    assert {answer.data.get("code") for answer in answers} == {"DB_ERROR"}
    assert all("cannot be used" in answer.data["error"] for answer in answers)
    told = world.status(world.base / "repo")
    assert told["state"] == "degraded"
    assert "memory.db cannot be used" in told["reason"]
    failing.unlink()
    kept += [store(window, number) for number in range(30, 40)]
    assert [window.must("read", {"id": memory}).data["id"] for memory in kept] == kept
    assert window.must("stats").data["total"] == len(kept)
    eventually(lambda: world.status(world.base / "repo")["state"] == "ready")


def files_of(world: World) -> set[tuple[str, int]]:
    """Databases, those that were set aside too, and which files they are."""
    return {
        (path.name, path.stat().st_ino)
        for path in Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("*.db*")
        if not path.name.endswith(("-wal", "-shm"))
    }


def store(window: Window, number: int) -> str:
    memory: str = window.must("store", {"type": "knowledge", "title": f"t{number}", "content": f"fact {number}"}).data[
        "id"
    ]
    return memory
