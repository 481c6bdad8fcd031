"""`codeagentd schema`: the parameters of one tool, for people or as JSON schema. Needs no daemon."""

from __future__ import annotations

import argparse
import json
from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.suggestions import did_you_mean
from codeagentd.cli.parser import help_width
from codeagentd.cli.rendering.console import paint_for
from codeagentd.cli.rendering.tool_schemas import described
from codeagentd.cli.repository_arguments import add_json
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import load

PACKAGE: Final = "codeagentd.tools"

EXAMPLES: Final = """examples:
  codeagentd schema                       the names of all tools
  codeagentd schema get_callers           its parameters, and a call
  codeagentd schema get_callers --json    the JSON schema of its parameters
  codeagentd call get_callers --help      the same as `schema get_callers`"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="a tool; without one, the names of all")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the parameters of one tool, or the names of all. Returns the exit code."""
    catalogue = load(PACKAGE)
    if not arguments.tool:
        print(json.dumps({"tools": list(catalogue)}, indent=2) if arguments.json else "\n".join(catalogue))
        return 0
    tool = tool_called(arguments.tool, catalogue)
    print(
        json.dumps(tool.input_schema, indent=2, ensure_ascii=False)
        if arguments.json
        else "\n".join(described(tool, paint_for(arguments), help_width()))
    )
    return 0


def tool_called(name: str, catalogue: dict[str, Tool]) -> Tool:
    """Return the tool `name` of `catalogue`. Errors: invalid_parameter for an unknown name."""
    if tool := catalogue.get(name):
        return tool
    remedy = " ".join(filter(None, [did_you_mean(name, catalogue), "`codeagentd tools` lists them"]))
    raise InvalidParameter(f"there is no tool {name!r}", remedy=remedy, parameter="tool")
