"""A workspace as queries see it: its repositories, their sizes, and one graph over all indexes that can be read.

Each member's daemon stays the owner of its index. The indexes of others are opened for a query and closed after it; one
that fails is left out, with a note.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from codeagent_protocol.locks import is_held
from codeagentd.base.limits import MAX_MEMBERS, MEMBERS_DEADLINE_S, SURVEY_S
from codeagentd.model.labels import clean
from codeagentd.query.graph.federated_graph import FederatedGraph, FederatedIndexes, Part
from codeagentd.query.graph.node_metrics import findings
from codeagentd.store.connection import Database
from codeagentd.store.foreign_index import (
    ABSENT,
    BROKEN,
    BUILDING,
    BUSY,
    NEWER,
    OLDER,
    ForeignIndex,
    State,
    Unreadable,
    state_of,
)

from .symbol_links import Linker
from .workspace_members import Member, Survey, survey

Read = Callable[[], AbstractContextManager[Database]]
Answer = TypeVar("Answer")

AGAIN_S: Final = 30.0  # seconds for which an index that failed during a question is left out
RESTING: Final = "resting"  # the state of a member without a daemon: its index is as old as its last daemon

_WORDS: Final = {
    ABSENT: "has no index: run `codeagentd index --repo {root}`",
    BUILDING: "is being indexed for the first time: ask again later",
    OLDER: "has an index of an older version: run `codeagentd index --repo {root}`",
    NEWER: "has an index of a newer version: run `codeagentd restart`",
    BUSY: "is busy: ask again",
    BROKEN: "has an index that cannot be read: run `codeagentd index --repo {root}`",
    RESTING: "has no daemon running, this is as of its last one: `codeagentd index --repo {root}` starts one",
}


class Count(NamedTuple):
    """The numbers of nodes and edges of a member; `note` states why they are missing, or how far they can be trusted.

    `state` is the member's state in one word.
    """

    name: str
    root: str
    folder: str
    nodes: int
    edges: int
    state: str
    note: str


class Workspace:
    """The workspace of one repository: its members, their sizes, and the graph over all of them. Thread-safe."""

    def __init__(self, root: Path, trusted: tuple[str, ...] = ()) -> None:
        self._root, self._trusted = root, trusted
        self._lock = threading.Lock()
        self._surveyed: tuple[float, Survey] | None = None
        self._linker = Linker()
        self._counted: dict[
            str, tuple[tuple[State, int], tuple[int, int]]
        ] = {}  # by root: (state, generation of the analysis), (nodes, edges)
        self._failed: dict[Path, tuple[float, str]] = {}

    def survey(self) -> Survey:
        """Return the survey of the members, at most two seconds old."""
        known = self._surveyed
        if known is None or time.monotonic() - known[0] > SURVEY_S:
            known = self._surveyed = (time.monotonic(), survey(self._root, self._trusted))
        return known[1]

    def ask(self, read: Read, question: Callable[[FederatedGraph], Answer]) -> Answer:
        """Return the result of `question`, called with the graph of all repositories. If an index fails meanwhile, it
        is called again without that index. `read` borrows a connection to the repository's own index.
        """
        repositories = self.survey().repositories
        for _ in range(MAX_MEMBERS + 1):
            with read() as own, ExitStack() as stack:
                graph = self._graph(own, stack, repositories)
                try:
                    return question(graph)
                except Unreadable as problem:
                    self._failed[problem.path] = (time.monotonic() + AGAIN_S, problem.why)
        raise AssertionError("every member fails once at most")

    def _graph(self, own: Database, stack: ExitStack, repositories: list[Member]) -> FederatedGraph:
        if not repositories:
            return FederatedGraph(own)
        names = [self.survey().own, *(member.name for member in repositories)]
        return FederatedGraph(own, names, lambda: self._join(own, stack, repositories))

    def _join(self, own: Database, stack: ExitStack, repositories: list[Member]) -> FederatedIndexes:
        parts = [Part(self.survey().own, str(self._root), own)]
        states = [state_of(own)]
        notes = []
        for member in repositories:
            try:
                index = stack.enter_context(closing(self._open(member)))
            except Unreadable as problem:
                notes.append(_described(member, problem.why))
                continue
            states.append(index.state)
            parts.append(Part(member.name, member.root, index, not is_held(member.life_lock)))
        if not self._lock.acquire(timeout=MEMBERS_DEADLINE_S):
            return FederatedIndexes(
                parts, [], [*notes, "what the repositories use of each other is being looked up: ask again"], {}, {}
            )
        try:
            joined = self._linker.joined(parts, states)
        finally:
            self._lock.release()
        return joined._replace(notes=notes + joined.notes)

    def _open(self, member: Member) -> ForeignIndex:
        """Open a member's index. Errors: Unreadable."""
        until, why = self._failed.get(member.index, (0.0, ""))
        if time.monotonic() < until:
            raise Unreadable(member.index, why)
        return ForeignIndex(member.index)

    def counts(self, read: Read) -> tuple[list[Count], list[str]]:
        """Return the counts of every member, the repository itself first, and notes on the members left out. Without
        members there are no counts. `read` borrows a connection to the repository's own index.
        """
        result = self.survey()
        if not result.members:
            return [], result.notes
        with read() as own:
            counts = [Count(result.own, str(self._root), "", *self._size(str(self._root), own), "here", "")]
            counts += [self._folder(member, own) for member in result.members if member.folder]
        counts += [self._repository(member) for member in result.repositories]
        order = {name: place for place, name in enumerate((result.own, *(member.name for member in result.members)))}
        return sorted(counts, key=lambda count: order[count.name]), result.notes

    def _folder(self, member: Member, own: Database) -> Count:
        between = {"first": f"{member.folder}/", "last": f"{member.folder}0"}
        nodes, edges = (int(own.value(f"federation.{what}_below", between)) for what in ("nodes", "edges"))
        return Count(member.name, member.root, member.folder, nodes, edges, "here", "")

    def _repository(self, member: Member) -> Count:
        try:
            with closing(self._open(member)) as index:
                nodes, edges = self._size(member.root, index)
        except Unreadable as problem:
            return Count(member.name, member.root, "", 0, 0, problem.why, _described(member, problem.why))
        state = "ready" if is_held(member.life_lock) else RESTING
        return Count(
            member.name, member.root, "", nodes, edges, state, "" if state == "ready" else _described(member, state)
        )

    def _size(self, root: str, database: Database) -> tuple[int, int]:
        """Nodes and edges as counted by the last analysis; without an analysis, edges that rest on a name alone are not
        counted.
        """
        known = self._counted.get(root)
        state = (state_of(database), int(database.value("analysis.generation", (), 0)))
        if known is None or known[0] != state:
            whole = findings(database)
            size = (
                (whole.nodes, sum(whole.edges))
                if whole
                else (int(database.value("federation.nodes")), int(database.value("federation.edges")))
            )
            known = self._counted[root] = (state, size)
        return known[1]

    def names(self) -> list[str]:
        """Return the names of the members; an empty list if there are none."""
        result = self.survey()
        return [result.own, *(member.name for member in result.members)] if result.members else []


def _described(member: Member, why: str) -> str:
    return f"{member.name} {_WORDS[why].format(root=clean(member.root))}"
