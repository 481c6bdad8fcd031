"""The path of one tool call: first the index is brought up to the moment of the call, then the tool runs. Both steps
block, in a thread of the pool.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import msgspec

from codeagent_protocol.errors import ENGINE_UNAVAILABLE, INTERNAL, CodedError
from codeagentd.base import limits
from codeagentd.base.log import EventLog
from codeagentd.model.engine_status import Progress, Watermark
from codeagentd.model.on_demand import Question
from codeagentd.pipeline.on_demand.loan import Loan
from codeagentd.toolkit.call import Answer, refused, run, unknown_tool
from codeagentd.toolkit.context import Context, MakeContext
from codeagentd.toolkit.engine_protocol import Engine
from codeagentd.toolkit.offered_tools import without_tools
from codeagentd.toolkit.other_repositories import with_other_repository
from codeagentd.toolkit.partial_answers import coverage_notice, with_coverage_notice
from codeagentd.toolkit.path_arguments import folders_from
from codeagentd.toolkit.questions import question_of
from codeagentd.toolkit.sent_snippets import Delivery, SentSnippets
from codeagentd.toolkit.staleness import with_staleness_notice
from codeagentd.toolkit.tool import Effect, Tool, declared
from codeagentd.toolkit.toolsets import underscored

from .call_journal import CallJournal, JournalEntry, brief

META_INDEX: Final = "codeagent/index"
META_FRESH: Final = "codeagent/fresh"
FRESH_WAIT: Final = "wait"

# seconds: an agent often asks directly after saving a file, and most changes are indexed within this time
PATIENCE_S: Final = 0.1
FRESH_PATIENCE_S: Final = 30.0  # maximum seconds for `fresh: wait`; clients give up after about a minute
ON_DEMAND_S: Final = (
    4.0  # seconds that a question waits for the files that it asks for, before the first index is whole
)
FIRST_INDEX_S: Final = 10.0  # seconds: about the time of a first index of a middle-sized repository

T = TypeVar("T")

_log = EventLog(__name__)


class Answered(msgspec.Struct, frozen=True):
    """An answer, its freshness, and the snippets that are to be recorded as sent once the answer is sent."""

    answer: Answer
    watermark: Watermark
    delivery: Delivery = msgspec.field(default_factory=Delivery)

    @property
    def meta(self) -> dict[str, Any]:
        """The _meta object of the answer."""
        return {META_INDEX: msgspec.to_builtins(self.watermark)}

    @property
    def came_too_late(self) -> bool:
        """Whether the engine was closed during the call: a successor can answer it."""
        return self.answer.code == ENGINE_UNAVAILABLE


class ToolSelection:
    """The tools of one session, by every name that a call may use."""

    def __init__(self, tools: list[Tool]) -> None:
        self.tools = tools
        self.missing = declared().keys() - {tool.name for tool in tools}  # tools that the session does not offer
        self._by_name = {underscored(tool.name): tool for tool in tools} | {tool.name: tool for tool in tools}

    def find(self, name: str) -> Tool | None:
        """Return the tool of this name, dotted or underscored; None if the session has no such tool."""
        return self._by_name.get(name)

    @property
    def names(self) -> list[str]:
        """The tools' names as `tools/list` shows them."""
        return [tool.name for tool in self.tools]


class ToolCalls(Protocol):
    """What answers the tool calls of sessions; `Calls` says what the methods do."""

    def progress(self) -> Progress:
        """Return the progress of the index while it is being built."""

    def answer(
        self, selection: ToolSelection, name: str, arguments: object, session: bytes, seq: int, *, window: int = ...,
        fresh: object = ..., sent_snippets: SentSnippets | None = ..., folder: str = ..., is_shell: bool = ...,
    ) -> Answered:  # fmt: skip
        """Run the tool `name`, and return its answer or its error as an answer. Blocks; never raises."""

    def consult(
        self, work: Callable[[Context], T], session: bytes, seq: int, *, window: int = ..., fresh: object = ...
    ) -> tuple[T, Watermark]:
        """Run `work`, which is no tool, and return its result with the index's watermark. Blocks. Errors:
        CodedError.
        """

    def context(self, session: bytes, seq: int, window: int = ...) -> Context:
        """Return the context for a request of a session. Errors: CodedError."""


class Calls:
    """Answers the tool calls of sessions and operators."""

    def __init__(
        self, engine: Engine, make_context: MakeContext, *, tells_of_others: bool = True,
        journal: CallJournal | None = None,
    ) -> None:  # fmt: skip
        """`tells_of_others`: a path in another repository of this machine is answered with a notice of that one;
        `journal`: gets every call of a known tool.
        """
        self._journal = journal
        self._engine = engine
        self._make_context = make_context
        self._tells_of_others = tells_of_others

    def progress(self) -> Progress:
        """Return the progress of the index while it is being built."""
        return self._engine.progress

    def answer(
        self, selection: ToolSelection, name: str, arguments: object, session: bytes, seq: int, *, window: int = 0,
        fresh: object = None, sent_snippets: SentSnippets | None = None, folder: str = "", is_shell: bool = False,
    ) -> Answered:  # fmt: skip
        """Run the tool `name` with these arguments for a session, and return its answer or its error as an answer.
        Blocks; never raises. `window` is the process id of its window (0: none); `sent_snippets` records the snippets
        that it was sent.

        Relative paths may begin at `folder`, the caller's directory: for a shell it is tried before the root of the
        repository, for others after it.
        """
        tool = selection.find(name)
        if tool is None:
            return Answered(unknown_tool(name, selection.names), self._engine.watermark())
        ctx = self._make_context(session, seq, window)
        ctx = msgspec.structs.replace(
            ctx, delivery=Delivery(sent_snippets), folders=folders_from(ctx.root, folder, is_shell=is_shell)
        )
        began = time.perf_counter()
        answered = self._attempted(selection, tool, ctx, arguments, fresh)
        if self._journal is not None:
            self._journal.note(
                JournalEntry(
                    time.time(), window, tool.name, brief(arguments), time.perf_counter() - began,
                    answered.answer.text, answered.answer.code, answered.watermark.caught_up,
                ),
                may_write=tool.effect is not Effect.READ,
            )  # fmt: skip
        return answered

    def _attempted(
        self, selection: ToolSelection, tool: Tool, ctx: Context, arguments: object, fresh: object
    ) -> Answered:
        """Run a tool. Never raises."""
        try:
            answered = self._answered(tool, ctx, arguments, fresh)
            return msgspec.structs.replace(answered, answer=without_tools(answered.answer, selection.missing))
        except CodedError as error:
            return Answered(refused(tool, ctx, error), self._mark_in_trouble())
        except Exception as error:  # noqa: BLE001 - a fault of the engine's must not end the session
            _log.error("engine failed under a call", error, tool=tool.name)
            return Answered(
                refused(tool, ctx, CodedError("the engine failed", code=INTERNAL, remedy="codeagentd logs")),
                self._mark_in_trouble(),
            )

    def _answered(self, tool: Tool, ctx: Context, arguments: object, fresh: object) -> Answered:
        question = Question() if fresh == FRESH_WAIT else question_of(tool, ctx, arguments)
        with self._engine.on_demand(question, ON_DEMAND_S) as loan:
            if loan:
                return self._answered_on_demand(tool, ctx, arguments, loan)
        before = self._caught_up(fresh) if tool.needs_index else None
        began = time.perf_counter()
        answer = self._with_notice(run(tool, ctx, arguments), tool, ctx, arguments)
        mark = _same_checkout(before, self._engine.watermark())
        if (took := time.perf_counter() - began) > limits.SLOW_CALL_S:
            # without the arguments, which may be confidential
            _log.warning("slow call", tool=tool.name, ms=round(took * 1_000), generation=mark.generation)
        return Answered(with_staleness_notice(answer, mark) if before else answer, mark, ctx.delivery)

    def _answered_on_demand(self, tool: Tool, ctx: Context, arguments: object, loan: Loan) -> Answered:
        """Answer from the files that were indexed for this question, before the first index is whole."""
        answer = run(tool, msgspec.structs.replace(ctx, readers=loan.readers), arguments)
        answer = self._with_notice(answer, tool, ctx, arguments)
        mark = msgspec.structs.replace(self._engine.watermark(), caught_up=False)
        notice = coverage_notice(loan.coverage, self._engine.progress)
        return Answered(with_coverage_notice(answer, tool, loan.coverage, notice), mark, ctx.delivery)

    def _with_notice(self, answer: Answer, tool: Tool, ctx: Context, arguments: object) -> Answer:
        return with_other_repository(answer, tool, ctx, arguments) if self._tells_of_others else answer

    def consult(
        self, work: Callable[[Context], T], session: bytes, seq: int, *, window: int = 0, fresh: object = None
    ) -> tuple[T, Watermark]:
        """Run `work`, which is no tool, on the fresh index, and return its result with the index's watermark. Blocks.
        Errors: CodedError.
        """
        before = self._caught_up(fresh)
        result = work(self.context(session, seq, window))
        return result, _same_checkout(before, self._engine.watermark())

    def ask(
        self, work: Callable[[Context, bool], T], question: Question, session: bytes, seq: int, window: int = 0
    ) -> T:
        """Run `work`, which is no tool, on the fresh index; before the first index is whole, on what was indexed for
        `question`. Returns its result. Blocks. Errors: CodedError.

        Its second argument is whether what is missing in that index does not exist.
        """
        with self._engine.on_demand(question, ON_DEMAND_S) as loan:
            if loan:
                ctx = msgspec.structs.replace(self.context(session, seq, window), readers=loan.readers)
                return work(ctx, loan.coverage.is_whole)
        self._caught_up(None)
        return work(self.context(session, seq, window), self._engine.has_whole_index)

    def context(self, session: bytes, seq: int, window: int = 0) -> Context:
        """Return the context for the request `seq` of a session. `window` is the process id of its window (0: none)."""
        return self._make_context(session, seq, window)

    def _mark_in_trouble(self) -> Watermark:
        """Return the watermark of an error of the engine's, which may not even know that."""
        try:
            return msgspec.structs.replace(self._engine.watermark(), caught_up=False)
        except Exception:  # noqa: BLE001 - the error that is answered matters more
            return Watermark()

    def _caught_up(self, fresh: object) -> Watermark:
        patience_s = FRESH_PATIENCE_S if fresh == FRESH_WAIT else PATIENCE_S
        return self._engine.sync(patience_s, max(patience_s, FIRST_INDEX_S))


def _same_checkout(before: Watermark | None, after: Watermark) -> Watermark:
    """Return the watermark of an answer for which the index was brought up to `before` (None: it was not). If HEAD
    moved while the answer was made, the answer may belong to neither commit.
    """
    if before is None or (before.head, before.branch) == (after.head, after.branch):
        return before or after
    return msgspec.structs.replace(after, caught_up=False)
