"""The resources that a client can read, and their texts.

The texts come from the functions of the tools, and are computed only when a client reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import whole
from codeagentd.toolkit.tool import declared
from codeagentd.tools.graph import node as _node_tools  # noqa: F401 - what is imported is declared

from .analysis_report import questions, report, surprises

SCHEME: Final = "codegraph://"
PLAIN: Final = "text/plain"
MARKDOWN: Final = "text/markdown"
LONGEST_URI: Final = 4_096  # characters; a label and its path have a few hundred
GODS: Final = 10  # page 002


class Resource(NamedTuple):
    """One resource: its URI, name, description and text."""

    uri: str
    name: str
    description: str
    mime_type: str
    text: Callable[[Context], str]


class Template(NamedTuple):
    """A group of resources whose URIs differ only in their last part."""

    uri: str
    name: str
    description: str
    text: Callable[[Context, str], str]

    @property
    def stem(self) -> str:
        """The common beginning of the URIs."""
        return self.uri.partition("{")[0]


def tool_text(ctx: Context, name: str, **arguments: Any) -> str:
    """Return the answer of the tool `name`, in words. Errors: those of the tool."""
    tool = declared()[name]
    assert tool.render_text is not None
    return tool.render_text(tool.function(ctx, **arguments))


def _surprises(ctx: Context) -> str:
    result = whole(ctx)
    with ctx.read() as db:
        return "\n".join(f"- {line}" for line in surprises(db, result)) or "No surprising connections."


def _audit(ctx: Context) -> str:
    edges = whole(ctx).edges
    total = sum(edges)
    lines = [
        f"{word}: {count} ({100 * count / max(1, total):.1f}%)"
        for word, count in zip(CONFIDENCE_WORDS, edges, strict=True)
    ]
    return "\n".join([f"Edges: {total}", *lines])


def _questions(ctx: Context) -> str:
    return "\n".join(f"- {line}" for line in questions(whole(ctx))) or "No questions."


def _node(ctx: Context, label: str) -> str:
    return tool_text(ctx, "get_node", label=label)


def _community(ctx: Context, number: str) -> str:
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return f"No community {clean(number)}"
    return tool_text(ctx, "get_community", community_id=int(number))


RESOURCES: Final = (
    Resource(
        f"{SCHEME}report",
        "report",
        "Parts, hubs, surprises, cycles and gaps of the code graph, as one page",
        MARKDOWN,
        report,
    ),
    Resource(
        f"{SCHEME}stats",
        "stats",
        "Nodes, edges and communities, and edges by confidence",
        PLAIN,
        lambda ctx: tool_text(ctx, "graph_stats"),
    ),
    Resource(
        f"{SCHEME}god-nodes",
        "god-nodes",
        "The ten most connected symbols",
        PLAIN,
        lambda ctx: tool_text(ctx, "god_nodes", top_n=GODS),
    ),
    Resource(
        f"{SCHEME}surprises", "surprises", "Surprising connections between communities, with reasons", PLAIN, _surprises
    ),
    Resource(f"{SCHEME}audit", "audit", "How sure the edges are", PLAIN, _audit),
    Resource(f"{SCHEME}questions", "questions", "Questions that the graph suggests", PLAIN, _questions),
)
TEMPLATES: Final = (
    Template(f"{SCHEME}node/{{label}}", "node", "One node, by label, path or id", _node),
    Template(f"{SCHEME}community/{{id}}", "community", "The members of a community", _community),
)
_BY_URI: Final = {resource.uri: resource for resource in RESOURCES}


def listed() -> list[dict[str, Any]]:
    """Return the resources, as resources/list shows them."""
    return [
        {
            "uri": resource.uri,
            "name": resource.name,
            "description": resource.description,
            "mimeType": resource.mime_type,
        }
        for resource in RESOURCES
    ]


def templates_listed() -> list[dict[str, Any]]:
    """Return the templates, as resources/templates/list shows them."""
    return [
        {"uriTemplate": template.uri, "name": template.name, "description": template.description, "mimeType": PLAIN}
        for template in TEMPLATES
    ]


def is_resource(uri: str) -> bool:
    """Whether a resource or template matches `uri`."""
    return uri in _BY_URI or _from_template(uri) is not None


def checked(uri: str) -> str:
    """Return `uri` after checking that its resource exists. Errors: invalid_parameter."""
    if not is_resource(uri):
        known = ", ".join(resource.uri for resource in (*RESOURCES, *TEMPLATES))
        raise InvalidParameter(f"there is no resource {clean(uri)!r}", remedy=f"resources are {known}", parameter="uri")
    return uri


def read(ctx: Context, uri: str) -> dict[str, Any]:
    """Return the result of resources/read for `uri`. Errors: invalid_parameter for an unknown URI; those of
    the tools.
    """
    resource, template = _BY_URI.get(checked(uri)), _from_template(uri)
    if resource:
        text, mime_type = resource.text(ctx), resource.mime_type
    else:
        assert template is not None
        text, mime_type = template[0].text(ctx, template[1]), PLAIN
    return {"contents": [{"uri": uri, "mimeType": mime_type, "text": text}]}


def _from_template(uri: str) -> tuple[Template, str] | None:
    """The template that matches a URI, and the value in the URI; None without one."""
    for template in TEMPLATES:
        if (
            uri.startswith(template.stem)
            and len(uri) <= LONGEST_URI
            and (value := unquote(uri.removeprefix(template.stem)))
        ):
            return template, value
    return None
