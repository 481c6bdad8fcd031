"""The parts of the documents that the code writes: between `<!-- name -->` and `<!-- /name -->`. `make docs` renews them, a test compares.

It also counts the marked cases, from which the table of languages is made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from codeagent_protocol.status import BatchStatus, Coverage, LanguageStatus, Status, WindowStatus
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.tools import PACKAGE, totals
from codeagentd.cli.rendering.console import Paint
from codeagentd.cli.rendering.status_text import render
from codeagentd.clients.catalogue import clients
from codeagentd.languages import support
from codeagentd.languages.language import languages
from codeagentd.languages.support import CASES, HEADING, Proof
from codeagentd.toolkit.toolsets import DEFAULT, TOOLSETS, load, select
from tests.harness.marked_source import Expectation, read_case

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
LANGUAGES = ROOT / "docs" / "languages.md"
CLIENTS = ROOT / "docs" / "clients.md"
COUNTED = ROOT / "daemon" / "codeagentd" / "languages" / "data" / CASES
MARKED = ROOT / "tests" / "languages"
BY_RECEIVER = frozenset(
    {"self", "super", "inheritance", "member", "constructor", "type"}
)  # origins that need to know what a member hangs on

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
    skipped={"binary": 31, "minified": 4, "no supported language": 12},
    unknown={".po": 7, ".rst": 4, "": 1},
    watcher="inotify",
    last_batch=BatchStatus(at=1_000_000.0, files=1, seconds=0.014),
    languages=(
        LanguageStatus("python", 871, 14_010, 2, references=Coverage(61_200, 20_100, 2_400, 3_100, 40)),
        LanguageStatus("typescript", 333, 4_382, references=Coverage(17_300, 3_900, 620, 900, 12)),
    ),
    clients=2,
    windows=(
        WindowStatus(5120, "/home/ada/src/shop", "editor 1.96", 7_512.0, 218),
        WindowStatus(5188, "/home/ada/src/shop/web", "agent 2.3", 310.0, 97),
    ),
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
    return "\n".join(
        ["| command | |", "|---|---|", *(f"| `codeagentd {name}` | {summary} |" for name, summary in COMMANDS.items())]
    )


def toolsets_table() -> str:
    """Every toolset that has tools, with its tools and its cost."""
    catalogue = load(PACKAGE)
    sums = totals(catalogue)
    rows = [
        (name, what, [tool.name for tool in catalogue.values() if tool.toolset == name])
        for name, what in TOOLSETS.items()
        if name in sums
    ]
    lines = [f"| `{name}` | {what} | {', '.join(tools)} | {sums[name]['tokens']:,} |" for name, what, tools in rows]
    default = [tool.name for tool in select(catalogue, toolsets=DEFAULT)]
    lines.append(f"| `{DEFAULT}` | what an agent needs most | {len(default)} of them | {sums[DEFAULT]['tokens']:,} |")
    lines.append(
        f"| `all` | all of the above but `hierarchy`; one less without --allow-exec | {sums['all']['tools']} | {sums['all']['tokens']:,} |"
    )
    return "\n".join(["| toolset | what it is for | tools | tokens |", "|---|---|---|---|", *lines])


def languages_table() -> str:
    """Every language, and how far it is supported."""
    lines = [
        f"| `{name}` | {' '.join(f'`{file}`' for file in files.split())} | {' | '.join(cells)} |"
        for name, files, *cells in support.rows()
    ]
    return "\n".join(["| " + " | ".join(HEADING) + " |", "|---|---" + "|---:" * (len(HEADING) - 2) + "|", *lines])


def languages_named() -> str:
    """How many languages there are, in a sentence."""
    return f"{len(languages())} languages and formats; [docs/languages.md](docs/languages.md) and `codeagentd languages` say how far each is supported."


def clients_table() -> str:
    """Every client with its files, what is written for it, and where the facts are from."""
    lines = []
    for of in clients().values():
        files = [
            f"{'' if system == 'all' else f'{system}: '}`{path}`"
            for system, found in of.paths.items()
            for path in found
        ]
        extras = [
            *(["underscores"] if of.tool_names else []),
            *(["instructions"] if of.instructions_project else []),
            *(["hooks"] if of.hooks_keys else []),
        ]
        project = f"`{of.project}`" if of.project else "-"
        cells = (
            f"`{of.id}`<br>{of.name}",
            "<br>".join(files),
            project,
            of.finds or "-",
            "<br>".join(extras),
            "<br>".join(of.sources),
        )
        lines.append(f"| {' | '.join(cells)} |")
    heading = "| client | file for all projects | for one | project by | more | facts from |"
    return "\n".join([heading, "|---|---|---|---|---|---|", *lines])


def clients_named() -> str:
    """Which clients there are, in a sentence."""
    return f"`codeagentd install` knows {', '.join(f'`{name}`' for name in clients())}; [docs/clients.md](docs/clients.md) has the file of each."


def counted() -> bytes:
    """The marked cases of every language, counted; the content of data/cases.json."""
    proofs = {name: proof for name in languages() if (proof := _proof(MARKED / name)).cases}
    return msgspec.json.format(msgspec.json.encode(proofs), indent=2) + b"\n"


def _proof(folder: Path) -> Proof:
    tally = {"definitions": 0, "references": 0, "imports": 0, "receivers": 0}
    cases = sorted(folder.glob("*.case"))
    for path in cases:
        for expectation in read_case(path).expectations:
            if part := _part(expectation):
                tally[part] += 1
    return Proof(
        cases=len(cases), gaps=sum(len(read_case(path).expectations) for path in folder.glob("*.gap")), **tally
    )


def _part(expectation: Expectation) -> str:
    """What an expectation is about; '' for what is none of the table's."""
    first, *rest = expectation.words
    if first in ("def", "nodef"):
        return "definitions"
    if first in ("import", "export", "reexport"):
        return "imports"
    if first == "status":
        return ""
    on = rest[rest.index("on") + 1] if "on" in rest else "plain"
    return "receivers" if on != "plain" or rest[:1] == ["open"] or BY_RECEIVER & set(rest) else "references"


PARTS = {
    "status": status_sample, "commands": commands_table, "toolsets": toolsets_table, "languages-named": languages_named, "clients-named": clients_named,
}  # fmt: skip
PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    README: PARTS,
    LANGUAGES: {"languages": languages_table},
    CLIENTS: {"clients": clients_table},
}


def written(name: str, text: str) -> str:
    """What stands in a document under one name. Errors: AssertionError when the marks are missing."""
    found = re.search(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", text, re.DOTALL)
    assert found, f"there is no <!-- {name} --> … <!-- /{name} -->"
    return found[1]


def renewed(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """The document with every part as the code has it."""
    for name, made in parts.items():
        text = text.replace(
            f"<!-- {name} -->\n{written(name, text)}\n<!-- /{name} -->", f"<!-- {name} -->\n{made()}\n<!-- /{name} -->"
        )
    return text


def main() -> int:
    """Renew with --write; else only tell whether something is out of step."""
    write = "--write" in sys.argv
    stale = COUNTED.read_bytes() != counted() if COUNTED.exists() else True
    if stale and write:
        COUNTED.write_bytes(counted())
        support.proof.cache_clear()
        print(f"{COUNTED.name} renewed")
    for page, parts in PAGES.items():
        before = page.read_text()
        after = renewed(before, parts)
        stale |= after != before
        if write and after != before:
            page.write_text(after)
            print(f"{page.name} renewed")
    return int(stale and not write)


if __name__ == "__main__":
    sys.exit(main())
