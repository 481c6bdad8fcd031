"""Remedies and notes of tools in words of the command line: users of a shell have commands, not tools."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

COMMAND_OF: Final = {
    "search_code": "search",
    "search_symbols": "symbol",
    "find_symbol": "symbol",
    "lookup_symbol": "symbol",
    "code.symbol.search": "symbol",
    "code.symbol.findDefinition": "symbol",
    "find_refs": "refs",
    "get_references": "refs",
    "code.symbol.findReferences": "refs",
    "get_callers": "callers",
    "find_callers": "callers",
    "get_callees": "callees",
    "find_callees": "callees",
    "get_file_outline": "outline",
    "code.symbol.getDocumentSymbols": "outline",
    "describe_symbol": "describe",
    "describe_node": "describe",
    "get_symbol": "describe",
    "get_node": "describe",
    "code.symbol.getHoverInfo": "describe",
    "get_source": "source",
    "get_source_spans": "source",
    "explain_code": "explain",
    "impact_of": "impact",
    "affected_tests": "affected --tests",
    "path_between": "path",
    "shortest_path": "path",
    "architecture_overview": "architecture",
    "index_stats": "stats",
    "graph_stats": "stats",
    "get_status": "status",
    "index_files": "index",
    "query_graph": "query",
    "structural_search": "query",
    "plan_rename": "refactor plan",
    "predict_impact": "predict",
    "time_travel_diff": "diff",
    "list_prs": "prs",
    "triage_prs": "prs --triage",
    "get_pr_impact": "prs",
}
# tools whose work every shell does by itself
_OF_SHELLS: Final = {"list_directory": "ls", "get_directory_tree": "ls -R", "read_file": "cat"}
# tools that have no command; those whose names are words, such as read and link, are not looked for
_CALLED: Final = (
    "code.relation.callHierarchy", "code.relation.importDependencies", "code.relation.inheritanceChain",
    "code.type.definition", "code.type.hierarchy", "complete_task", "create_task", "find_similar", "get_community",
    "get_dependencies", "get_dependents", "get_implementations", "get_neighbors", "get_next_task", "god_nodes",
    "improved_attempt", "index_file", "list_repos", "list_tasks", "model_effectiveness", "predict_edit", "repo_stats",
    "working_changes_impact",
)  # fmt: skip
# texts for windows, and their replacements in a shell
_IN_SHELLS: Final = {
    "start codeagent-mcp inside a git repository": "run this inside a git repository",
    "tools/list names those of this session; --toolsets all offers every one": "`codeagentd tools` lists them",
    "get_references with include: possible": "`codeagentd call get_references` with include=possible",
    "(include: possible": "(--possible",
    "(affected_tests lists them)": "(`codeagentd affected --tests` lists them)",
    "compare with time_travel_diff when done": "compare with `codeagentd diff` when done",
}


def for_shells(text: str) -> str:
    """Return `text` for a shell: of a remedy that addresses windows too, only the part for shells."""
    for done, instead in _IN_SHELLS.items():
        text = text.replace(done, instead)
    return text


def in_commands(text: str) -> str:
    """Return `text`, a remedy or note, with names of tools replaced by their commands, for commands that do not name a
    tool.
    """
    return _names().sub(lambda match: f"`{_command(match[1])}`", for_shells(text))


def in_calls(text: str) -> str:
    """Return `text`, a remedy or note, with names of tools replaced by calls of them, for `codeagentd call`."""
    return _names().sub(lambda match: f"`codeagentd call {match[1]}`", for_shells(text))


def _command(tool: str) -> str:
    return _OF_SHELLS.get(tool) or f"codeagentd {COMMAND_OF.get(tool, f'call {tool}')}"


@cache
def _names() -> re.Pattern[str]:
    """The names of tools in a text. In quotes it is a name in the repository, and after `call` it is replaced already.

    It is made for the first error, since it takes 1 of the 33 ms in which `codeagentd --help` is done.
    """
    names = "|".join(map(re.escape, (*COMMAND_OF, *_OF_SHELLS, *_CALLED)))
    return re.compile(rf"(?<!['\"])(?<!call )`?\b({names})\b`?(?!['\"=])")
