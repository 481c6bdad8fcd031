"""`codeagentd tools`: the tools that a session can offer, and the tokens that listing them costs a model. Needs no
daemon.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.suggestions import did_you_mean
from codeagentd.cli.parser import help_width
from codeagentd.cli.rendering.console import Paint, columns, count, paint_for
from codeagentd.cli.rendering.text_wrapping import fitted, wrapped
from codeagentd.cli.repository_arguments import add_json
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import ALL, DEFAULT, EVERYTHING, TOOLSETS, load, select

PACKAGE = "codeagentd.tools"

EXAMPLES = """examples:
  codeagentd tools get_callers           what a tool takes
  codeagentd tools                       every tool by toolset
  codeagentd tools --toolsets symbols    what `codeagent-mcp --toolsets symbols` would offer
  codeagentd tools --read-only --json

Tokens are what the tool's listing (description and schemas) costs a model in every session, at four characters a \
token."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: the selection flags of codeagent-mcp."""
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="a tool, to see its parameters")
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
        return _show(catalogue, arguments)
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


def _show(catalogue: dict[str, Tool], arguments: argparse.Namespace) -> int:
    """Print one tool. Errors: invalid_parameter for an unknown name."""
    tool = catalogue.get(arguments.tool)
    if tool is None:
        remedy = " ".join(filter(None, [did_you_mean(arguments.tool, catalogue), "`codeagentd tools` lists them"]))
        raise InvalidParameter(f"there is no tool {arguments.tool!r}", remedy=remedy, parameter="tool")
    print(
        json.dumps(tool.as_listed(), indent=2, ensure_ascii=False)
        if arguments.json
        else "\n".join(described(tool, paint_for(arguments)))
    )
    return 0


def described(tool: Tool, paint: Paint) -> list[str]:
    """Return the description and the parameters of `tool`, as lines for people."""
    schema = tool.input_schema
    required = schema.get("required", ())
    rows = [
        [
            paint(name, "bold"),
            kind(about),
            "required" if name in required else _default(about),
            about.get("description", ""),
        ]
        for name, about in schema.get("properties", {}).items()
    ]
    lines = [
        f"{paint(tool.name, 'bold')}  {tool.toolset}, {tool.effect.value}, {count(tool.compact_form.tokens, 'token')}",
        "",
        *wrapped(tool.description, help_width()),
    ]
    return [
        *lines,
        "",
        *(line for row in columns(rows) or ["  it takes no parameters"] for line in fitted(row, help_width())),
    ]


def kind(about: dict[str, Any]) -> str:
    """Return the type of a parameter in one or two words; `about` is its schema."""
    if "enum" in about:
        return " | ".join(str(value) for value in about["enum"] if value is not None)
    if "anyOf" in about:
        return " | ".join(kind(option) for option in about["anyOf"] if option.get("type") != "null")
    if about.get("type") == "array":
        return f"list of {kind(about.get('items', {}))}s"
    type_name = about.get("type", "any")
    return (
        " | ".join(option for option in type_name if option != "null")
        if isinstance(type_name, list)
        else str(type_name)
    )


def _default(about: dict[str, Any]) -> str:
    return f"default {json.dumps(about['default'])}" if about.get("default") not in (None, "") else ""


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
    lines = columns([["tool", "effect", "tokens", ""], *rows], "<<><", indent=0)
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
