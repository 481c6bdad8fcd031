"""Remedies and notes of tools in words of the command line: users of a shell have commands, not tools."""

from __future__ import annotations

import re
from typing import Final

COMMAND_OF: Final = {
    "search_code": "search",
    "search_symbols": "symbol",
    "find_symbol": "symbol",
    "find_refs": "refs",
    "get_references": "refs",
    "get_callers": "callers",
    "find_callers": "callers",
    "get_callees": "callees",
    "find_callees": "callees",
    "get_file_outline": "outline",
    "describe_symbol": "describe",
    "explain_code": "explain",
    "impact_of": "impact",
    "affected_tests": "affected --tests",
    "path_between": "path",
    "architecture_overview": "architecture",
    "index_stats": "stats",
    "get_status": "status",
    "query_graph": "query",
    "structural_search": "query",
    "plan_rename": "refactor plan",
    "predict_edit": "predict",
    "time_travel_diff": "diff",
}
# remedies for windows, and their replacements in a shell; transcripts test both
_IN_SHELLS: Final = {
    "start codeagent-mcp inside a git repository": "run this inside a git repository",
    "tools/list names those of this session; --toolsets all offers every one": "`codeagentd tools` lists them",
}
# in quotes it is a name in the repository
_NAMES: Final = re.compile("|".join(rf"(?<!['\"])`?\b{re.escape(name)}\b`?(?!['\"])" for name in COMMAND_OF))


def for_shells(text: str) -> str:
    """Return `text`, a remedy, for a shell: of one that addresses windows too, only the part for shells."""
    for done, instead in _IN_SHELLS.items():
        text = text.replace(done, instead)
    return text


def in_commands(text: str) -> str:
    """Return `text` with names of tools replaced by their commands, for answers of commands that do not name a tool."""
    return _NAMES.sub(lambda match: f"`codeagentd {COMMAND_OF[match[0].strip('`')]}`", text)
