"""The messages between the daemon and the process that tries a change in a throwaway tree: one JSON object a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

Outcome = Literal["passed", "failed", "timed_out", "disk_full", "not_started", "skipped"]


class Order(msgspec.Struct, frozen=True):
    """The files to try: those of a commit, with the work tree's content for the paths in `changed`, and a patch on top.

    `root` is the repository as the daemon serves it, `prefix` its place below the top of git's work tree; `objects` is
    git's own folder of objects, and `shallow` its list of commits without parents. `links` are paths below `root` that
    the throwaway tree reaches by a link. Paths are relative to `root`.
    """

    root: str
    prefix: str
    objects: str
    shallow: str
    commit: str
    changed: list[str]
    patch: str
    links: list[str]


class Command(msgspec.Struct, frozen=True):
    """One command: its words, and the seconds that it may take. `name` is its name in answers."""

    name: str
    words: list[str]
    deadline_s: float


class Batch(msgspec.Struct, frozen=True):
    """The commands, one after the other; `fail_fast`: none is run after one that did not pass."""

    commands: list[Command]
    fail_fast: bool


class Prepared(msgspec.Struct, frozen=True, tag="prepared"):
    """The tree is ready.

    `folder` is where commands run, `files` differ from the commit; `isolated`: there is no network; `confined`:
    commands can neither end nor stop the process that watches them.
    """

    folder: str
    files: list[str]
    isolated: bool
    confined: bool


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The refusal of a speculation: a coded error."""

    code: str
    message: str
    remedy: str
    parameter: str = ""


class Ran(msgspec.Struct, frozen=True, tag="ran"):
    """The outcome of a command. `output` is the end of its output, `left_out` the number of bytes before that."""

    name: str
    words: list[str]
    outcome: Outcome
    exit_code: int | None
    seconds: float
    output: str = ""
    left_out: int = 0


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """The end of a speculation: no command runs any more.

    `written` are the files that the commands changed, without those that git ignores; `unknown` says why there may be
    more.
    """

    written: list[str]
    unknown: str = ""


Reply = Prepared | Refused | Ran | Finished


class Speculation(Protocol):
    """A throwaway tree, which exists as long as a caller uses it."""

    @property
    def prepared(self) -> Prepared:
        """The prepared tree."""

    def run(self, commands: Sequence[Command], *, fail_fast: bool) -> tuple[list[Ran], Finished]:
        """Run `commands` in the tree, once. Returns the outcome of each, and that of the tree. Errors:
        engine_unavailable.
        """
