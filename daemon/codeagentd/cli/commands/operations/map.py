"""`codeagentd map`: indexes one large repository with many machines, by shards of work in a store that they share."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from codeagent_protocol.endpoint import endpoint_of
from codeagentd.base import failpoints
from codeagentd.cli.commands.operations.index import display
from codeagentd.cli.exit_codes import WrongUsage
from codeagentd.cli.repository_arguments import add_json, add_repo, root_from
from codeagentd.model.engine_status import Progress

ENGINES: Final = ("dask", "ray")
STEPS: Final = ("shard", "merge", "link_shard", "finish", "engine")  # options, of which one is passed
MOST_WORKERS: Final = 1_024

EXAMPLES = """examples:
  codeagentd map --store URL --engine dask --scheduler tcp://HOST:8786    all of it, on the workers of a scheduler

  codeagentd map --store URL --shard 2/3           the same by hand: on each of three machines, extract a third
  codeagentd map --store URL --merge               then on one: write the rows; prints the snapshot to resolve
  codeagentd map --store URL --link-shard 2/3 --snapshot NAME    on each: resolve a third of the files
  codeagentd map --store URL --finish              on the one: write the references; the daemon goes on from there

A step that was interrupted is run again, and goes on where it was. URL is a directory that all machines see \
(file:///mnt/index), or another store. No daemon may serve the repository on the machine of --merge and --finish."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument("--store", metavar="URL", required=True, help="the store that all machines see")
    step = parser.add_argument_group("one of these steps")
    step.add_argument("--shard", metavar="I/N", help="extract the I-th of N equal parts of the files")
    step.add_argument("--merge", action="store_true", help="write the rows of all files, from the facts in the store")
    step.add_argument("--link-shard", metavar="I/N", help="resolve the I-th of N equal parts of the files")
    step.add_argument("--finish", action="store_true", help="write the references that are in the store")
    step.add_argument("--engine", choices=ENGINES, help="do all steps, with the machines of an engine")
    parser.add_argument("--snapshot", metavar="NAME", help="with --link-shard: what --merge has printed")
    parser.add_argument("--scheduler", metavar="ADDRESS", default="", help="with --engine: where it is")
    parser.add_argument(
        "--worker-repo", metavar="PATH", help="with --engine: the checkout on the machines (default: as here)"
    )
    parser.add_argument(
        "--worker-store", metavar="URL", help="with --engine: the store as the machines see it (default: as here)"
    )
    parser.add_argument("--workers", metavar="N", type=workers, help="processes on this machine (default: one a core)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do the step that the options name. Returns the exit code: 1 when files of a shard have neither facts nor a
    reason.
    """
    from codeagentd.cli.rendering.cluster_reports import lines_of  # with all stages, which no other command needs

    failpoints.arm(os.environ)
    began = time.monotonic()
    with display(verbose=not arguments.json) as shown:

        def progress(state: Progress) -> None:
            if shown:
                shown.update(state.phase, state.done, state.total)

        report = _step(arguments, progress)
    seconds = time.monotonic() - began
    if arguments.json:
        print(json.dumps({"seconds": round(seconds, 3)} | msgspec.to_builtins(report), ensure_ascii=False))
    else:
        for line in lines_of(report, seconds):
            print(line)
    return int(not report.is_whole)


def _step(arguments: argparse.Namespace, progress: Callable[[Progress], None]) -> Any:
    """Do the step, and return its report."""
    chosen = [name for name in STEPS if getattr(arguments, name)]
    if len(chosen) != 1:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in STEPS)
        raise WrongUsage("name one step", remedy=f"pass one of {options}; `codeagentd map --help` says what each does")
    from codeagentd.cluster import steps
    from codeagentd.cluster.shards import Shard

    if arguments.link_shard:
        if arguments.snapshot is None:
            raise WrongUsage("--link-shard needs --snapshot", remedy="pass the name that --merge has printed")
        return steps.link(
            arguments.store, Shard.parse(arguments.link_shard, "link_shard"), arguments.snapshot, arguments.workers,
            progress,
        )  # fmt: skip
    cluster = steps.Repository(endpoint_of(root_from(arguments)), arguments.store, arguments.workers, progress)
    if arguments.shard:
        return cluster.extract(Shard.parse(arguments.shard))
    if arguments.merge:
        return cluster.merge()
    if arguments.finish:
        return cluster.finish()
    return cluster.run(
        arguments.engine, arguments.scheduler, arguments.worker_repo or cluster.root,
        arguments.worker_store or arguments.store,
    )  # fmt: skip


def workers(text: str) -> int:
    """Return the number of processes that `text` names."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= MOST_WORKERS):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MOST_WORKERS}")
    return int(text)
