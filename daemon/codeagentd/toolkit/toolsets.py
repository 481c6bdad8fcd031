"""The toolsets, and the choice of the tools that a session offers, which is made when the session starts."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Final

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.suggestions import did_you_mean

from .tool import Effect, Tool, declared

ALL: Final = "all"  # the toolsets of the contract pages
DEFAULT: Final = "default"
COMPACT: Final = "compact"
FULL: Final = "full"

TOOLSETS: Final = {
    "files": "directories and file contents",
    "symbols": "find and describe symbols",
    "navigation": "who calls, uses, implements and depends on what",
    "engine": "index files, engine status",
    "lens": "symbol lookup for editors",
    "hierarchy": "types, calls and imports for editors, over several steps",
    "retrieval": "semantic code search and explanations",
    "graph": "graph analysis, impact and history",
    "memory": "notes that outlive a session",
    "tasks": "shared task lists",
    "reflection": "lessons from past attempts",
    "indexing": "index single files on request",
    "exec": "run code of the repository (needs --allow-exec)",
}

FURTHER: Final = frozenset({"hierarchy"})  # toolsets that page 001 reserves for later: offered only by name
EVERYTHING: Final = ",".join((ALL, *sorted(FURTHER)))

# The tools that answer what agents ask most, in at most 14 tools and 1,500 tokens of names, descriptions and input
# schemas, 4,000 with all that is listed: find in words or by name, read a symbol, who uses it, what a change breaks,
# which tests to run, what has changed. Left out: folders (every agent lists them itself), get_symbol (describe_symbol
# has more), get_dependencies (get_callees). Clients that load tools on demand are asked to load three of these from
# the start (`always_loaded`), since a tool that has to be searched first is often never called: search_code (where to
# begin), describe_symbol (a symbol and what is around it) and get_references (its uses). Their answers lead to the
# others.
DEFAULT_TOOLS: Final = (
    "search_code", "explain_code", "search_symbols", "describe_symbol", "get_file_outline", "get_references",
    "get_callers", "get_callees", "get_implementations", "get_dependents", "affected", "affected_tests",
    "working_changes_impact", "read_file",
)  # fmt: skip


def load(package: str) -> dict[str, Tool]:
    """Import every module below `package`, a package of tools. Returns the tools by name, in alphabetical order.

    Errors: ValueError for a name used twice.
    """
    parent = importlib.import_module(package)
    for module in pkgutil.walk_packages(parent.__path__, f"{package}."):
        importlib.import_module(module.name)
    return dict(sorted(declared().items()))


def select(
    catalogue: dict[str, Tool],
    *,
    toolsets: str = "",
    tools: str = "",
    exclude_tools: str = "",
    read_only: bool = False,
    allow_exec: bool = False,
    tool_names: str = "",
    rows: str = "",
) -> list[Tool]:
    """Return the tools of a session, chosen from `catalogue` by the flags of the same names; lists are separated by
    commas.

    `tools` alone offers exactly those; with `toolsets` it adds to them. `rows`: the form of answers, compact or full;
    '' is full for a session with the toolset `all`, which is too long for a model, and compact for others. Errors:
    invalid_parameter for unknown names.
    """
    chosen = _listed(tools, catalogue, "tools")
    if toolsets or not chosen:
        chosen |= _members(catalogue, _listed(toolsets or DEFAULT, [*TOOLSETS, ALL, DEFAULT], "toolsets"))
    chosen -= _listed(exclude_tools, catalogue, "exclude-tools")
    offered = [tool for name, tool in catalogue.items() if name in chosen and _is_allowed(tool, read_only, allow_exec)]
    if _is_compact(rows, toolsets):
        offered = [tool.compact_form for tool in offered]
    return _renamed(offered, tool_names)


def _is_compact(rows: str, toolsets: str) -> bool:
    if rows not in ("", COMPACT, FULL):
        raise InvalidParameter(
            f"--rows: {rows!r} is no form of answers", remedy=f"use {COMPACT} or {FULL}", parameter="rows"
        )
    return rows == COMPACT or (not rows and ALL not in _listed(toolsets, [*TOOLSETS, ALL, DEFAULT], "toolsets"))


def _members(catalogue: dict[str, Tool], names: set[str]) -> set[str]:
    result = set(DEFAULT_TOOLS) & catalogue.keys() if DEFAULT in names else set()
    return result | {
        name
        for name, tool in catalogue.items()
        if tool.toolset in names or (ALL in names and tool.toolset not in FURTHER)
    }


def _is_allowed(tool: Tool, read_only: bool, allow_exec: bool) -> bool:
    return (tool.effect is Effect.READ or not read_only) and (tool.effect is not Effect.EXEC or allow_exec)


def _listed(text: str, valid: Iterable[str], flag: str) -> set[str]:
    names = {name.strip() for name in text.split(",")} - {""}
    known = {alias: name for name in valid for alias in (name, underscored(name))}
    if unknown := sorted(names - known.keys()):
        remedy = " ".join(
            filter(None, [did_you_mean(unknown[0], known), "use one of: " + ", ".join(sorted(set(known.values())))])
        )
        raise InvalidParameter(
            f"--{flag}: there is no {', '.join(unknown)}", remedy=remedy, parameter=flag, unknown=unknown
        )
    return {known[name] for name in names}


def _renamed(tools: list[Tool], tool_names: str) -> list[Tool]:
    """Tools under the names that the client accepts."""
    if tool_names in ("", "dotted"):
        return tools
    if tool_names != "underscore":
        raise InvalidParameter(
            f"--tool-names: {tool_names!r} is no spelling",
            remedy="use underscore, or leave it out",
            parameter="tool-names",
        )
    return [msgspec.structs.replace(tool, name=underscored(tool.name)) for tool in tools]


def underscored(name: str) -> str:
    """Return the tool name `name` for clients that refuse dots."""
    return name.replace(".", "_")
