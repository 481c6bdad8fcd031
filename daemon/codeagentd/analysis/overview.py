"""The overview of a repository: its parts by files, the symbols with most dependents, and unusual connections between
parts.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from codeagentd.model.analysis import Meeting, Overview, Part
from codeagentd.model.kinds import SCOPES_OF_NAMES, Confidence, SymbolKind

from .graph import CONTAINS, Graph

GODS: Final = 20
MEETINGS: Final = 12
FEW: Final = 2  # maximum number of edges between two parts that makes them a surprise
TOP: Final = 5  # symbols listed for a part
SMALLEST: Final = 3  # minimum number of files of a part for which few connections are meaningful
SHOWN: Final = 3  # symbols listed for a connection between parts


class Uses(NamedTuple):
    """The uses between files: by symbol, the files that use it; by pair of files (user, used), the used symbols."""

    users: dict[int, set[str]]
    pairs: dict[tuple[str, str], list[int]]


def overview(graph: Graph, member: Sequence[int], modularity: float) -> Overview:
    """The parts of the repository, without tests and documents: the files that use each other, by the community of most
    of their nodes. `member` is the community of each node.
    """
    uses = _uses(graph)
    files = {file for pair in uses.pairs for file in pair}
    parts, number = _parts(graph, member, _community_of_files(graph, member, files), uses)
    gods = sorted(
        (user for user in uses.users if _is_symbol(graph, user)),
        key=lambda item: (-len(uses.users[item]), graph.nodes[item].label, item),
    )[:GODS]
    return Overview(
        parts=parts,
        modularity=round(modularity, 3),
        gods=[(graph.nodes[god].number, len(uses.users[god])) for god in gods],
        meetings=_meetings(graph, uses, number, parts),
        files=len(files),
        edges=len({tuple(sorted(pair)) for pair in uses.pairs}),
    )


def _community_of_files(graph: Graph, member: Sequence[int], files: Collection[str]) -> dict[str, int]:
    """The community of most nodes of each of these files, the lowest number of several."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for node, community in enumerate(member):
        counts[graph.file(node).path][community] += 1
    return {file: min(counts[file].items(), key=lambda item: (-item[1], item[0]))[0] for file in sorted(files)}


def _is_symbol(graph: Graph, node: int) -> bool:
    """Whether a node counts by itself: not a file or package, and no constructor, for which its type stands."""
    kind = graph.nodes[node].kind
    return kind not in SCOPES_OF_NAMES and kind != SymbolKind.CONSTRUCTOR


def _uses(graph: Graph) -> Uses:
    uses = Uses(defaultdict(set), defaultdict(list))
    tests_too = all(file.is_test for file in graph.files.values() if file.is_code)
    for source, target, kind, confidence in graph.edges:
        user, used = graph.file(source), graph.file(target)
        if user is used or kind == CONTAINS or confidence == Confidence.AMBIGUOUS:
            continue
        if all(file.is_code and (tests_too or not file.is_test) for file in (user, used)):
            uses.users[target].add(user.path)
            if target not in uses.pairs[user.path, used.path]:
                uses.pairs[user.path, used.path].append(target)
    return uses


def _parts(
    graph: Graph, member: Sequence[int], file_member: dict[str, int], uses: Uses
) -> tuple[list[Part], dict[str, int]]:
    """The parts, the largest first, and for each file the index of its part in that list. `member`, `file_member`: the
    community of each node, and of each file.
    """
    files: dict[int, list[str]] = defaultdict(list)
    used: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for file, part in file_member.items():
        files[part].append(file)
    for symbol, users in uses.users.items():
        if _is_symbol(graph, symbol):
            used[member[symbol]].append((-len(users), symbol))
    order = sorted(files, key=lambda file: (-len(files[file]), files[file][0]))
    whole = folders(path for paths in files.values() for path in paths)
    labels: Counter[str] = Counter()
    parts = []
    for part in order:
        label = folder_of(folders(files[part]), len(files[part]), whole)
        labels[label] += 1
        top = [graph.nodes[symbol].number for _, symbol in sorted(used[part])[:TOP]]
        parts.append(Part(label if labels[label] == 1 else f"{label} ({labels[label]})", len(files[part]), top, part))
    place = {part: number for number, part in enumerate(order)}
    return parts, {file: place[part] for file, part in file_member.items()}


def folders(paths: Iterable[str]) -> Counter[str]:
    """Return the number of files of `paths` in each folder, at any depth."""
    counts: Counter[str] = Counter()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder:
            counts[folder] += 1
            folder = posixpath.dirname(folder)
    return counts


def folder_of(parts: Counter[str], size: int, whole: Counter[str]) -> str:
    """Return the folder that fits a part of `size` files best: it contains many of them and few others.

    `parts`, `whole`: the numbers of files of the part, and of all files, in each folder.
    """
    alike = {folder: 2 * count / (size + whole[folder]) for folder, count in parts.items()}
    return max(alike, key=lambda folder: (alike[folder], folder), default=".")


def _meetings(graph: Graph, uses: Uses, number: dict[str, int], parts: list[Part]) -> list[Meeting]:
    """Uses between large parts that have few of them; those between the largest parts first."""
    between: dict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)
    for user, used in uses.pairs:
        first, other = sorted((number[user], number[used]))
        if first != other and min(parts[first].size, parts[other].size) >= SMALLEST:
            between[first, other].append((user, used))
    few = sorted(
        (pair for pair, edges in between.items() if len(edges) <= FEW),
        key=lambda pair: (-min(parts[at].size for at in pair), pair),
    )
    meetings = []
    for pair in few:
        reason = (
            "the only connection of the two"
            if len(between[pair]) == 1
            else f"one of {len(between[pair])} connections of the two"
        )
        for user, used in sorted(between[pair]):
            symbols = sorted(uses.pairs[user, used], key=lambda symbol: graph.nodes[symbol].label)[:SHOWN]
            labels = [parts[number[file]].label for file in (user, used)]
            meetings.append(Meeting(user, used, [graph.nodes[symbol].number for symbol in symbols], labels, reason))
    return meetings[:MEETINGS]
