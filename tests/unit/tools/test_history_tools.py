"""How the graph changed between two revisions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.analysis.graph_diff import Name, Revision, differences
from codeagentd.model.graph_snapshot import Snapshot
from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from codeagentd.vcs import history
from tests.harness.past import committed, run, write
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FIRST: dict[str, str | None] = {
    "shop/core/price.py": "def total(items):\n    return sum(items)\n\n\ndef tax(items):\n    return total(items) * 2\n",
    "shop/web/view.py": "from shop.core.price import tax\n\n\ndef show(items):\n    return tax(items)\n",
    "shop/core/moving.py": "def stays_the_same(a, b):\n    c = a + b\n    return c * c\n",
    "shop/__init__.py": "", "shop/core/__init__.py": "", "shop/web/__init__.py": "", "shop/data/__init__.py": "",
}  # fmt: skip
SECOND: dict[str, str | None] = {
    "shop/core/price.py": "from shop.web.view import show\nfrom shop.data.store import load\n\n\ndef total(items):\n    return sum(load(items))\n",
    "shop/web/view.py": "from shop.core.price import total\n\n\ndef show(items):\n    return total(items)\n",
    "shop/core/moving.py": None,
    "shop/data/moved.py": FIRST["shop/core/moving.py"],
    "shop/data/store.py": "def load(items):\n    return items\n",
}


def diff(ctx: Context, rev1: str = "HEAD~1", **arguments: Any) -> Answer:
    return call(CATALOGUE["time_travel_diff"], ctx, {"rev1": rev1, **arguments})


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    place = tmp_path_factory.mktemp("history")
    committed(place / "repo", FIRST, SECOND)
    with surroundings(place, {}) as found:
        yield found


def test_dependencies_apis_cycles_and_hotspots_between_two_commits(ctx: Context) -> None:
    found = diff(ctx, rev2="HEAD").structured
    assert [(one["source"], one["target"]) for one in found["added_dependencies"]] == [
        ("shop/core", "shop/data"),
        ("shop/core", "shop/web"),
    ]
    assert [(one["label"], one["used_by"]) for one in found["removed_apis"]] == [("tax()", 2)]
    assert found["new_cycles"] == [["shop/core/price.py", "shop/web/view.py"]]
    assert found["hotspots"][0]["file"] == "shop/core/price.py"
    assert (found["moved_nodes"], found["new_nodes"], found["removed_nodes"]) == (2, 2, 1)
    assert found["drift"][0]["after"] > found["drift"][0]["before"]


def test_the_other_way_round_what_was_removed_is_new(ctx: Context) -> None:
    there, back = diff(ctx, rev2="HEAD").structured, diff(ctx, "HEAD", rev2="HEAD~1").structured
    assert (there["new_nodes"], there["removed_nodes"], there["new_edges"]) == (
        back["removed_nodes"],
        back["new_nodes"],
        back["removed_edges"],
    )
    assert there["added_dependencies"] == back["removed_dependencies"]


def test_without_a_second_revision_it_is_the_work_tree(tmp_path: Path) -> None:
    committed(tmp_path / "repo", FIRST, SECOND)
    with surroundings(tmp_path, {"shop/web/new.py": "def fresh(): ...\n"}) as ctx:
        answer = diff(ctx, "HEAD")
    assert answer.rendered.startswith(
        "HEAD -> working tree: 2 new nodes, 0 new edges, 0 nodes removed, 0 edges removed, 0 nodes moved"
    )


def test_a_revision_has_the_graph_that_a_fresh_index_of_it_has(ctx: Context, tmp_path: Path) -> None:
    committed(tmp_path / "repo", FIRST)
    with surroundings(tmp_path, {}) as fresh:
        (indexed,) = fresh.engine.snapshots([""])
    (travelled,) = ctx.engine.snapshots([history.commit_of(ctx.root, "HEAD~1")])
    assert as_read(travelled) == as_read(indexed)


def as_read(snapshot: Snapshot) -> tuple[set[object], set[object]]:
    names: dict[Name, int] = {}
    revision = Revision(snapshot, names)
    told = {number: name for name, number in names.items()}
    edges = {(told[edge >> 40], told[edge >> 8 & 0xFFFFFFFF], edge & 0xFF) for edge in revision.edges}
    return {(node.name, node.file, node.flags, node.body, node.line) for node in revision.nodes.values()}, set(edges)


@pytest.mark.parametrize("revision", ["nowhere", "-p", "HEAD~99", "", "HEAD:shop", "--upload-pack=x"])
def test_a_revision_that_git_does_not_know_is_refused(ctx: Context, revision: str) -> None:
    assert diff(ctx, revision).code == "invalid_parameter"


def test_a_shallow_clone_says_why_it_lacks_a_revision(tmp_path: Path) -> None:
    origin = committed(tmp_path / "origin", FIRST, SECOND)
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", "repo")
    with surroundings(tmp_path, {}) as ctx:
        answer = diff(ctx)
    assert "the clone is shallow" in answer.structured["error"]["message"]


def test_without_git_the_answer_says_so(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert diff(ctx).rendered.startswith("there is no git repository here, or no command git")
    assert "name the files" not in diff(ctx).rendered


def test_submodules_and_links_of_a_commit_are_left_alone(tmp_path: Path) -> None:
    module = committed(tmp_path / "module", {"inner.py": "def inner(): ...\n"})
    repo = committed(tmp_path / "repo", FIRST)
    run(repo, "submodule", "add", "-q", str(module), "module")
    os.symlink("/etc/passwd", repo / "link.py")
    run(repo, "add", "-A")
    run(repo, "commit", "-q", "-m", "module and link")
    write(repo, {"shop/web/view.py": ""})
    run(repo, "commit", "-q", "-a", "-m", "less")
    with surroundings(tmp_path, {}) as ctx:
        found = diff(ctx, rev2="HEAD").structured
    assert (found["new_nodes"], found["removed_nodes"]) == (0, 1)


def test_no_filter_hook_or_external_diff_of_the_repository_runs(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {**FIRST, ".gitattributes": "*.py filter=evil diff=evil\n"}, SECOND)
    mark = tmp_path / "ran"
    for name in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
    ):
        run(repo, "config", name, f"touch {mark}; cat")
    with surroundings(tmp_path, {"shop/web/view.py": "x = 1\n"}) as ctx:
        assert not diff(ctx).is_error
        assert not call(CATALOGUE["working_changes_impact"], ctx, {"base": "HEAD"}).is_error
        assert not call(CATALOGUE["predict_impact"], ctx, {"base": "HEAD"}).is_error
    assert not mark.exists()


def test_a_damaged_snapshot_is_made_anew_and_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    committed(tmp_path / "repo", FIRST, SECOND)
    place = tmp_path / "index" / "revisions"
    with surroundings(tmp_path, {}) as ctx:
        before = diff(ctx, rev2="HEAD").structured
        for file in place.iterdir():
            file.write_bytes(b"\x00")
        (place / "at-1").mkdir()
        assert diff(ctx, rev2="HEAD").structured == before
        assert not (place / "at-1").exists()


def test_a_graph_that_cannot_be_made_is_a_coded_error(tmp_path: Path) -> None:
    committed(tmp_path / "repo", FIRST, SECOND)
    with surroundings(tmp_path, {}) as ctx:
        with pytest.raises(EngineUnavailable):
            ctx.engine.snapshots(["0" * 40])
        assert not diff(ctx).is_error


def test_hostile_names_are_fit_to_be_shown(tmp_path: Path) -> None:
    name = "shop/<script>\u202e\n.py"
    committed(tmp_path / "repo", {**FIRST, name: "def gone(): ...\n"}, {name: None})
    with surroundings(tmp_path, {}) as ctx:
        told = diff(ctx, rev2="HEAD").rendered
    assert "\u202e" not in told
    assert "<script" not in told
    assert "‹script>.py" in told


def test_nothing_differs_from_itself() -> None:
    snapshot = Snapshot(["a.py"], ["a.py"], bytes(40), b"", 1)
    names: dict[Name, int] = {}
    found = differences(Revision(snapshot, names), Revision(snapshot, names), {}, 5)
    assert (found.new_nodes, found.removed_nodes, found.new_edges, found.hotspots) == (0, 0, 0, [])
