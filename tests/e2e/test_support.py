"""The contents of the support bundle, and what it leaves out."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

from tests.harness.world import World


def test_the_bundle_tells_how_it_stands_and_nothing_of_what_is_in_the_repository(tmp_path: Path) -> None:
    with World() as world:
        repo = world.repository(
            "hush_project",
            {"confidential_name.py": "def private_function():\n    return 'hidden words'\n", "broken.py": "def (((\n"},
        )
        world.index(repo)
        window = world.connect(repo)
        window.must("search_symbols", {"query": "private_function"})
        window.call("get_file_outline", {"path": "nowhere/confidential_name.py"})
        target = tmp_path / "bundle.zip"
        done = world.codeagentd(
            "support", "--repo", str(repo), "--output", str(target), CODEAGENT_API_KEY="key-of-the-user"
        )
        assert (done.code, done.out) == (0, f"{target}\n")
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        with zipfile.ZipFile(target) as bundle:
            told = {name: bundle.read(name).decode() for name in bundle.namelist()}
        assert {"versions.json", "status.json", "doctor.json", "settings.json", "daemon.log"} <= told.keys()
        everything = "\n".join(told.values())
        for word in (
            "confidential_name",
            "private_function",
            "hidden words",
            "key-of-the-user",
            "hush_project",
            str(repo),
        ):
            assert word not in everything, word
        again = world.codeagentd("support", "--repo", str(repo), "--output", str(target))
        assert (again.code, again.err.startswith("error: ")) == (1, True)


def test_a_bundle_that_nobody_gave_a_place_is_not_left_in_the_repository(tmp_path: Path) -> None:
    with World() as world:
        repo = world.repository("shop", {"a.py": "x = 1\n"})
        done = world.codeagentd("support", cwd=repo, TMPDIR=str(tmp_path))
        bundle = Path(done.out.strip())
        assert (done.code, bundle.parent, stat.S_IMODE(bundle.stat().st_mode)) == (0, tmp_path, 0o600)
        assert zipfile.is_zipfile(bundle)
        assert not list(repo.glob("*.zip"))
