"""The generated parts of the documents, between `<!-- name -->` and `<!-- /name -->`: `make docs` writes them, a test
compares them with the code.

The counts of the marked cases, from which the table of languages is generated, are written here too.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from codeagent_protocol.status import BatchStatus, Coverage, LanguageStatus, Status, WindowStatus
from codeagentd.boot.settings import KEYS, Settings, in_force
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.schema import PACKAGE
from codeagentd.cli.commands.tools import totals
from codeagentd.cli.main import parser_of
from codeagentd.cli.rendering.console import Paint
from codeagentd.cli.rendering.status_text import render
from codeagentd.cli.rendering.tool_schemas import kind, limits, meaning
from codeagentd.clients.catalogue import Client, Paths, clients
from codeagentd.clients.language_servers import advice
from codeagentd.languages import support
from codeagentd.languages.language import GENERIC, languages
from codeagentd.languages.support import CASES, HEADING, Proof
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import DEFAULT, TOOLSETS, load, select
from tests.bench import releases
from tests.harness import editor_packages, registry_files
from tests.harness.marked_source import Expectation, read_case

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
CASE_COUNTS = ROOT / "daemon" / "codeagentd" / "languages" / "data" / CASES
MARKED = ROOT / "tests" / "languages"
RECEIVER_ORIGINS = frozenset(
    {"self", "super", "inheritance", "member", "constructor", "type"}
)  # origins that need the receiver of a member

SAMPLE = Status(
    state="ready",
    version="0.1.0",
    pid=4711,
    repo="/home/ada/src/shop",
    uptime_s=11_107.0,
    head="3f9c1e07b2d54a86",
    generation=42,
    caught_up=True,
    indexed_files=1_216,
    indexed_symbols=18_392,
    skipped={"binary": 31, "minified": 4, "lock file": 2},
    unknown={".po": 7, ".shelf": 4, "": 1},
    watcher="inotify",
    last_batch=BatchStatus(at=1_000_000.0, files=1, seconds=0.014),
    languages=(
        LanguageStatus("other", 12, 0),
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
WIDTH = 118  # of wrapped text

# What each setting does; its default, values, variable and flag come from the code.
MEANINGS = {
    "ignore": "patterns of files that are not indexed, besides those of the ignore files",
    "languages": "the languages that are indexed; none: all of them",
    "toolsets": "the toolsets of windows that choose none",
    "idle_exit_s": "seconds without use after which the daemon exits",
    "background": "`considerate`: text, vectors and analyses wait for other daemons, and pause on battery and while the "
    "machine is busy; `always`: they do not",
    "transport": "`ipc`: windows reach the daemon at sockets; `tcp`: at ports of this machine, with keys; always so on "
    "Windows",
    "log_level": "what the log has",
    "query_log": "a file that gets a line of JSON for each call of `query_graph`; empty: none",
    "query_log_disable": "write no such file whatever `query_log` says",
    "offline": "download nothing, not even the embedding model",
    "http": "an address to listen on too; empty: none",
    "http_hosts": "names by which clients of HTTP may call this machine besides its own, with one port or with any",
    "api_key": "the key that clients of HTTP have to send",
    "insecure": "let other machines reach the HTTP address without a key",
    "limits.max_file_bytes": "larger files are not indexed",
    "limits.workers": "processes that read and link files",
    "limits.extract_deadline_s": "seconds that reading one file may take",
    "limits.max_rss_bytes": "memory above which a daemon makes way for a new one; unless set: 1 GB or a sixteenth of the machine's memory, whichever is more, and 5 kB for each file",
    "limits.max_index_bytes": "size above which an index keeps only its graph",
    "embedding.enabled": "search by meaning; `false`: no model and no network",
    "embedding.model": "the model of this package, or one of fastembed's (`codeagentd[sentence-models]`), which is downloaded",
    "embedding.max_symbols": "how many symbols have a vector, the most referenced first; "
    "`codeagentd index --embed N` sets it for one index",
    "embedding.model_path": "a directory with a sentence model in ONNX form, or with a static model; empty: "
    "that of `embedding.model`",
    "share.url": "where a team's facts are: new indexes begin with them ([sharing](sharing.md)); empty: nowhere",
    "share.pull": "whether new indexes begin with what the store has, or only `codeagentd share pull` takes it",
    "share.max_bytes": "what one pull or push may move",
    "share.trusted_keys": "if there are any, only what one of them has signed is pulled",
    "share.sign_with": "the file of the key that signs what is pushed; empty: nothing is signed",
    "memory.url": "a PostgreSQL server with the memories and tasks of a team; empty: this user's `memory.db`",
    "workspace.trusted": "absolute folders whose repositories may be members of a workspace before they are indexed",
}


def status_sample() -> str:
    """`codeagentd status` of an imaginary repository, through the real view."""
    return "\n".join(["```", "$ codeagentd status", *render(SAMPLE, Paint(on=False), now=SAMPLE_NOW), "```"])


def commands_table() -> str:
    """Every command with its summary."""
    return "\n".join(
        [
            "| command | what it does |",
            "|---|---|",
            *(f"| `codeagentd {name}` | {summary} |" for name, summary in COMMANDS.items()),
        ]
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
    lines = [
        f"| `{name}` | {what} | {', '.join(map(_tool_link, tools))} | {sums[name]['tokens']:,} |"
        for name, what, tools in rows
    ]
    default = [tool.name for tool in select(catalogue, toolsets=DEFAULT)]
    lines.append(f"| `{DEFAULT}` | what an agent needs most | {len(default)} of them | {sums[DEFAULT]['tokens']:,} |")
    lines.append(
        f"| `all` | all of the above but `hierarchy`; one less without --allow-exec | {sums['all']['tools']} "
        f"| {sums['all']['tokens']:,} |"
    )
    return "\n".join(["| toolset | what it is for | tools | tokens |", "|---|---|---|---|", *lines])


def _tool_link(name: str) -> str:
    return f"[{name}](#{name.lower().replace('.', '')})"


def tools_reference() -> str:
    """Every tool: what it does, its parameters, its answer and its errors."""
    catalogue = load(PACKAGE)
    default = {tool.name for tool in select(catalogue, toolsets=DEFAULT)}
    sections = []
    for toolset, purpose in TOOLSETS.items():
        if members := [tool for tool in catalogue.values() if tool.toolset == toolset]:
            sections += [f"## Toolset {toolset}", f"{purpose[0].upper()}{purpose[1:]}."]
            sections += [part for tool in members for part in _tool_section(tool, in_default=tool.name in default)]
    return "\n\n".join(sections)


def _tool_section(tool: Tool, *, in_default: bool) -> list[str]:
    facts = [
        f"Effect: {tool.effect.value}",
        f"{tool.compact_form.tokens} tokens",
        *(["in `default`"] if in_default else []),
    ]
    required = tool.input_schema.get("required", ())
    rows = [
        f"| `{name}` | {_cell(kind(about))} | {_default(about, is_required=name in required)} | {limits(about)} "
        f"| {_cell(meaning(tool.name, name, about))} |"
        for name, about in tool.input_schema.get("properties", {}).items()
    ]
    table = ["| parameter | type | default | limits | |", "|---|---|---|---|---|", *rows]
    details = inspect.getdoc(tool.function) or ""
    return [
        f"### `{tool.name}`",
        _wrapped(tool.description),
        f"{', '.join(facts)}.",
        "\n".join(table) if rows else "It takes no parameters.",
        *(
            _wrapped(f"{title}: {' '.join(text.split())}")
            for title, text in re.findall(r"^(Returns|Errors): (.*?)(?=^\w+:|\Z)", details, re.DOTALL | re.MULTILINE)
        ),
    ]


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _default(about: dict[str, Any], *, is_required: bool) -> str:
    if is_required:
        return "required"
    return f"`{json.dumps(about['default'])}`" if about.get("default") not in (None, "") else ""


def settings_table() -> str:
    """Every setting with its variable and flag, its default and its values."""
    flags = {action.dest: action.option_strings[-1] for action in parser_of("run")._actions}
    defaults = in_force(Settings())
    rows = []
    for name, key in KEYS.items():
        flag = flags.get(name) or flags.get(name.removesuffix("s"), "")
        spelled = "<br>".join(f"`{text}`" for text in (name, key.variable, flag) if text)
        allowed = f"{key.allowed}{'<br>a repository may set it' if key.repository_may else ''}"
        rows.append(f"| {spelled} | {MEANINGS[name]} | `{json.dumps(defaults[name])}` | {allowed} |")
    heading = "| setting, variable, flag of `codeagentd run` | what it does | default | values |"
    return "\n".join([heading, "|---|---|---|---|", *rows])


def languages_table() -> str:
    """Every language, with the counts of its cases."""
    lines = [
        f"| `{name}` | {tier} | {' '.join(f'`{file}`' for file in files.split())} | {' | '.join(cells)} |"
        for name, tier, files, *cells in support.rows()
    ]
    return "\n".join(["| " + " | ".join(HEADING) + " |", "|---|---|---" + "|---:" * (len(HEADING) - 3) + "|", *lines])


def generic_languages_table() -> str:
    """Every generic language with its files."""
    lines = [
        f"| `{language.name}` | {' '.join(f'`{file}`' for file in (*language.extensions, *language.filenames))} |"
        for language in languages().values()
        if language.tier == GENERIC
    ]
    return "\n".join(["| language | files |", "|---|---|", *lines])


def languages_named(page: str) -> str:
    """The number of languages, in a sentence with a link to their page."""
    return _wrapped(
        f"It reads {len(languages())} languages and formats. [Languages]({page}) and `codeagentd languages` say how far "
        "each is supported."
    )


def clients_table() -> str:
    """Every client with its files, what is written for it, and where the facts are from."""
    lines = []
    for client in _of_mcp():
        files = _paths(client.paths)
        extras = [
            *(["underscores"] if client.tool_names else []),
            *(["instructions"] if client.instructions_project else []),
            *(["hooks"] if client.hooks_keys else []),
            *(["skill"] if client.skills_paths else []),
            *(["language server"] if client.language_server and client.language_server.is_written else []),
        ]
        project = f"`{client.project}`" if client.project else "-"
        cells = (
            f"`{client.id}`<br>{client.name}",
            "<br>".join(files),
            project,
            client.finds or "-",
            "<br>".join(extras),
            "<br>".join(client.sources),
        )
        lines.append(f"| {' | '.join(cells)} |")
    heading = "| client | file for all projects | for one | project by | more | facts from |"
    return "\n".join([heading, "|---|---|---|---|---|---|", *lines])


def _of_mcp() -> list[Client]:
    return [client for client in clients().values() if client.takes_mcp]


def _paths(paths: Paths) -> list[str]:
    return [f"{'' if system == 'all' else f'{system}: '}`{path}`" for system, files in paths.items() for path in files]


def clients_named() -> str:
    """The names of the clients and of the editors, in a sentence."""
    editors = [name for name, client in clients().items() if not client.takes_mcp]
    return _wrapped(
        f"`codeagentd install` knows {', '.join(f'`{client.id}`' for client in _of_mcp())}; and, for the language "
        f"server alone, {', '.join(f'`{name}`' for name in editors)}."
    )


def language_servers_table() -> str:
    """Every client and editor that takes the language server: its files, what its user has to know, the sources."""
    lines = []
    for client in clients().values():
        if declared := client.language_server:
            files = _paths(declared.paths) + [path for file in declared.files for path in _paths(file.paths)]
            cells = (
                f"`{client.id}`<br>{client.name}",
                "<br>".join(files) or "-",
                f"`{declared.project}`" if declared.project else "-",
                "see below" if "\n" in declared.advice else _cell(declared.advice),
                "<br>".join(declared.sources),
            )
            lines.append(f"| {' | '.join(cells)} |")
    heading = "| client | file for all projects | for one | to know | facts from |"
    return "\n".join([heading, "|---|---|---|---|---|", *lines])


def by_hand() -> str:
    """What `codeagentd install` tells the users of some clients to do, to be copied."""
    parts = []
    for client in clients().values():
        text, _, lines = advice(client, "/path/to/codeagent-lsp").partition("\n")
        if lines:
            parts += [f"### {client.name}", _wrapped(text), f"```\n{textwrap.dedent(lines)}\n```"]
    return "\n\n".join(parts)


def case_counts() -> bytes:
    """The content of data/cases.json: the counts of the marked cases of every language."""
    proofs = {name: proof for name in languages() if (proof := _proof_of(MARKED / name)).cases}
    return msgspec.json.format(msgspec.json.encode(proofs), indent=2) + b"\n"


def _proof_of(folder: Path) -> Proof:
    tally = {"definitions": 0, "references": 0, "imports": 0, "receivers": 0}
    cases = sorted(folder.glob("*.case"))
    for path in cases:
        for expectation in read_case(path).expectations:
            if part := _category(expectation):
                tally[part] += 1
    return Proof(
        cases=len(cases), gaps=sum(len(read_case(path).expectations) for path in folder.glob("*.gap")), **tally
    )


def _category(expectation: Expectation) -> str:
    """The column of the table in which an expectation counts; '' for none."""
    first, *rest = expectation.words
    if first in ("def", "nodef"):
        return "definitions"
    if first in ("import", "export", "reexport"):
        return "imports"
    if first == "status":
        return ""
    on = rest[rest.index("on") + 1] if "on" in rest else "plain"
    return "receivers" if on != "plain" or rest[:1] == ["open"] or RECEIVER_ORIGINS & set(rest) else "references"


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    README: {
        "languages-named": partial(languages_named, "docs/languages.md"),
        "clients-named": clients_named,
        "registry-name": registry_files.registry_name,
    },
    editor_packages.PLUGIN / "README.md": {"plugin-lines": registry_files.plugin_lines},
    DOCS / "index.md": {"languages-named": partial(languages_named, "languages.md")},
    DOCS / "clients.md": {
        "clients-named": clients_named,
        "clients": clients_table,
        "language-servers": language_servers_table,
        "by-hand": by_hand,
    },
    DOCS / "figures.md": {"figures": releases.page},
    DOCS / "languages.md": {"languages": languages_table, "generic-languages": generic_languages_table},
    DOCS / "operations.md": {"status": status_sample, "commands": commands_table},
    DOCS / "settings.md": {"settings": settings_table},
    DOCS / "tools.md": {"toolsets": toolsets_table, "tools": tools_reference},
}


def generated_block(name: str, text: str) -> str:
    """Return the generated block of a document. Errors: AssertionError when its marks are missing."""
    block = re.search(rf"<!-- {name} -->\n(.*?)\n?<!-- /{name} -->", text, re.DOTALL)
    assert block, f"there is no <!-- {name} --> … <!-- /{name} -->"
    return block[1]


def with_generated_blocks(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """Return the document with every block generated again."""
    for name, generate in parts.items():
        before, after = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        old = generated_block(name, text)
        text = text.replace(f"{before}{old}\n{after}" if old else f"{before}{after}", f"{before}{generate()}\n{after}")
    return text


def main() -> int:
    """Write the blocks and files with --write; without it, exit with 1 when one differs from the code."""
    write = "--write" in sys.argv
    stale = CASE_COUNTS.read_bytes() != case_counts() if CASE_COUNTS.exists() else True
    if stale and write:
        CASE_COUNTS.write_bytes(case_counts())
        support.proof.cache_clear()
        print(f"{CASE_COUNTS.name} renewed")
    for page, parts in PAGES.items():
        before = page.read_text()
        after = with_generated_blocks(before, parts)
        stale |= after != before
        if write and after != before:
            page.write_text(after)
            print(f"{page.name} renewed")
    for path in editor_packages.stale():
        stale = True
        if write:
            editor_packages.write(path)
            print(f"{path.name} renewed")
    return int(stale and not write)


if __name__ == "__main__":
    sys.exit(main())
