"""Two worktrees of a repository, each with a daemon of its own, begin with one file and answer for themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.contents import content
from tests.harness.waiting import eventually
from tests.harness.world import World

FILES = {
    f"pkg/mod{number}.py": f"from pkg.mod{(number + 1) % 30} import *\n\n\ndef step{number}():\n    return step{(number + 1) % 30}()\n"
    for number in range(30)
}


def index_of(world: World, but: Path | None = None) -> Path:
    (found,) = set(Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db")) - {but}
    return found


@pytest.mark.limit(120)
def test_edits_in_one_worktree_are_not_in_the_other_and_both_equal_fresh_indexes(world: World) -> None:
    first, second = world.repository("first", FILES), world.base / "second"
    world.index(first)
    one = index_of(world)
    world.git(first, "worktree", "add", "-q", "-b", "second", str(second))
    world.index(second)
    other = index_of(world, one)
    assert other.samefile(one)
    assert "one file with another worktree's" in world.codeagentd("status", "--repo", str(second)).out
    windows = {root: world.connect(root) for root in (first, second)}
    for turn in range(4):
        for root in (first, second):
            text = f"from pkg.mod9 import step9\n\n\ndef {root.name}{turn}():\n    return step9()\n"
            (root / f"pkg/mod{turn}.py").write_text(text)
            name = f"{root.name}{turn}"
            found = eventually(lambda root=root, name=name: windows[root].must("search_symbols", {"query": name}).items)
            assert [item["name"] for item in found] == [name]
    assert not windows[first].must("search_symbols", {"query": "second3"}).items
    callers = windows[second].must("get_callers", {"node_id": "step9"}).items
    assert {caller["name"] for caller in callers} >= {f"second{turn}" for turn in range(4)}
    assert other.samefile(one)
    for root in (first, second):
        world.codeagentd("stop", "--repo", str(root))
    with World() as elsewhere:
        for root, index in ((first, one), (second, other)):
            anew = elsewhere.repository(
                root.name, {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.py")}
            )
            elsewhere.index(anew)
            elsewhere.codeagentd("stop", "--repo", str(anew))
            fresh = index_of(elsewhere)
            assert content(index) == content(fresh)
            fresh.rename(fresh.with_suffix(".seen"))
