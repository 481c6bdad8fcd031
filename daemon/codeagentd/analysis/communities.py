"""Community detection by Leiden's method, with a fixed seed and a fixed order of edges, so that the same graph has the
same communities everywhere.

Source: Traag, Waltman, van Eck 2019, From Louvain to Leiden: guaranteeing well-connected communities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import graspologic_native as native

from .node_metrics import Weights

SEED: Final = 1
RANDOMNESS: Final = 0.001  # randomness of the refinement; the library's default
ITERATIONS: Final = 1
TRIALS: Final = 1
LARGEST: Final = 0.25  # share of all nodes above which a community is split (page 002's origin)
SMALLEST_SPLIT: Final = 10  # members of a community that is large enough to split
FINER: Final = 2.0  # resolution for splitting it


def communities(size: int, weights: Weights) -> tuple[list[int], float]:
    """Return the community of each of the nodes 0 to `size` - 1, numbered by their first members, and the modularity.

    A node without edges is a community by itself.
    """
    member, modularity = _leiden(weights, 1.0)
    for community, count in sorted(Counter(member.values()).items()):
        if count > max(LARGEST * size, SMALLEST_SPLIT):
            _split(member, community, weights)
    number: dict[int, int] = {}
    alone = max(member.values(), default=-1) + 1
    return [number.setdefault(member.get(node, alone + node), len(number)) for node in range(size)], modularity


def _leiden(weights: Weights, resolution: float) -> tuple[dict[int, int], float]:
    names = {node: str(node) for pair in weights for node in pair}
    edges = [(names[pair[0]], names[pair[1]], weights[pair]) for pair in sorted(weights)]
    if not edges:
        return {}, 0.0
    modularity, partition = native.leiden(edges, None, resolution, RANDOMNESS, ITERATIONS, True, SEED, TRIALS)
    del edges, names  # frees a tenth of the memory
    return {int(node): community for node, community in partition.items()}, modularity


def _split(member: dict[int, int], large: int, weights: Weights) -> None:
    inside = {pair: weight for pair, weight in weights.items() if member[pair[0]] == large == member[pair[1]]}
    parts, _ = _leiden(inside, FINER)
    following = max(member.values()) + 1
    for node, part in parts.items():
        member[node] = following + part


def kept_numbers(member: Sequence[int], before: Sequence[int | None]) -> list[int]:
    """Return the communities of `member` under their earlier numbers in `before` (None for a node that is new). The
    community that shares most members with an earlier one keeps its number, the largest first.

    New communities get the lowest free numbers, the largest first.
    """
    sizes = Counter(member)
    shared: Counter[tuple[int, int]] = Counter(
        (community, old) for community, old in zip(member, before, strict=True) if old is not None
    )
    number: dict[int, int] = {}
    used: set[int] = set()
    for (community, old), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if community not in number and old not in used:
            number[community] = old
            used.add(old)
    free = (candidate for candidate in range(len(sizes) + len(used)) if candidate not in used)
    for community in sorted(sizes, key=lambda size: (-sizes[size], size)):
        if community not in number:
            number[community] = next(free)
    return [number[community] for community in member]
