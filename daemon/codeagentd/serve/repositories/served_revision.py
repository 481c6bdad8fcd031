"""What answers the sessions of one commit, and the tools that they are offered."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

from codeagent_protocol.messages import Hello
from codeagentd.serve.mcp.fast_path import FastPath
from codeagentd.serve.mcp.log_notifications import NoMessages
from codeagentd.serve.mcp.requests import Requests
from codeagentd.serve.mcp.resource_notifications import ResourceNotifier
from codeagentd.serve.mcp.sdk_loader import Sdk
from codeagentd.serve.sessions.session import RequestHandler, Session
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolSelection
from codeagentd.toolkit.tool import Effect, Tool
from codeagentd.toolkit.toolsets import select

from .catalogue import Served
from .revision_calls import Parts, RevisionCalls

# of a user's own machine: their memories and tasks, the code that they run, the pull requests that `gh` shows them
NOT_SERVED: Final = frozenset({"memory", "tasks", "reflection", "indexing", "exec"})  # toolsets
NOT_SERVED_TOOLS: Final = frozenset({"list_prs", "get_pr_impact", "triage_prs", "list_repos", "repo_stats"})
REMEMBERED: Final = 256  # commits


class ServedRevision(NamedTuple):
    """The calls of one commit, and what its sessions share."""

    served: Served
    commit: str
    calls: RevisionCalls
    requests: Requests
    sdk: Sdk


class ServedRevisions:
    """Every commit that was asked for lately. To be used on the event loop."""

    def __init__(self, parts: Parts, pool: ThreadPool, tools: dict[str, Tool]) -> None:
        self._parts = parts
        self._pool = pool
        self._tools = readable(tools)
        self._of: OrderedDict[tuple[str, str, tuple[int, int]], ServedRevision] = OrderedDict()

    def of(self, served: Served, commit: str) -> ServedRevision:
        """Return what answers about `commit` of the repository."""
        key = (served.name, commit, served.source.identity)
        if known := self._of.get(key):
            self._of.move_to_end(key)
            return known
        calls = RevisionCalls(self._parts, served, commit)
        requests = Requests(calls, ResourceNotifier(self._pool, lambda: False), NoMessages())
        result = self._of[key] = ServedRevision(served, commit, calls, requests, Sdk(calls, requests, self._pool))
        while len(self._of) > REMEMBERED:
            self._of.popitem(last=False)
        return result

    def choose(self, hello: Hello) -> ToolSelection:
        """Return the tools of a session. Errors: invalid_parameter."""
        return ToolSelection(
            select(
                self._tools, toolsets=hello.toolsets, tools=hello.tools, exclude_tools=hello.exclude_tools,
                tool_names=hello.tool_names, rows=hello.rows, read_only=True,
            )
        )  # fmt: skip

    def equip(self, revision: ServedRevision, session: Session) -> RequestHandler:
        """Return the handler of a session's usual requests."""
        return FastPath(session, revision.calls, revision.requests, self._pool)


def readable(tools: dict[str, Tool]) -> dict[str, Tool]:
    """Return those of `tools` that a server offers."""
    return {
        name: tool
        for name, tool in tools.items()
        if tool.effect is Effect.READ and tool.toolset not in NOT_SERVED and name not in NOT_SERVED_TOOLS
    }
