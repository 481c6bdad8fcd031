"""The context of a tool call: the repository, the index, the session, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from codeagentd.base.file_lines import lines_of
from codeagentd.base.paths import Jail
from codeagentd.federation.workspace import Workspace
from codeagentd.memory.memory_store import Caller, Code, MemoryStore, memory_store_at
from codeagentd.query.graph.federated_graph import FederatedGraph
from codeagentd.query.retrieval.tokens import Count, estimate
from codeagentd.store.connection import Database, ReaderPool

from .engine_protocol import Engine
from .sent_snippets import Delivery

Answer = TypeVar("Answer")
Computed = TypeVar("Computed")


class Context(msgspec.Struct, frozen=True):
    """The surroundings of one call. `session` and `seq` identify the call: a resent write has the same. `window` is the
    id of the process that called (0: none).

    `ignored(path, is_directory)` returns whether the ignore files exclude a repository-relative path. `query_log` gets
    a line for each question about the graph; `tokens(text)` returns an upper bound of a text's tokens; `delivery` knows
    the snippets that the client was sent before; `room` is the share of its usual length that the answer may have.
    `workspace`: other repositories that questions about the graph may include. `folders`: the folders that a relative
    path may refer to, the likeliest first; '' is the root of the repository. `computed`: the results of `once` for
    an answer that may be made again. `write` brings an answer into the form in which it is sent.
    """

    root: Path
    readers: ReaderPool
    engine: Engine
    jail: Jail
    ignored: Callable[[str, bool], bool]
    session: bytes = b""
    seq: int = 0
    window: int = 0
    memory: MemoryStore = msgspec.field(default_factory=memory_store_at)
    query_log: Path | None = None
    tokens: Count = estimate
    delivery: Delivery = msgspec.field(default_factory=Delivery)
    room: float = 1.0
    workspace: Workspace | None = None
    folders: tuple[str, ...] = ("",)
    computed: dict[str, Any] | None = None
    write: Callable[[msgspec.Struct], Any] = msgspec.to_builtins

    @property
    def caller(self) -> Caller:
        """The caller, for the memory tools."""
        return Caller(self.session, self.seq, self.window)

    def code(self, patience_s: float = 0.0) -> Code:
        """Return the repository's code, for the memory tools. `patience_s`: seconds to wait until changes are
        indexed.
        """
        mark = self.engine.sync(patience_s, patience_s) if patience_s else self.engine.watermark()
        return Code(self.read, self.lines, mark.generation if mark.caught_up else -1, str(self.root))

    def most(self, count: int) -> int:
        """Return how many of `count` items the answer has room for; at least one."""
        return max(1, int(count * self.room))

    @property
    def is_compact(self) -> bool:
        """Whether the answer is written for a model."""
        return self.write is not msgspec.to_builtins

    def cost(self, answer: msgspec.Struct) -> int:
        """Return the number of tokens of `answer`, or of a part of one, as it is sent."""
        return self.tokens(msgspec.json.encode(self.write(answer)).decode())

    def once(self, name: str, make: Callable[[], Computed]) -> Computed:
        """Return the result of `make`, called once for an answer that is made again with less room."""
        if self.computed is None:
            return make()
        if name not in self.computed:
            self.computed[name] = make()
        result: Computed = self.computed[name]
        return result

    def read(self) -> AbstractContextManager[Database]:
        """Borrow a database reader for one query, for as long as the context lasts: a consistent snapshot of
        the index.
        """
        if self.readers is self.engine.readers:  # others are lent for one answer, and open
            self.engine.await_opening()
        return self.readers.read()

    def across(self, question: Callable[[FederatedGraph], Answer]) -> Answer:
        """Return the result of `question`, called with the graph of all repositories of the workspace."""
        if self.workspace:
            return self.workspace.ask(self.read, question)
        with self.read() as db:
            return question(FederatedGraph(db))

    def lines(self, path: str) -> Sequence[str]:
        """Return the present lines of the file at `path`; none if it was removed or is no text any more."""
        return lines_of(self.jail, path)


# (session, seq, process id of the client, 0 for none) -> the context of a call
MakeContext = Callable[[bytes, int, int], Context]
