"""No answer is about a repository, worktree or branch other than the one that is meant, unless it says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness.waiting import comes, eventually
from tests.harness.window import Answer, Window
from tests.harness.world import World

TILL = "def sell():\n    return 1\n"
TURNS = 6  # branch switches in a row


@pytest.fixture
def till(world: World) -> Path:
    return world.repository("till", {"src/till.py": TILL, "README.md": "A till.\n"})


def linked(world: World, repo: Path, place: Path, branch: str = "side") -> Path:
    world.git(repo, "worktree", "add", "-q", "-b", branch, str(place))
    return place


def commit_of(world: World, repo: Path) -> str:
    return world.git(repo, "rev-parse", "HEAD").strip()


def error(answer: Answer) -> dict[str, Any]:
    value: dict[str, Any] = answer.data["error"]
    return value


def caught_up(window: Window) -> None:
    assert comes(lambda: window.must("search_symbols", {"query": "sell"}).watermark["caught_up"])


def identity(answer: Answer) -> tuple[Any, ...]:
    return tuple(answer.watermark.get(name) for name in ("repository", "worktree", "branch", "head"))


def test_every_answer_names_its_repository_and_branch(world: World, till: Path) -> None:
    window = world.connect(till, "--toolsets", "all")
    answers = [
        window.must("search_symbols", {"query": "sell"}),
        window.must("get_status"),
        window.call("get_symbol", {"node_id": "nothing_is_called_so"}),
        window.call("get_symbol", {"wrong": 1}),
        window.call("no_such_tool"),
        window.request("resources/read", {"uri": "codegraph://stats"}),
    ]
    assert {identity(answer) for answer in answers} == {("till", None, "main", commit_of(world, till))}
    assert window.must("get_status").data["branch"] == "main"
    world.git(till, "checkout", "-q", "--detach")
    assert window.must("get_status").watermark["branch"] == ""


def test_a_worktree_answers_for_itself_and_is_not_called_foreign(world: World, till: Path) -> None:
    place = linked(world, till, world.base / "till-side")
    (place / "src/till.py").write_text("def refund():\n    return 1\n")
    window = world.window(None, "--toolsets", "all", cwd=place / "src")  # the root is found from where the agent works
    window.initialize()
    assert eventually(lambda: window.call("search_symbols", {"query": "refund"}).items)
    answer = window.must("get_file_outline", {"path": str(place / "src/till.py")})
    assert [item["name"] for item in answer.items] == ["refund"]
    assert answer.watermark["caught_up"]
    assert "note" not in answer.data
    assert identity(answer)[:3] == ("till", "till-side", "side")
    assert not window.must("search_symbols", {"query": "sell"}).items
    assert "in the worktree till-side" in world.codeagentd("status", "--repo", str(place)).out


def test_a_changed_file_makes_the_work_tree_dirty_and_no_answer_waits_for_that(world: World, till: Path) -> None:
    window = world.connect(till, "--toolsets", "all")
    caught_up(window)
    assert comes(lambda: window.must("get_status").watermark.get("dirty") is False)
    (till / "README.md").write_text("Changed.\n")
    answer = window.must("search_symbols", {"query": "sell"})
    assert answer.watermark.get("dirty") is not False  # not known yet, or known
    assert comes(lambda: window.must("get_status").watermark.get("dirty") is True)
    assert window.must("get_status").data["dirty"] is True
    assert "on main, with changes" in world.codeagentd("status", "--repo", str(till)).out
    world.commit(till)
    assert window.must("search_symbols", {"query": "sell"}).watermark.get("dirty") is not True
    assert comes(lambda: window.must("get_status").watermark.get("dirty") is False)
    (till / "new.py").write_text("def unknown_to_git():\n    pass\n")
    assert eventually(lambda: window.call("search_symbols", {"query": "unknown_to_git"}).items)
    assert comes(lambda: window.must("get_status").watermark.get("dirty") is False)


@pytest.mark.limit(120)
def test_the_first_answer_after_a_checkout_or_commit_names_the_commit_that_it_belongs_to(
    world: World, till: Path
) -> None:
    world.git(till, "checkout", "-q", "-b", "other")
    (till / "src/till.py").write_text("def barter():\n    return 1\n")
    world.commit(till)
    names = {"main": "sell", "other": "barter"}
    window = world.connect(till, "--toolsets", "all")
    assert eventually(lambda: window.must("search_symbols", {"query": "barter"}).items)
    for turn in range(TURNS):
        branch = ("main", "other")[turn % 2]
        world.git(till, "checkout", "-q", branch)
        answer = window.must("search_symbols", {"query": names[branch]})
        assert identity(answer)[2:] == (branch, commit_of(world, till))
        assert answer.items or not answer.watermark["caught_up"]
        caught_up(window)
        other = names["other" if branch == "main" else "main"]
        assert not window.must("search_symbols", {"query": other}).items
    world.git(till, "commit", "-q", "--allow-empty", "-m", "another")
    assert window.must("get_status").watermark["head"] == commit_of(world, till)
    world.git(till, "pack-refs", "--all")
    world.git(till, "commit", "-q", "--allow-empty", "-m", "yet another")
    assert window.must("search_symbols", {"query": "barter"}).watermark["head"] == commit_of(world, till)


def test_a_status_right_after_a_checkout_does_not_call_the_old_branchs_index_caught_up(
    world: World, till: Path
) -> None:
    world.git(till, "checkout", "-q", "-b", "other")
    for number in range(100):
        (till / f"src/m{number}.py").write_text(f"def f{number}():\n    return {number}\n")
    world.commit(till)
    window = world.connect(till, "--toolsets", "all")
    assert eventually(lambda: window.must("search_symbols", {"query": "f99"}).items)
    for branch, has_it in (("main", False), ("other", True)):
        world.git(till, "checkout", "-q", branch)
        status = window.must("get_status")
        assert status.watermark["branch"] == branch
        if status.watermark["caught_up"]:
            assert (status.data["indexed_files"] > 100) is has_it
        assert comes(lambda has_it=has_it: window.finds("f99") is has_it)


@pytest.mark.parametrize("tool", ["get_file_outline", "read_file", "get_symbol", "get_callers"])
def test_a_file_of_another_repository_is_refused_with_its_name(world: World, till: Path, tool: str) -> None:
    other = world.repository("prices", {"src/prices.py": "def total():\n    return 1\n"})
    window = world.connect(till, "--toolsets", "all")
    parameter, code = ("node_id", "not_found") if tool in ("get_symbol", "get_callers") else ("path", "path_escape")
    for path in (str(other / "src/prices.py"), "../prices/src/prices.py", f"{other}/src/none.py"):
        answer = window.call(tool, {parameter: path})
        assert answer.error_code == code
        assert f"it is in {other}, another repository" in error(answer)["message"]
        assert f"--repo {other}` (no daemon serves it yet)" in error(answer)["remedy"]
        assert error(answer)["repository"] == str(other)
    world.connect(other)
    answer = window.call(tool, {parameter: str(other / "src/prices.py")})
    assert "(a daemon serves it)" in error(answer)["remedy"]


def test_a_file_of_the_main_worktree_asked_in_a_linked_one_is_named_with_its_twin(world: World, till: Path) -> None:
    place = linked(world, till, world.base / "till-side")
    window = world.connect(place, "--toolsets", "all")
    answer = window.call("get_file_outline", {"path": str(till / "src/till.py")})
    assert answer.error_code == "path_escape"
    assert f"it is in {till}, another worktree of this repository" in error(answer)["message"]
    assert f"this index is of {place}" in error(answer)["message"]
    assert error(answer)["same_file"] == "src/till.py"
    assert window.must("get_file_outline", {"path": error(answer)["same_file"]}).items
    (till / "src/later.py").write_text("def later():\n    pass\n")
    assert "same_file" not in error(window.call("get_file_outline", {"path": str(till / "src/later.py")}))
    symbol = window.call("get_callers", {"node_id": f"{till}/src/till.py::sell"})
    assert (symbol.error_code, error(symbol)["same_file"]) == ("not_found", "src/till.py")
    backwards = world.connect(till, "--toolsets", "all").call("get_file_outline", {"path": "../till-side/src/till.py"})
    assert f"it is in {place}, another worktree" in error(backwards)["message"]


def test_a_folder_outside_of_any_repository_and_a_link_out_of_this_one_tell_nothing(world: World, till: Path) -> None:
    other = world.repository("prices", {"prices.py": "def total():\n    return 1\n"})
    (world.base / "loose").mkdir()
    (world.base / "loose/x.py").write_text("")
    (till / "way").symlink_to(other)
    (world.base / "door").symlink_to(other)
    window = world.connect(till, "--toolsets", "all")
    for path in (str(world.base / "loose/x.py"), "../loose/x.py", "way/prices.py", "../door/prices.py", "/etc/passwd"):
        answer = window.call("get_file_outline", {"path": path})
        assert answer.error_code == "path_escape", path
        assert "repository" not in error(answer)
        assert "prices" not in error(answer)["message"].replace(path, "")


@pytest.mark.limit(120)
def test_repositories_inside_of_this_one_are_named_by_status_and_by_what_finds_nothing_in_them(
    world: World, till: Path
) -> None:
    part = world.repository("part", {"lib/part.py": "def of_the_part():\n    return 1\n"})
    world.git(till, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "vendor/part")
    (till / ".gitignore").write_text("/checkouts/\n/.worktrees/\n")
    world.commit(till)
    world.repository("till/beside", {"b.py": "def of_beside():\n    return 1\n"})
    world.repository("till/checkouts/deep", {"c.py": "def of_the_ignored():\n    return 1\n"})
    linked(world, till, till / ".worktrees/side")
    window = world.connect(till, "--toolsets", "all")
    caught_up(window)
    nested = [".worktrees/side", "beside", "checkouts/deep", "vendor/part"]
    assert eventually(lambda: world.status(till)["nested"] == nested, explain=lambda: world.status(till)["nested"])
    assert f"{', '.join(nested)}: not in this index" in world.codeagentd("status", "--repo", str(till)).out
    for folder, path in (
        ("vendor/part", "vendor/part/lib/part.py"),
        ("beside", "beside/b.py"),
        ("checkouts/deep", str(till / "checkouts/deep/c.py")),
    ):
        answer = window.call("get_file_outline", {"path": path})
        assert answer.error_code == "not_found"
        assert f"it is in {folder}, a repository of its own inside of this one" in error(answer)["message"]
        assert f"--repo {till / folder}`" in error(answer)["remedy"]
        assert "a workspace answers about both" in error(answer)["remedy"]
        assert folder in error(window.call("get_symbol", {"node_id": path}))["message"]
        assert "a repository of its own" in window.must("get_node", {"label": path}).data["message"]
        assert "a repository of its own" in window.must("predict_impact", {"files": [path]}).data["note"]
    assert (
        "'beside' is beside, a repository of its own" in window.must("list_directory", {"path": "beside"}).data["note"]
    )
    copy = window.call("get_file_outline", {"path": ".worktrees/side/src/till.py"})
    assert "another worktree of this repository" in error(copy)["message"]
    assert error(copy)["same_file"] == "src/till.py"
    inside = world.connect(till / "vendor/part", "--toolsets", "all")
    assert eventually(lambda: inside.must("search_symbols", {"query": "of_the_part"}).items)
    outside = inside.call("get_file_outline", {"path": "../../src/till.py"})
    assert f"it is in {till}, the repository around this one" in error(outside)["message"]


def test_a_subagent_that_shares_the_window_is_sent_every_snippet(world: World, till: Path) -> None:
    window = world.connect(till)
    caught_up(window)
    question = {"query": "sell"}
    for _ in range(2):
        window.must("search_code", question | {"dedupe": True})
    assert window.must("search_code", question | {"dedupe": True}).items[0]["already_sent"]
    for _ in range(2):  # another agent behind the same client, which has seen none of this
        items = window.must("search_code", question).items
        assert items
        assert all(item["snippet"] and not item.get("already_sent") for item in items)
