"""The guided workflows (prompts), and the instructions of each for a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.labels import clean


class Argument(NamedTuple):
    """One required argument of a prompt."""

    name: str
    description: str


class Prompt(NamedTuple):
    """A workflow with the tools that it uses; the function `text` makes its instructions from the arguments."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    tools: tuple[str, ...]
    text: Callable[..., str]


PROMPTS: Final = (
    Prompt(
        "onboard", "Get to know this repository", (), ("graph_stats", "god_nodes"),
        lambda: (
            "Get to know this repository. Ask graph_stats how large it is and how sure its edges are, and god_nodes "
            "what everything else leans on. "
            "Read the resource codegraph://questions and look into the two that matter most. Then say in a page what "
            "the repository does, "
            "what its main parts are, where a newcomer should begin to read, and what stays unclear. Name files and "
            "symbols."
        ),
    ),
    Prompt(
        "explain_subsystem", "Explain one part of the code",
        (Argument("topic", "what it is about, in words or names"),),
        ("query_graph", "get_source", "find_callers", "find_callees"),
        lambda topic: (
            f'Explain the part of this repository that deals with "{topic}". Ask query_graph for it, read the '
            "central symbols with get_source, and follow "
            "find_callers and find_callees until you know what goes in, what comes out and who relies on it. Say "
            "where you rely on edges that are INFERRED or "
            "AMBIGUOUS. Answer with its purpose, its main symbols with their files, its flow, and its connections to "
            "the rest."
        ),
    ),
    Prompt(
        "assess_pr", "Judge the risk of a pull request", (Argument("pr_number", "its number"),),
        ("get_pr_impact", "affected"),
        lambda pr_number: (
            f"Judge how risky pull request {pr_number} is. Ask get_pr_impact what it touches, and affected what "
            "depends on each symbol whose "
            "behaviour or signature changes. Answer with a level (low, medium, high) and its reasons, the dependents "
            "to look at first, the tests to run, and "
            "what a reviewer should ask."
        ),
    ),
    Prompt(
        "trace_flow", "Follow the way from one symbol to another",
        (Argument("from", "where it begins"), Argument("to", "where it ends")),
        ("shortest_path", "get_source"),
        lambda **ends: (
            f'Follow the way from "{ends["from"]}" to "{ends["to"]}". Ask shortest_path for it; when a name '
            "has several candidates, choose by file and ask "
            "again with the id. Read each step with get_source, and say what is handed on there, under which "
            "condition, and which steps are not certain."
        ),
    ),
)  # fmt: skip
_BY_NAME: Final = {prompt.name: prompt for prompt in PROMPTS}


def listed() -> list[dict[str, Any]]:
    """Return the prompts, as prompts/list shows them."""
    return [
        {
            "name": prompt.name,
            "description": prompt.description,
            "arguments": [
                {"name": argument.name, "description": argument.description, "required": True}
                for argument in prompt.arguments
            ],
        }
        for prompt in PROMPTS
    ]


def prompt_message(name: str, arguments: Mapping[str, str], offered: Collection[str]) -> dict[str, Any]:
    """Return the result of prompts/get for the prompt `name`: one message of the user. `offered` are the tools that the
    client has.

    Errors: invalid_parameter for an unknown prompt or a missing argument.
    """
    prompt = _BY_NAME.get(name)
    if prompt is None:
        raise InvalidParameter(
            f"there is no prompt {clean(name)!r}", remedy=f"prompts are {', '.join(_BY_NAME)}", parameter="name"
        )
    values = {argument.name: clean(arguments.get(argument.name, "")).strip() for argument in prompt.arguments}
    for argument, value in values.items():
        if not value:
            raise InvalidParameter(f"{name} needs {argument}", remedy="pass it in arguments", parameter=argument)
    text = " ".join(filter(None, (prompt.text(**values), _absent(prompt, offered))))
    return {
        "description": prompt.description,
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }


def _absent(prompt: Prompt, offered: Collection[str]) -> str:
    missing = [name for name in prompt.tools if name not in offered]
    return (
        f"(Not offered in this session: {', '.join(missing)}. Use what comes closest, and say so.)" if missing else ""
    )
