"""Failures from before the change: the same commands run on the tree without the change, in the time that the commands
have left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import structs

from codeagent_protocol.errors import CodedError
from codeagentd.memory.reflection.failures import Fact, read
from codeagentd.model.labels import clean
from codeagentd.model.speculation import Command, Order, Outcome, Ran
from codeagentd.secrets.redaction import redacted
from codeagentd.toolkit.context import Context

LEAST_S: Final = 1.0  # seconds that a command must have left at least
MOST: Final = 50  # failures of a command that are listed
NO_TIME: Final = "no time is left to try the unchanged tree"


class Before(NamedTuple):
    """The result of a command on the tree without the change: the failures of the changed tree that it also had, and
    those that it did not have, as far as failures can be identified.
    """

    outcome: Outcome
    failed: list[str]
    new: list[str]


def without(order: Order, commit: str) -> Order:
    """The order for the tree without the change: without the patch, or as the commit has it."""
    return structs.replace(order, patch="") if order.patch else structs.replace(order, commit=commit, changed=[])


def before(
    ctx: Context, order: Order, planned: Callable[[Path], Sequence[Command]], ran: Sequence[Ran], *, fail_fast: bool
) -> tuple[dict[str, Before], str]:
    """Run the commands, up to the last that failed, on the tree without the change; run nothing if none failed.
    `planned` returns the commands for a tree.

    Returns: (the results by command name, the reason in words if nothing was run).
    """
    last = max((number for number, run in enumerate(ran) if run.outcome == "failed"), default=-1)
    spent = {run.name: run.seconds for run in ran[: last + 1]}
    if not spent:
        return {}, ""
    try:
        with ctx.engine.speculation(order) as speculation:
            repeated = [command for command in planned(Path(speculation.prepared.folder)) if command.name in spent]
            commands = [
                structs.replace(command, deadline_s=command.deadline_s - spent[command.name]) for command in repeated
            ]
            if any(command.deadline_s < LEAST_S for command in commands):
                return {}, NO_TIME
            result = speculation.run(commands, fail_fast=fail_fast)[0] if commands else []
    except CodedError as error:
        return {}, f"the unchanged tree could not be tried: {error.message}"
    failures = {run.name: _failures(run) for run in ran}
    return {run.name: _compared(run, failures[run.name]) for run in result}, ""


def words(before: Mapping[str, Before]) -> str:
    """The text about the commands that also failed without the change; '' for none."""
    return "; ".join(
        f"{name} failed before the change too" + (f", but not with {', '.join(earlier.new)}" if earlier.new else "")
        for name, earlier in before.items()
        if earlier.outcome == "failed"
    )


def _failures(run: Ran) -> list[str]:
    return [_name(fact) for fact in read(redacted(run.output))] if run.outcome == "failed" else []


def _name(fact: Fact) -> str:
    """The name of a failure, in words that do not change when lines move."""
    place = fact.places[0].file if fact.places else ""
    if fact.test:
        return clean(fact.test if place in fact.test else f"{place}::{fact.test}")
    return clean(": ".join(filter(None, (place, fact.error, fact.message))))


def _compared(there: Ran, after: Sequence[str]) -> Before:
    earlier = set(_failures(there))
    names = list(dict.fromkeys(after))
    return Before(
        there.outcome,
        [name for name in names if name in earlier][:MOST],
        [name for name in names if name not in earlier][:MOST],
    )
