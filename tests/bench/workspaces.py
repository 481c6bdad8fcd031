"""What does a workspace cost? `python -m tests.bench.workspaces [MEMBERS]`: latency of questions over all members, open files and memory."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import psutil

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.federated import workbench
from tests.harness.processes import MEGABYTE

MEMBERS: Final = 20
FILES: Final = 60  # of a member, with ten functions each
ASKED: Final = 60  # times each question

QUESTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("list_repos", {}), ("find_callers", {"label": "lib0::step0x0"}), ("affected", {"label": "lib0::step0x0"}),
    ("shortest_path", {"source": "use0", "target": "lib0::step3x3"}), ("query_graph", {"question": "which step does use1 call"}),
)  # fmt: skip


def member(number: int) -> dict[str, str]:
    """A package whose functions call each other."""
    files = {"pyproject.toml": f'[project]\nname = "lib{number}"\nversion = "1.0"\n', f"lib{number}/__init__.py": ""}
    for file in range(FILES):
        lines = [f"from lib{number}.mod{file - 1} import step{file - 1}x0\n"] if file else []
        lines += [
            f"\n\ndef step{file}x{one}(value):\n    return {f'step{file - 1}x0(value)' if file else 'value'}\n"
            for one in range(10)
        ]
        files[f"lib{number}/mod{file}.py"] = "".join(lines)
    return files


def user(members: int) -> dict[str, str]:
    """A repository that uses all of them."""
    use = "import lib{0}.mod0\n\n\ndef use{0}(value):\n    return lib{0}.mod0.step0x0(value)\n"
    return {f"use{number}.py": use.format(number) for number in range(members)}


def measure(ctx: Context, members: int) -> None:
    """Print a line for each question."""
    catalogue, process = load("codeagentd.tools"), psutil.Process()
    print(f"{members} members, {process.memory_info().rss / MEGABYTE:.0f} MB and {process.num_fds()} open files before")
    for tool, arguments in QUESTIONS:
        times = []
        for _ in range(ASKED + 1):
            begun = time.perf_counter()
            answer = run(catalogue[tool], ctx, arguments)
            times.append(1_000 * (time.perf_counter() - begun))
            assert not answer.is_error, answer.text
        first, *rest = times
        rest.sort()
        told = f"first {first:6.1f} ms, p50 {rest[ASKED // 2]:5.1f}, p95 {rest[ASKED * 95 // 100]:5.1f}"
        print(f"{tool:14} {told}; {process.memory_info().rss / MEGABYTE:.0f} MB, {process.num_fds()} open files")


def main(members: int) -> None:
    """Make the repositories, index them and measure."""
    with tempfile.TemporaryDirectory() as place, workbench(Path(os.path.realpath(place))) as bench:
        for number in range(members):
            bench.repository(f"lib{number}", member(number))
        with bench.context(
            bench.repository("user", user(members), members=[f"../lib{number}" for number in range(members)])
        ) as ctx:
            measure(ctx, members)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS)
