"""The hook for the start of a client's session: it prints one sentence for the agent when a daemon serves the session's
repository, else nothing.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.errors import CodedError
from codeagent_protocol.locks import is_held
from codeagent_protocol.root import find_root

# JSON as Claude Code, Codex and Gemini CLI read it from a hook at the start of a session; no character in it needs
# escaping
TEXT: Final = (
    '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "codeagentd indexes this '
    "repository and follows every save: before searching files, ask explain_code, search_symbols, describe_symbol or "
    "get_references (MCP server codeagent), or in a shell run `codeagentd explain QUESTION`, "
    '`codeagentd describe NAME` or `codeagentd refs NAME`."}}'
)


def nudge() -> int:
    """Print the sentence for the agent, or nothing. Always returns 0: other exit codes make clients stop or
    complain.
    """
    try:
        if is_held(endpoint_of(find_root("", os.environ.get("CODEAGENT_REPO", ""))).life_lock):
            print(TEXT)
            sys.stdout.flush()
    except (CodedError, OSError, ValueError):
        pass
    return 0
