"""`make demo [REPO=path]`: index a repository, then ask it questions through the official MCP client, a real shim and the real daemon."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeagent_protocol.errors import CodedError
from codeagent_protocol.root import find_root
from tests.demo import questions
from tests.demo.sources import Json, Sources, Wrong
from tests.demo.subject import Answer, choose
from tests.harness.world import BIN, official_client

if TYPE_CHECKING:
    from mcp.client.client import Client

NOT_RUNNING: Final = 3
MOST_SHOWN: Final = 9  # lines of one answer


def codeagentd(*arguments: str, quiet: bool = False) -> int:
    """Run a codeagentd command in the user's own directories; its exit code."""
    out = subprocess.DEVNULL if quiet else None
    return subprocess.run([str(BIN / "codeagentd"), *arguments], stdout=out, stderr=out, check=False).returncode


def show(question: str, answer: Answer, lines: Sequence[str]) -> None:
    """Print one answer with its time and its watermark."""
    mark = answer.watermark
    head = str(mark.get("head") or "-")[:10]
    print(f"\n{question}")
    for line in lines[:MOST_SHOWN]:
        print(f"  {line}")
    if len(lines) > MOST_SHOWN:
        print(f"  … and {len(lines) - MOST_SHOWN} more")
    print(
        f"  [{answer.ms:.1f} ms; generation {mark['generation']}, head {head}, caught_up {str(mark['caught_up']).lower()}, pending {mark['pending_files']}]"
    )


async def converse(root: Path) -> str:
    """Ask, check against the files, print. Returns what is wrong with the answers; "" when nothing is."""
    with tempfile.NamedTemporaryFile(suffix=".log") as errors:
        async with official_client(
            str(BIN / "codeagent-mcp"), ["--repo", str(root), "--toolsets", "all"], os.environ, Path(errors.name)
        ) as client:
            try:
                await ask_everything(client, Sources(root))
            except Exception as fault:  # noqa: BLE001 - the client's task groups would wrap it beyond recognition
                return str(fault) if isinstance(fault, Wrong) else f"{type(fault).__name__}: {fault}"
    return ""


async def ask_everything(client: Client, sources: Sources) -> None:
    """The questions, about a symbol that the index knows. Errors: Wrong."""
    subject = await choose(client)
    if subject is None:
        print("\nno symbol is defined here: there is nothing to ask about")
        return
    print(f"\nasking about {subject.where}  (MCP {client.protocol_version})")
    name, words = subject.name, await questions.words_for(client, subject)
    show(f"search_symbols {name!r}: where is it?", *await questions.lookup(client, sources, subject))
    show(f"search_code {words!r}: what is found by words?", *await questions.search(client, sources, words))
    show(
        f"get_callers {name}: what calls it, and where? (exact: proved; inferred: one plausible target)",
        *await questions.callers(client, sources, subject),
    )
    show(f"impact_of {name}: what does a change of it affect?", *await questions.impact(client, sources, subject))
    show(
        f"affected_tests {subject.path}: which tests should run after a change?",
        *await questions.tests(client, sources, subject),
    )
    print(f"\nPASS: {sources.checked:,} places that the answers name were looked up in the files, and all agree")


def contents(root: Path) -> Json:
    """What the index has, from the daemon's status."""
    done = subprocess.run(
        [str(BIN / "codeagentd"), "status", "--json", "--repo", str(root)], capture_output=True, text=True, check=False
    )
    fields: Json = json.loads(done.stdout)
    return fields


def without_files(fields: Json) -> str:
    """Why there are no symbols to ask about; "" where there are some."""
    if fields["indexed_files"] > sum(fields["unknown"].values()):
        return ""
    skipped = ", ".join(f"{number} {reason}" for reason, number in fields["skipped"].items())
    unknown = ", ".join(f"{number} {suffix or 'without a suffix'}" for suffix, number in fields["unknown"].items())
    if not skipped and not unknown:
        return "the repository is empty: there is nothing to ask about"
    found = ", ".join(part for part in (skipped, unknown) if part)
    return f"no file is in a language that is known ({found}): there is nothing to ask about"


def demonstrate(root: Path) -> int:
    """Index and ask; the exit code."""
    started = time.perf_counter()
    print(f"indexing {root}", flush=True)
    if code := codeagentd("index", "--wait", "-v", "--repo", str(root)):
        return code
    if nothing := without_files(contents(root)):
        print(f"\n{nothing}")
    elif fault := asyncio.run(converse(root)):
        print(f"\nFAIL: {fault}", file=sys.stderr)
        return 1
    print(
        f"{time.perf_counter() - started:.1f} s in all. Next: `{BIN / 'codeagentd'} setup` adds this server to your MCP clients, `… setup --undo` removes it"
    )
    return 0


def main(argument: str) -> int:
    """Demonstrate, and leave the machine as it was found (the index stays in the cache)."""
    try:
        root = Path(find_root(argument, "", ""))
    except CodedError as error:
        print(f"error: {error.message} ({error.remedy})", file=sys.stderr)
        return 2
    was_running = codeagentd("status", "--repo", str(root), quiet=True) != NOT_RUNNING
    try:
        return demonstrate(root)
    finally:
        if not was_running:
            codeagentd("stop", "--repo", str(root), quiet=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "."))
