"""Import cycles: files that import each other in turn."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from codeagentd.model.kinds import Confidence, ReferenceKind

from .graph import Graph

LONGEST: Final = 5  # files of one cycle
MOST: Final = 20  # cycles listed
STEPS: Final = 200_000  # steps of the search: about a second in a dense graph

_IMPORTS: Final = frozenset({ReferenceKind.IMPORT, ReferenceKind.REEXPORT})


def cycles(graph: Graph) -> list[list[str]]:
    """Return the cycles of two to five files, as paths, each beginning with its alphabetically first path; the shortest
    cycles first.
    """
    follows = _imports(graph)
    components: set[tuple[str, ...]] = set()
    steps = 0
    for start in sorted(follows):
        stack: list[tuple[str, tuple[str, ...]]] = [(start, (start,))]
        while stack and steps < STEPS and len(components) < MOST * 10:
            file, way = stack.pop()
            for following in sorted(follows.get(file, ()), reverse=True):
                steps += 1
                if following == start and len(way) > 1:
                    components.add(way)
                elif (
                    following > start and following not in way and len(way) < LONGEST
                ):  # only from its first path, so that each cycle is found once
                    stack.append((following, (*way, following)))
    return [list(way) for way in sorted(components, key=lambda way: (len(way), way))[:MOST]]


def _imports(graph: Graph) -> dict[str, set[str]]:
    follows: dict[str, set[str]] = defaultdict(set)
    for source, target, kind, confidence in graph.edges:
        if kind in _IMPORTS and confidence != Confidence.AMBIGUOUS:
            importer, other = graph.file(source).path, graph.file(target).path
            if importer != other:
                follows[importer].add(other)
    return follows
