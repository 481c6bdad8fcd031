"""The beginning of an editor's session. The modules for it are imported with the first one, since most windows speak
MCP.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_protocol.messages import Hello
from codeagentd.serve.sessions.session import Send
from codeagentd.serve.thread_pool import ThreadPool

if TYPE_CHECKING:
    from codeagentd.serve.sessions.session_registry import BeginLsp

    from .lsp_session import LspSession
    from .lsp_work import LspCalls


def lsp_sessions(calls: LspCalls, pool: ThreadPool, root: Path) -> BeginLsp:
    """Return the function that begins a session on the repository at `root`, whose requests `calls` answers in the
    threads of `pool`.
    """

    def begin(identity: bytes, hello: Hello, since: float, send: Send) -> LspSession:
        from .lsp_session import LspSession

        return LspSession(identity, hello, since, send, calls, pool, root)

    return begin
