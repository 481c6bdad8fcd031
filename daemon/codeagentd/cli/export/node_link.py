"""The graph as data for other programs: networkx's node_link_data, with the fields of page 002's graph.json, one node
or link a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from codeagent_protocol.version import __version__
from codeagentd.model.file_kinds import file_type
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS

from .safe_write import MARK
from .whole_graph import UNPLACED, Whole, relation

Json = dict[str, Any]


def node_link(whole: Whole) -> Iterator[bytes]:
    """Yield the text of graph.json for the graph `whole`, in pieces. `networkx.node_link_graph(json.load(file),
    edges="links")` reads it.
    """
    about = {
        "name": whole.name,
        "built_at_commit": whole.head,
        "generation": whole.generation,
        "version": __version__,
        "communities": [msgspec.structs.asdict(community) for community in whole.communities],
    }
    yield b'{"generator": %s,\n"directed": true, "multigraph": true,\n"graph": %s,\n"nodes": [\n' % (
        _text(MARK),
        _text(about),
    )
    yield from _lines(_nodes(whole))
    yield b'],\n"links": [\n'
    yield from _lines(_links(whole))
    yield b"]}\n"


def _nodes(whole: Whole) -> Iterator[Json]:
    for node, exported in zip(whole.graph.nodes, whole.nodes, strict=True):
        record = {
            "id": exported.id, "label": node.label, "kind": exported.kind_of(node),
            "file_type": file_type(exported.language), "source_file": exported.path,
            "source_location": f"L{exported.line}", "line_end": exported.line_end, "language": exported.language,
            "visibility": exported.access, "community": exported.community, "degree": exported.degree,
            "fan_in": exported.fan_in, "fan_out": exported.fan_out,
        }  # fmt: skip
        if not exported.access:
            del record["visibility"]
        if exported.community == UNPLACED:
            del record["community"]
        yield record


def _links(whole: Whole) -> Iterator[Json]:
    for number, edge in enumerate(whole.graph.edges):
        word, (path, line) = relation(edge), whole.site(number)
        record: Json = {
            "source": whole.nodes[edge.source].id, "target": whole.nodes[edge.target].id, "key": word, "relation": word,
            "confidence": CONFIDENCE_WORDS[edge.confidence],
        }  # fmt: skip
        if line:
            record |= {"source_file": path, "source_location": f"L{line}"}
        yield record


def _lines(rows: Iterator[Json]) -> Iterator[bytes]:
    """The rows, with commas between them."""
    comma = b""
    for row in rows:
        yield comma + _text(row)
        comma = b",\n"
    yield b"\n"


def _text(value: object) -> bytes:
    return msgspec.json.encode(value)
