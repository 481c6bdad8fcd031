"""The parts of the README that the code writes: between `<!-- name -->` and `<!-- /name -->`. `make docs` renews them, a test compares."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from codeagent_protocol.status import BatchStatus, LanguageStatus, Status, WindowStatus
from codeagentd.cli.console import Paint
from codeagentd.cli.main import COMMANDS
from codeagentd.cli.status_view import render
from codeagentd.cli.tools import PACKAGE, totals
from codeagentd.toolkit.toolsets import DEFAULT, TOOLSETS, load, select

README = Path(__file__).resolve().parents[2] / "README.md"

SAMPLE = Status(
    state="ready",
    version="0.1.0",
    pid=4711,
    repo="/home/ada/src/shop",
    uptime_s=11_107.0,
    head="3f9c1e07b2d54a86",
    generation=42,
    caught_up=True,
    indexed_files=1_204,
    indexed_symbols=18_392,
    skipped={"binary": 31, "minified": 4},
    watcher="inotify",
    last_batch=BatchStatus(at=1_000_000.0, files=1, seconds=0.014),
    languages=(LanguageStatus("python", 871, 14_010, 2), LanguageStatus("typescript", 333, 4_382)),
    clients=2,
    windows=(WindowStatus(5120, "/home/ada/src/shop", "editor 1.96", 7_512.0, 218), WindowStatus(5188, "/home/ada/src/shop/web", "agent 2.3", 310.0, 97)),
    rss_bytes=92_300_000,
    database_bytes=21_400_000,
    wal_bytes=1_200_000,
    blobs_bytes=8_700_000,
)
SAMPLE_NOW = 1_000_130.0


def status_sample() -> str:
    """`codeagentd status` of an imaginary repository, through the real view."""
    return "\n".join(["```", "$ codeagentd status", *render(SAMPLE, Paint(on=False), now=SAMPLE_NOW), "```"])


def commands_table() -> str:
    """Every command with its summary."""
    return "\n".join(["| command | |", "|---|---|", *(f"| `codeagentd {name}` | {summary} |" for name, summary in COMMANDS.items())])


def toolsets_table() -> str:
    """Every toolset that has tools, with its tools and its cost."""
    catalogue = load(PACKAGE)
    sums = totals(catalogue)
    rows = [(name, what, [tool.name for tool in catalogue.values() if tool.toolset == name]) for name, what in TOOLSETS.items() if name in sums]
    lines = [f"| `{name}` | {what} | {', '.join(tools)} | {sums[name]['tokens']:,} |" for name, what, tools in rows]
    default = [tool.name for tool in select(catalogue, toolsets=DEFAULT)]
    lines.append(f"| `{DEFAULT}` | what an agent needs most | {len(default)} of them | {sums[DEFAULT]['tokens']:,} |")
    lines.append(f"| `all` | everything | {sums['all']['tools']} | {sums['all']['tokens']:,} |")
    return "\n".join(["| toolset | what it is for | tools | tokens |", "|---|---|---|---|", *lines])


PARTS = {"status": status_sample, "commands": commands_table, "toolsets": toolsets_table}


def written(name: str, text: str) -> str:
    """What stands in a document under one name. Errors: AssertionError when the marks are missing."""
    found = re.search(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", text, re.DOTALL)
    assert found, f"README.md has no <!-- {name} --> … <!-- /{name} -->"
    return found[1]


def renewed(text: str) -> str:
    """The document with every part as the code has it."""
    for name, made in PARTS.items():
        text = text.replace(f"<!-- {name} -->\n{written(name, text)}\n<!-- /{name} -->", f"<!-- {name} -->\n{made()}\n<!-- /{name} -->")
    return text


def main() -> int:
    """Renew with --write; else only tell whether something is out of step."""
    before = README.read_text()
    after = renewed(before)
    if "--write" in sys.argv and after != before:
        README.write_text(after)
        print("README.md renewed")
        return 0
    return int(after != before)


if __name__ == "__main__":
    sys.exit(main())
