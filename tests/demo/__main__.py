"""`make demo [REPO=path]`: index a repository, then ask it three questions through the official MCP client, a real shim and the real daemon."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_protocol.errors import CodedError
from codeagent_protocol.root import find_root
from tests.demo.questions import MOST_SHOWN, Answer, Sources, Wrong, callers, choose, outline, search
from tests.harness.world import BIN, official_client

if TYPE_CHECKING:
    from mcp.client.client import Client

NOT_RUNNING = 3


def codeagentd(*arguments: str, quiet: bool = False) -> int:
    """Run a codeagentd command in the user's own directories; its exit code."""
    out = subprocess.DEVNULL if quiet else None
    return subprocess.run([str(BIN / "codeagentd"), *arguments], stdout=out, stderr=out, check=False).returncode


def source_paths(root: Path) -> list[str]:
    """Every file of the repository that git knows or could know; without git, every file outside hidden folders."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        return [path for path in listing.stdout.splitlines() if (root / path).is_file()]
    return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and not any(part.startswith(".") for part in path.parts)]


def show(question: str, answer: Answer, lines: list[str]) -> None:
    """Print one answer with its time and its watermark."""
    mark = answer.watermark
    head = str(mark.get("head") or "-")[:10]
    print(f"\n{question}")
    for line in lines[:MOST_SHOWN]:
        print(f"  {line}")
    if len(lines) > MOST_SHOWN:
        print(f"  … {len(lines) - MOST_SHOWN} more lines")
    print(f"  [{answer.ms:.1f} ms; generation {mark['generation']}, head {head}, caught_up {str(mark['caught_up']).lower()}, pending {mark['pending_files']}]")


async def converse(root: Path) -> str:
    """Ask, check against the files, print. Returns what is wrong with the answers; "" when nothing is."""
    with tempfile.NamedTemporaryFile(suffix=".log") as errors:
        async with official_client(str(BIN / "codeagent-mcp"), ["--repo", str(root), "--toolsets", "all"], os.environ, Path(errors.name)) as client:
            try:
                await ask_everything(client, root)
            except Exception as fault:  # noqa: BLE001 - the client's task groups would wrap it beyond recognition
                return str(fault) if isinstance(fault, Wrong) else f"{type(fault).__name__}: {fault}"
    return ""


async def ask_everything(client: Client, root: Path) -> None:
    """The three questions. Errors: Wrong."""
    sources = Sources(root)
    subject = await choose(client, root, source_paths(root))
    print(f"\nasking about {subject.where}  (MCP {client.protocol_version})")
    name = subject.symbol["name"]
    show(f"search_symbols {name!r}: where is it?", *await search(client, sources, subject))
    show(f"get_file_outline {subject.path}: what else is in its file?", *await outline(client, sources, subject))
    show(f"get_callers {name}: who calls it, and where?", *await callers(client, sources, subject))


def main(argument: str) -> int:
    """Index, ask, and leave the machine as it was found (the index stays in the cache)."""
    started = time.perf_counter()
    try:
        root = Path(find_root(argument, "", ""))
    except CodedError as error:
        print(f"error: {error.message} ({error.remedy})", file=sys.stderr)
        return 2
    was_running = codeagentd("status", "--repo", str(root), quiet=True) != NOT_RUNNING
    try:
        print(f"indexing {root}", flush=True)
        if code := codeagentd("index", "--wait", "-v", "--repo", str(root)):
            return code
        fault = asyncio.run(converse(root))
    finally:
        if not was_running:
            codeagentd("stop", "--repo", str(root), quiet=True)
    if fault:
        print(f"\nFAIL: {fault}", file=sys.stderr)
        return 1
    print(f"\nPASS: every answer agrees with the files; {time.perf_counter() - started:.1f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "."))
