"""index_files indexes exactly what a new index contains."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

LEFT_OUT = ["node_modules/pkg/index.js", "build/out.py", "ignored.py", "ours.py", "build/kept.py"]


def test_what_ignore_rules_leave_out_is_refused_and_an_index_stays_as_a_fresh_one(
    make_bench: Make, tmp_path: Path
) -> None:
    rules = {".gitignore": "node_modules/\nbuild/\nignored.py\n", ".codeagentignore": "ours.py\nbuild/kept.py\n"}
    bench = make_bench(
        {**rules, "a.py": "def one(): ...\n", **dict.fromkeys([*LEFT_OUT, "build/tracked.py"], "def two(): ...\n")}
    )
    subprocess.run(["git", "-C", str(bench.root), "add", "-f", "build/tracked.py", "build/kept.py"], check=True)
    bench.catch_up()
    before = bench.stored.paths()
    answer = bench.engine.index_files([*LEFT_OUT, "a.py", "build/tracked.py"], b"", 0)
    assert answer["indexed"] == 2
    assert answer["errors"] == [
        {
            "path": path,
            "code": "invalid_parameter",
            "message": f"{path!r} is not indexed: it is left out of the index by an ignore rule",
        }
        for path in LEFT_OUT
    ]
    assert bench.stored.paths() == before
    assert bench.is_as_fresh(tmp_path / "fresh", "symbols")


def test_a_file_that_is_gone_from_an_ignored_place_is_still_taken_out(make_bench: Make) -> None:
    bench = make_bench({"old/a.py": "def one(): ...\n", "b.py": "pass\n"})
    bench.write(".gitignore", "old/\n")
    (bench.root / "old/a.py").unlink()
    assert bench.engine.index_files(["old/a.py"], b"", 0)["errors"][0]["code"] == "not_found"
    assert not [path for path in bench.stored.paths() if path.startswith("old")]
