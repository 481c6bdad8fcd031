"""The graph as one HTML page that loads nothing from elsewhere. Its data, style and script are inside, and its policy
allows no other script.
"""

from __future__ import annotations

import base64
import hashlib
import html
from array import array
from collections.abc import Collection
from importlib import resources
from typing import Any, Final, NamedTuple

import msgspec

from codeagent_protocol.version import __version__
from codeagentd.cli.rendering.console import count, size
from codeagentd.model.analysis import Doubt, Surprise
from codeagentd.model.kinds import Confidence
from codeagentd.model.labels import clean

from .map_columns import map_columns
from .safe_write import MARK
from .whole_graph import CONTAINS, RELATIONS, Whole, relation

# maximum size of the page; the graph of Django needs a third of it, and a browser takes a second to show that
MOST_BYTES: Final = 16_000_000
MAP: Final = "map.js"
MARGIN: Final = 0.95  # factor for the estimated number of nodes, so that one or two attempts are enough
# in the order in which they are joined; the map is drawn by the script of the daemon's page
SCRIPTS: Final = ("graph.js", "search.js", MAP, "panel.js", "main.js")
POLICY: Final = "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'"

Json = dict[str, Any]


class Page(NamedTuple):
    """The page, and in words the parts of the graph that it lacks."""

    text: bytes
    left_out: str


def page(whole: Whole, most: int = MOST_BYTES) -> Page:
    """Return the page with at most `most` bytes, if possible: ambiguous edges are left out first, then the least
    connected nodes.
    """
    everything = range(len(whole.nodes))
    document = _page(whole, everything, ambiguous=True, most=most)
    included: Collection[int] = everything
    while len(document.text) > most and len(included) > 1:
        if document.left_out:
            share = most / len(document.text) * MARGIN
            included = sorted(
                sorted(included, key=lambda place: (-whole.nodes[place].degree, place))[
                    : max(1, int(len(included) * share))
                ]
            )
        document = _page(whole, included, ambiguous=False, most=most)
    return document


def _page(whole: Whole, included: Collection[int], *, ambiguous: bool, most: int) -> Page:
    left_out = _left_out(whole, included, most) if not ambiguous else ""
    data = msgspec.json.encode(_data(whole, included, ambiguous=ambiguous) | {"left_out": left_out})
    for sign in (b"<", b">", b"&"):  # escape these inside of strings, so that no data can end the script element
        data = data.replace(sign, b"\\u%04x" % ord(sign))
    style, script = _static("page.css"), "".join(_static(name) for name in SCRIPTS)
    parts = {
        "policy": POLICY.format(script=_digest(script), style=_digest(style)), "mark": MARK,
        "title": _escaped(f"{clean(whole.name)}: code graph"), "style": style, "script": script,
    }  # fmt: skip
    shell = _static("page.html")
    for name, text in parts.items():
        shell = shell.replace(f"{{{{{name}}}}}", text)
    before, after = shell.split("{{data}}")
    return Page(before.encode() + data + after.encode(), left_out)


def _left_out(whole: Whole, included: Collection[int], most: int) -> str:
    gone = [count(whole.findings.edges[Confidence.AMBIGUOUS], "ambiguous edge")]
    if len(included) < len(whole.nodes):
        gone.append(f"{len(whole.nodes) - len(included):,} of {count(len(whole.nodes), 'node')}, the least connected")
    return f"Left out to stay below {size(most)}: {', '.join(gone)}. graph.json has everything."


def _data(whole: Whole, included: Collection[int], *, ambiguous: bool) -> Json:
    """The data that the page's script reads: columns of nodes and of edges, which refer to nodes by their index."""
    place = {at: number for number, at in enumerate(included)}
    nodes, graph = [whole.nodes[at] for at in included], whole.graph
    files = {path: number for number, path in enumerate(dict.fromkeys(node.path for node in nodes))}
    kinds = {
        kind: number
        for number, kind in enumerate(dict.fromkeys(whole.nodes[at].kind_of(graph.nodes[at]) for at in included))
    }
    return {
        "name": clean(whole.name), "head": whole.head, "generation": whole.generation, "version": __version__,
        "kinds": list(kinds), "relations": list(_RELATIONS), "files": list(files),
        "labels": [graph.nodes[at].label for at in included],
        "kind": [kinds[whole.nodes[at].kind_of(graph.nodes[at])] for at in included],
        "file": [files[node.path] for node in nodes], "line": [node.line for node in nodes],
        "degree": [node.degree for node in nodes],
        "parent": [place.get(whole.at.get(graph.nodes[at].parent, -1), -1) for at in included],
        **map_columns(whole, list(included)), **_edges(whole, place, ambiguous=ambiguous), **_findings(whole, place),
    }  # fmt: skip


_RELATIONS: Final = {
    word: number for number, word in enumerate(dict.fromkeys(word for word in RELATIONS.values() if word != CONTAINS))
}


def _edges(whole: Whole, place: dict[int, int], *, ambiguous: bool) -> Json:
    """The edges without containment, grouped by source: the number of edges of each node, then for each edge its
    target, its relation and confidence as one number, and its line.

    `elsewhere`: the files of edges that are not in the file of their source, as for a class that is written in several
    files.
    """
    counts, elsewhere = [0] * len(place), {}
    targets, codes, lines = array("q"), array("q"), array("q")
    for number, edge in enumerate(whole.graph.edges):
        word, (path, line) = relation(edge), whole.site(number)
        if (
            word == CONTAINS
            or edge.source not in place
            or edge.target not in place
            or (edge.confidence == Confidence.AMBIGUOUS and not ambiguous)
        ):
            continue
        if path != whole.nodes[edge.source].path:
            elsewhere[len(targets)] = path
        counts[place[edge.source]] += 1
        targets.append(place[edge.target])
        codes.append(_RELATIONS[word] * len(Confidence) + edge.confidence)
        lines.append(line)
    return {
        "out": counts,
        "target": targets.tolist(),
        "code": codes.tolist(),
        "at": lines.tolist(),
        "elsewhere": elsewhere,
    }


def _findings(whole: Whole, place: dict[int, int]) -> Json:
    findings = whole.findings
    at = {number: place[index] for number, index in whole.at.items() if index in place}

    def is_here(finding: Surprise | Doubt) -> bool:
        return finding.source in at and finding.target in at

    return {
        "nodes": findings.nodes, "edges": findings.edges, "modularity": findings.modularity,
        "hubs": [at[number] for number in findings.hubs if number in at],
        "pillars": [at[number] for number in findings.pillars if number in at],
        "surprises": [
            [at[surprise.source], at[surprise.target], surprise.relation, surprise.confidence, surprise.reason]
            for surprise in findings.surprises
            if is_here(surprise)
        ],
        "doubts": [
            [at[doubt.target], doubt.edges, at[doubt.source], doubt.relation]
            for doubt in findings.doubts
            if is_here(doubt)
        ],
        "cycles": [[clean(path) for path in cycle] for cycle in findings.cycles],
        "questions": [[clean(item.question), clean(item.why)] for item in findings.questions], "gaps": whole.gaps,
    }  # fmt: skip


def _escaped(text: str) -> str:
    """A text escaped for the page's template, including characters that the template would take for a placeholder."""
    return html.escape(text).replace("{", "&#123;")


def _static(name: str) -> str:
    package = "codeagentd.serve.page" if name == MAP else "codeagentd.cli.export"
    return (resources.files(package) / "static" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
