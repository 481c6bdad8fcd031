"""The recipe of the page about many machines works as it stands there, with three processes of one machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.harness.clustered import index_of, single_index, sources
from tests.harness.contents import content
from tests.harness.world import BIN, World

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cluster.md"


@pytest.mark.limit(180)
@pytest.mark.parametrize("files", [sources(), {"one.py": "def one():\n    return 1\n"}], ids=["large", "small"])
def test_the_recipe_makes_the_index_of_one_machine(world: World, tmp_path: Path, files: dict[str, str]):
    found = re.search(r"<!-- recipe -->\n```bash\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    repo = world.repository("shop", {**files, ".gitignore": "merged.json\n"})
    environment = world.environment | {
        "STORE": (tmp_path / "store").as_uri(),
        "PATH": f"{BIN}:{world.environment['PATH']}",
    }
    done = subprocess.run(["bash", "-euc", found[1]], cwd=repo, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done
    assert "caught up" in done.stdout
    world.codeagentd("stop", "--repo", str(repo))
    assert content(index_of(world)) == content(single_index(repo, tmp_path / "single"))
