"""`codeagentd gc`: removes files of worktrees and repositories that no longer exist, and prints their size."""

from __future__ import annotations

import argparse
import json

import msgspec

from codeagentd.boot.garbage_collection import Collection, Garbage
from codeagentd.cli.rendering.console import count, paint_for, plain, size
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import add_json

EXAMPLES = """examples:
  codeagentd gc --dry-run
  codeagentd gc --json | jq 'map(.bytes) | add'

An index goes when its worktree is gone while the mount that it was on is there, or after 30 days; facts and vectors, \
when no index has had
them for 14 days. What daemons that run have open stays, and so do memories. A daemon does the same once a day when \
it is idle, with a week's patience."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--dry-run", action="store_true", help="only say what would go")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Collect, and print the removed files. Returns the exit code."""
    garbage = Collection(dry_run=arguments.dry_run).run()
    if arguments.json:
        print(json.dumps([msgspec.to_builtins(item) for item in garbage], ensure_ascii=False, indent=2))
        return 0
    paint = paint_for(arguments)
    for line in table(
        [[item.kind, size(item.bytes), plain(item.root or item.path), paint(item.reason, "dim")] for item in garbage],
        " >",
        indent=0,
    ):
        print(line)
    print(_sum(garbage, dry_run=arguments.dry_run))
    return 0


def _sum(garbage: list[Garbage], *, dry_run: bool) -> str:
    if not garbage:
        return "nothing to remove"
    return (
        f"{'would remove' if dry_run else 'removed'} {count(len(garbage), 'thing')}, "
        f"{size(sum(item.bytes for item in garbage))}"
    )
