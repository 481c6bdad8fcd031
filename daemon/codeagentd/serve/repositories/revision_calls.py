"""The calls of the sessions of one commit: each has the index opened or built first, and says which commit it is of."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, NamedTuple, TypeVar

from codeagent_protocol.errors import CodedError, EngineUnavailable, NotFound
from codeagentd.model.engine_status import Progress, Watermark
from codeagentd.pipeline.revisions.revision_indexes import RevisionIndexes
from codeagentd.serve.tool_calls import Answered, Calls, ToolSelection
from codeagentd.toolkit.call import refusal, unknown_tool
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.sent_snippets import SentSnippets

from .catalogue import Catalogue, Served
from .open_indexes import OpenIndexes

PATIENCE_S: Final = 10.0  # seconds that a call waits for an index that is being built
LONG_PATIENCE_S: Final = 50.0  # and one that says `fresh: wait`; clients give up after about a minute

T = TypeVar("T")


class Parts(NamedTuple):
    """What the calls of all commits share."""

    catalogue: Catalogue
    indexes: RevisionIndexes
    opened: OpenIndexes


class RevisionCalls:
    """Answers the calls of sessions about one commit of a repository. Thread-safe."""

    def __init__(self, parts: Parts, served: Served, commit: str) -> None:
        self._parts = parts
        self._served = served
        self._commit = commit

    def progress(self) -> Progress:
        """Return the progress of the build of the index."""
        progress = self._parts.indexes.progress_of(self._served.name, self._commit)
        return Progress(progress.phase, progress.done, progress.total)

    def answer(
        self, selection: ToolSelection, name: str, arguments: object, session: bytes, seq: int, *, window: int = 0,
        fresh: object = None, sent_snippets: SentSnippets | None = None, folder: str = "", is_shell: bool = False,
    ) -> Answered:  # fmt: skip
        """Run the tool `name`, and return its answer or its error as an answer. Blocks; never raises."""
        tool = selection.find(name)
        if tool is None:
            return Answered(unknown_tool(name, selection.names), self._mark)
        try:
            self._check()
            with self._lent(fresh) as calls:
                return calls.answer(selection, name, arguments, session, seq, sent_snippets=sent_snippets)
        except CodedError as error:
            return Answered(refusal(error, flat=tool.flat_errors, is_compact=tool.is_compact), self._mark)

    def consult(
        self, work: Callable[[Context], T], session: bytes, seq: int, *, window: int = 0, fresh: object = None
    ) -> tuple[T, Watermark]:
        """Run `work`, which is no tool, and return its result with the index's watermark. Blocks. Errors:
        CodedError.
        """
        self._check()
        with self._lent(fresh) as calls:
            return calls.consult(work, session, seq)

    def context(self, session: bytes, seq: int, window: int = 0) -> Context:
        """Return the context for a request of a session. Errors: CodedError."""
        self._check()
        with self._lent() as calls:
            return calls.context(session, seq)

    def _lent(self, fresh: object = None) -> AbstractContextManager[Calls]:
        patience_s = LONG_PATIENCE_S if fresh == "wait" else PATIENCE_S
        return self._parts.opened.lent(self._served.name, self._commit, self._served.root, patience_s)

    def _check(self) -> None:
        """Check that the repository is still there. Errors: engine_unavailable."""
        try:
            present = self._parts.catalogue.find(self._served.name)
        except NotFound:
            present = None
        if present is None or present.source.identity != self._served.source.identity:
            gone = "removed" if present is None else "replaced by another one"
            raise EngineUnavailable(
                f"the repository {self._served.name} was {gone} while this session lasted", remedy="begin a new session"
            )

    @property
    def _mark(self) -> Watermark:
        return Watermark(0, self._commit, False, 0, self._served.name)
