"""`codeagentd query`: answers a question in words, a CGQL query (`MATCH …`) or a named pattern from the graph."""

from __future__ import annotations

import argparse
import re
from typing import Final

from codeagentd.cli.exit_codes import WrongUsage
from codeagentd.cli.rendering import graph_answers
from codeagentd.cli.repository_arguments import add_json, add_repo

from .tool_commands import BUDGET, LIMIT, TEXT, Question

EXAMPLES: Final = """examples:
  codeagentd query how are sessions stored --context-filter src/
  codeagentd query 'MATCH (c:class)-[:contains]->(m:method) WHERE c.loc > 500 RETURN c, count(m)'
  codeagentd query --pattern god-class --limit 5

Exit code 0 also where nothing is found; 2 for a query that cannot be read."""

_MODE: Final = ("--mode", {"choices": ["bfs", "dfs"], "help": "of equally good nodes, the nearer or the farther first"})
_PLACES: Final = (
    "--context-filter",
    {"nargs": "+", "metavar": "TEXT", "help": "only files with one of these in their path"},
)
_PATTERN: Final = (
    "--pattern",
    {"metavar": "NAME", "help": "singleton, factory, observer, service-locator or god-class"},
)

_IN_WORDS: Final = Question(
    "query_graph", (("question", "", TEXT),), (_MODE, BUDGET, _PLACES), graph_answers.subgraph, ""
)
_CGQL: Final = Question("structural_search", (("query", "", TEXT),), (LIMIT,), graph_answers.matches, "")
_NAMED: Final = Question("structural_search", (), (_PATTERN, LIMIT), graph_answers.matches, "")
_MATCH: Final = re.compile(r"\s*match\s*\(", re.IGNORECASE)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument("question", metavar="QUESTION", nargs="*", help="a question in words or names, or a CGQL query")
    for flag, details in (_PATTERN, LIMIT, _MODE, BUDGET, _PLACES):
        parser.add_argument(flag, **details)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Call the tool that the options select, and print its answer. Returns the exit code. Errors: invalid_parameter."""
    text = " ".join(arguments.question)
    if bool(text) == bool(arguments.pattern):
        raise WrongUsage("pass a question or --pattern, and not both", remedy="see `codeagentd query --help`")
    if arguments.pattern:
        return _NAMED.run(arguments)
    arguments.query = arguments.question
    return (_CGQL if _MATCH.match(text) else _IN_WORDS).run(arguments)
