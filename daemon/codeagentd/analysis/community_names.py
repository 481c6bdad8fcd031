"""The names of communities: the name of a folder or file if a community is alone in it, else the two symbols with the
most connections.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from .graph import Graph
from .overview import folder_of, folders
from .surprises import is_code

STRONGEST: Final = 2  # symbols in a name


def names_of(graph: Graph, member: Sequence[int]) -> dict[int, str]:
    """Return a name for each community, by its number; `member` is the community of each node.

    Names are unique as long as the communities' symbols differ.
    """
    nodes: dict[int, list[int]] = defaultdict(list)
    for place, community in enumerate(member):
        nodes[community].append(place)
    whole = _places(graph, range(len(member)))
    names = {community: folder_of(_places(graph, places), len(places), whole) for community, places in nodes.items()}
    alike = Counter(names.values())
    return {
        community: name if alike[name] == 1 else _strongest(graph, nodes[community]) or name
        for community, name in names.items()
    }


def _places(graph: Graph, places: Iterable[int]) -> Counter[str]:
    """The number of the given nodes in each file and folder."""
    paths = [graph.file(place).path for place in places]
    return folders(paths) + Counter(paths)


def _strongest(graph: Graph, places: Sequence[int]) -> str:
    """The symbols with the most neighbours, those of code before others, and no symbol inside another of them; '' if
    there are none.
    """
    symbols = [place for place in places if not graph.nodes[place].is_file]
    best = sorted(
        symbols, key=lambda place: (not is_code(graph, place), -graph.degree[place], graph.nodes[place].label, place)
    )
    labels: list[str] = []
    for label in (graph.nodes[place].label for place in best):
        if len(labels) < STRONGEST and not any(label == other or label.startswith(f"{other}.") for other in labels):
            labels.append(label)
    return ", ".join(labels)
