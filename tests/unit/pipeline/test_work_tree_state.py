"""What an answer says of the work tree: never an old commit, never an old verdict on its files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from codeagentd.model.engine_status import Watermark
from codeagentd.pipeline.engine import work_tree_state
from codeagentd.pipeline.engine.work_tree_state import WorkTreeState
from tests.harness.git_repositories import linked, repository, run, write
from tests.harness.waiting import comes, let_pass


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


@pytest.fixture
def ready() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@pytest.fixture
def state(repo: Path, ready: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkTreeState]:
    monkeypatch.setattr(work_tree_state, "DIRTY_SETTLE_S", 0.01)
    state = WorkTreeState(repo, ready)
    yield state
    state.close()


def mark(state: WorkTreeState) -> Watermark:
    return state.watermark(1, True, 0, state.head)


def test_from_a_change_on_it_is_unknown_whether_files_differ_until_they_were_compared(
    repo: Path, state: WorkTreeState
) -> None:
    assert mark(state).dirty is msgspec.UNSET
    state.note_change()
    assert comes(lambda: mark(state).dirty is False)
    write(repo, "b.py")
    (repo / "a.py").write_text("another\n")
    state.note_change()
    assert mark(state).dirty is not False
    assert comes(lambda: mark(state).dirty is True)


def test_a_verdict_on_another_commit_does_not_count(repo: Path, state: WorkTreeState) -> None:
    state.note_change()
    assert comes(lambda: mark(state).dirty is False)
    run(repo, "commit", "-q", "--allow-empty", "-m", "second")
    assert mark(state).dirty is msgspec.UNSET  # nobody has noticed yet
    assert comes(lambda: mark(state).dirty is False)


def test_one_comparison_runs_at_a_time_and_one_follows_a_change_meanwhile(
    state: WorkTreeState, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, running, most = threading.Semaphore(0), threading.Semaphore(0), [0], [0]

    def compare(root: Path, commit: str, *, deadline_s: float) -> bool:
        running[0] += 1
        most[0] = max(most[0], running[0])
        begun.release()
        assert go_on.acquire(timeout=10)
        running[0] -= 1
        return False

    monkeypatch.setattr(work_tree_state, "is_dirty", compare)
    for _ in range(50):
        state.note_change()
    assert begun.acquire(timeout=10)
    for _ in range(50):
        state.note_change()
    go_on.release()
    assert begun.acquire(timeout=10)  # the result of the first is of no use
    assert mark(state).dirty is msgspec.UNSET
    go_on.release()
    assert comes(lambda: mark(state).dirty is False)
    assert most == [1]
    assert not begun.acquire(blocking=False)


def test_nothing_is_compared_before_the_index_is_ready(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_tree_state, "DIRTY_SETTLE_S", 0.0)
    ready = threading.Event()
    state = WorkTreeState(repo, ready)
    state.note_change()
    let_pass(0.2, "a comparison would be done by then")
    assert mark(state).dirty is msgspec.UNSET
    ready.set()
    assert comes(lambda: mark(state).dirty is False)
    state.close()


def test_a_disk_that_is_full_leaves_it_unknown(state: WorkTreeState, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = threading.Event()

    def fail(*_: object, **__: object) -> bool:
        tried.set()
        raise OSError("no space left on device")

    monkeypatch.setattr(work_tree_state, "is_dirty", fail)
    state.note_change()
    assert tried.wait(10)
    assert mark(state).dirty is msgspec.UNSET


def test_the_index_follows_a_commit_once_its_files_were_noted(repo: Path, state: WorkTreeState) -> None:
    before = state.head
    assert state.has_indexed(before)
    run(repo, "checkout", "-q", "-b", "other")
    assert mark(state).branch == "other"
    assert not state.has_indexed(state.head)
    state.confirm_head(before)  # what was read before the checkout says nothing about it
    assert not state.has_indexed(state.head)
    state.note_head()
    assert state.has_indexed(state.head)


def test_repositories_that_git_ignores_are_found(repo: Path, state: WorkTreeState) -> None:
    (repo / ".gitignore").write_text("/checkouts/\n/node_modules/\n/linked/\n")
    for place in ("checkouts/one", "checkouts/owner/two", "checkouts/a/b/too_deep", "node_modules/package"):
        write(repo, f"{place}/x.py")
        run(repo / place, "init", "-q")
    tree = linked(repo)
    run(repo, "worktree", "move", str(tree), str(repo / "linked"))
    state.note_change(has_all=True)
    assert comes(lambda: state.nested == ("checkouts/one", "checkouts/owner/two", "linked"))
