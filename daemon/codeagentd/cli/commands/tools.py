"""`codeagentd tools`: the tools that a session can offer, and the tokens that listing them costs a model. Needs no
daemon.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from codeagentd.cli.parser import help_width
from codeagentd.cli.rendering.console import Paint, paint_for
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.rendering.tool_schemas import described
from codeagentd.cli.repository_arguments import add_json
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import ALL, DEFAULT, EVERYTHING, TOOLSETS, load, select

from .schema import PACKAGE, tool_called

EXAMPLES = """examples:
  codeagentd tools get_callers           what a tool takes
  codeagentd tools                       every tool by toolset
  codeagentd tools --toolsets symbols    what `codeagent-mcp --toolsets symbols` would offer
  codeagentd tools --read-only --json

Tokens are what the tool's listing (description and schemas) costs a model in every session, at four characters a \
token."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: the selection flags of codeagent-mcp."""
    parser.add_argument(
        "tool",
        metavar="TOOL",
        nargs="?",
        help="a tool, to see its parameters, as `codeagentd schema TOOL`; with --json, its whole listing",
    )
    parser.add_argument(
        "--toolsets",
        default=EVERYTHING,
        help=f"comma list of toolsets, `{DEFAULT}` or `{ALL}` (default here: {EVERYTHING})",
    )
    parser.add_argument("--tools", default="", help="comma list of tools")
    parser.add_argument("--exclude-tools", default="", help="comma list of tools to leave out")
    parser.add_argument("--read-only", action="store_true", help="without the tools that write")
    parser.add_argument("--allow-exec", action="store_true", help="with the tools that run code of the repository")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the selected tools. Returns the exit code."""
    catalogue = load(PACKAGE)
    if arguments.tool:
        tool = tool_called(arguments.tool, catalogue)
        print(
            json.dumps(tool.as_listed(), indent=2, ensure_ascii=False)
            if arguments.json
            else "\n".join(described(tool, paint_for(arguments), help_width()))
        )
        return 0
    chosen = select(
        catalogue,
        toolsets="" if arguments.tools and arguments.toolsets == EVERYTHING else arguments.toolsets,
        tools=arguments.tools,
        exclude_tools=arguments.exclude_tools,
        read_only=arguments.read_only,
        allow_exec=arguments.allow_exec,
    )
    print(
        json.dumps(as_json(catalogue, chosen), indent=2)
        if arguments.json
        else "\n".join(as_text(catalogue, chosen, paint_for(arguments)))
    )
    return 0


def as_json(catalogue: dict[str, Tool], chosen: list[Tool]) -> dict[str, Any]:
    """Return the `chosen` tools as JSON."""
    tools = [
        {"name": tool.name, "toolset": tool.toolset, "effect": tool.effect.value, "tokens": tool.compact_form.tokens}
        for tool in chosen
    ]
    return {"tools": tools, "total": {"tools": len(chosen), "tokens": cost(chosen)}, "toolsets": totals(catalogue)}


def as_text(catalogue: dict[str, Tool], chosen: list[Tool], paint: Paint) -> list[str]:
    """Return the `chosen` tools as lines for people: by toolset, then the totals."""
    in_default = {tool.name for tool in select(catalogue, toolsets=DEFAULT)}
    rows = []
    for toolset in dict.fromkeys(name for name in TOOLSETS if any(tool.toolset == name for tool in chosen)):
        members = [tool for tool in chosen if tool.toolset == toolset]
        rows.append(
            [
                paint(toolset, "bold"),
                "",
                paint(str(cost([tool.compact_form for tool in members])), "bold"),
                paint(TOOLSETS[toolset], "dim"),
            ]
        )
        rows += [
            [
                f"  {tool.name}",
                tool.effect.value,
                str(tool.compact_form.tokens),
                paint("default", "dim") if tool.name in in_default else "",
            ]
            for tool in members
        ]
    lines = table([["tool", "effect", "tokens", ""], *rows], "<<><", indent=0)
    sums = totals(catalogue)
    lines += ["", *(f"{name}: {sums[name]['tools']} tools, {sums[name]['tokens']:,} tokens" for name in (DEFAULT, ALL))]
    return lines


def totals(catalogue: dict[str, Tool]) -> dict[str, dict[str, int]]:
    """Return the numbers of tools and tokens for every toolset that has tools, for the default and for all."""
    names = [name for name in TOOLSETS if any(tool.toolset == name for tool in catalogue.values())]
    picked = {name: select(catalogue, toolsets=name, allow_exec=True) for name in (*names, DEFAULT, ALL)}
    return {name: {"tools": len(tools), "tokens": cost(tools)} for name, tools in picked.items()}


def cost(tools: list[Tool]) -> int:
    """Return the number of tokens that listing `tools` costs."""
    return sum(tool.tokens for tool in tools)
