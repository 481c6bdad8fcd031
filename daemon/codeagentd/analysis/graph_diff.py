"""The differences between the graphs of two revisions. Nodes are compared by file, name and kind, after moves and
renames have been recognised.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from codeagentd.model.file_kinds import holds_tests
from codeagentd.model.graph_snapshot import Snapshot
from codeagentd.model.kinds import OUTLINE, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import Drift, HistoryDiff, Hotspot, ModuleEdge, RemovedApi

LONGEST: Final = 5  # files of one cycle (page 002's origin)
PARTS: Final = 2  # folders of a path that form a module (page 002's origin)
NODE_LINES: Final = 3  # lines that a node counts as, in the score of a hotspot (page 002's origin)

_IMPORTS: Final = frozenset({int(ReferenceKind.IMPORT), int(ReferenceKind.REEXPORT)})
_KIND: Final = 8  # bits of a reference kind in an edge
_TARGET: Final = 40  # bits of a reference kind and a target
_NUMBER: Final = (1 << _TARGET - _KIND) - 1
_PUBLIC: Final = int(SymbolFlag.PUBLIC_API)
_SPREAD: Final = frozenset({int(SymbolKind.NAMESPACE)})  # kinds that are in many files; the first file is arbitrary

# file ('' for a node in many files), label, kind, index among nodes that have all this in common
Name = tuple[str, str, int, int]


class Node(NamedTuple):
    """A node of one revision. `number` stands for its name, the same in both revisions."""

    number: int
    name: Name
    file: str
    flags: int
    body: int
    line: int


class Revision:
    """A snapshot of one revision with names for its nodes; `numbers` maps each name of either revision to its
    number.
    """

    def __init__(self, snapshot: Snapshot, numbers: dict[Name, int]) -> None:
        self.files = set(snapshot.files)
        self.communities = snapshot.communities
        rows = list(snapshot.nodes())
        self.nodes: dict[int, Node] = {}
        pairs_by_name: Counter[tuple[str, str, int]] = Counter()
        at = [0] * len(rows)
        for place in sorted(
            range(len(rows)), key=lambda index: (snapshot.files[rows[index][0]], rows[index][4], index)
        ):
            file, kind, flags, body, line = rows[place]
            path, label = snapshot.files[file], snapshot.labels[place]
            base = ("" if kind in _SPREAD else path, label, kind)
            name = (*base, pairs_by_name[base])
            pairs_by_name[base] += 1
            at[place] = number = numbers.setdefault(name, len(numbers))
            self.nodes[number] = Node(number, name, path, flags, body, line)
        ends = list(snapshot.edges())
        self.edges = {edge_of(at[source], at[target], kind) for source, target, kind in ends}
        files = [row[0] for row in rows]
        self.between = _named(Counter((files[source], files[target]) for source, target, _ in ends), snapshot.files)
        self.imports = _named(
            Counter((files[source], files[target]) for source, target, kind in ends if kind in _IMPORTS), snapshot.files
        )


def _named(counts: Counter[tuple[int, int]], files: list[str]) -> dict[tuple[str, str], int]:
    return {(files[source], files[target]): count for (source, target), count in counts.items()}


def edge_of(source: int, target: int, kind: int) -> int:
    """Return the edge of this kind from `source` to `target` encoded as one number, since sets of hundreds of thousands
    of tuples are slow.
    """
    return source << _TARGET | target << _KIND | kind


def differences(before: Revision, after: Revision, lines: Mapping[str, int], top: int) -> HistoryDiff:
    """Return the differences between the revisions `before` and `after`. `lines` are the numbers of added and removed
    lines by path.

    Lists have at most `top` rows; `totals` counts all.
    """
    only_before = [node for number, node in before.nodes.items() if number not in after.nodes]
    only_after = [node for number, node in after.nodes.items() if number not in before.nodes]
    moved = _moved(only_before, only_after)
    left = {new: old for old, new in moved.items()}
    removed = [node for node in only_before if node.number not in moved]
    added = [node for node in only_after if node.number not in left]
    new_edges, lost_edges = after.edges - before.edges, before.edges - after.edges
    unchanged = {_as_it_was(edge, left) for edge in new_edges} & lost_edges
    was, now = _between(before), _between(after)
    gained, lost = _dependencies(now, was), _dependencies(was, now)
    apis, cycles = _removed_apis(before, removed), _new_cycles(before, after)
    spots = _hotspots(lines, [*removed, *added])
    return HistoryDiff(
        rev1="", rev2="", new_nodes=len(added), removed_nodes=len(removed), moved_nodes=len(moved),
        new_edges=len(new_edges) - len(unchanged), removed_edges=len(lost_edges) - len(unchanged),
        added_dependencies=gained[:top], removed_dependencies=lost[:top], removed_apis=apis[:top],
        drift=_drift(was, now, top), communities_before=before.communities, communities_after=after.communities,
        new_cycles=cycles[:top], hotspots=spots[:top],
        totals={
            "added_dependencies": len(gained), "removed_dependencies": len(lost), "removed_apis": len(apis),
            "new_cycles": len(cycles), "hotspots": len(spots),
        },
    )  # fmt: skip


def _as_it_was(edge: int, left: Mapping[int, int]) -> int:
    """An edge with moved nodes replaced by their old numbers."""
    source, target = edge >> _TARGET, edge >> _KIND & _NUMBER
    return edge_of(left.get(source, source), left.get(target, target), edge & (1 << _KIND) - 1)


def module_of(path: str) -> str:
    """Return the module of `path`: its first two folders; '.' for files at the root."""
    return "/".join(path.split("/")[:-1][:PARTS]) or "."


def _moved(only_before: list[Node], only_after: list[Node]) -> dict[int, int]:
    """Map old to new numbers of moved or renamed nodes. A pair is recognised if it is the only one with its text and
    name, or with its text in a file; then all nodes of a file follow if most of them moved.
    """
    pairs: dict[int, int] = {}
    file_of = {node.number: node.file for node in (*only_before, *only_after)}

    def pair(key: Callable[[Node], Any]) -> None:
        paired = set(pairs.values())
        olds, news = (
            _by(key, (node for node in only_before if node.number not in pairs)),
            _by(key, (node for node in only_after if node.number not in paired)),
        )
        pairs.update(
            {
                olds[pair_key][0].number: news[pair_key][0].number
                for pair_key in olds.keys() & news.keys()
                if len(olds[pair_key]) == len(news[pair_key]) == 1
            }
        )

    pair(lambda node: node.body and (node.name[1:3], node.body))
    pair(lambda node: node.body and (node.file, node.name[2], node.body))
    ways = Counter((file_of[old], file_of[new]) for old, new in pairs.items() if file_of[old] != file_of[new])
    files: dict[str, str] = {}
    for (old, new), _ in ways.most_common():
        files.setdefault(new, old)
    pair(
        lambda node: files.get(node.file, node.file) and (files.get(node.file, node.file), _inside(node), node.name[2:])
    )
    return pairs


def _inside(node: Node) -> str:
    """The label of a node, '' for the node of a file."""
    return "" if node.name[1] == node.file else node.name[1]


def _by(key: Callable[[Node], Any], nodes: Iterable[Node]) -> dict[Hashable, list[Node]]:
    groups: dict[Hashable, list[Node]] = defaultdict(list)
    for node in nodes:
        if group_key := key(node):
            groups[group_key].append(node)
    return groups


def _between(revision: Revision) -> Counter[tuple[str, str]]:
    """The number of edges between each two modules."""
    modules = {path: module_of(path) for path in revision.files}
    counts: Counter[tuple[str, str]] = Counter()
    for (source, target), count in revision.between.items():
        counts[modules[source], modules[target]] += count
    return counts


def _dependencies(those: Mapping[tuple[str, str], int], without: Collection[tuple[str, str]]) -> list[ModuleEdge]:
    pairs = [(entry, count) for entry, count in those.items() if entry[0] != entry[1] and entry not in without]
    return [
        ModuleEdge(clean(source), clean(target), count)
        for (source, target), count in sorted(pairs, key=lambda entry: (-entry[1], entry[0]))
    ]


def _removed_apis(before: Revision, removed: list[Node]) -> list[RemovedApi]:
    """Removed public symbols outside of tests and documents, the most used first."""
    numbers = {node.number for node in removed}
    users: Counter[int] = Counter()
    for source, target in {
        (edge >> _TARGET, edge >> _KIND & _NUMBER) for edge in before.edges if edge >> _KIND & _NUMBER in numbers
    }:
        users[target] += before.nodes[source].file != before.nodes[target].file
    apis = [
        RemovedApi(node.name[1], SymbolKind(node.name[2]).label, clean(node.file), node.line, users[node.number])
        for node in removed
        if node.flags & _PUBLIC and node.name[2] not in OUTLINE and _inside(node) and not holds_tests(node.file)
    ]
    return sorted(apis, key=lambda api: (-api.used_by, api.file, api.line))


def _drift(was: Counter[tuple[str, str]], now: Counter[tuple[str, str]], top: int) -> list[Drift]:
    """The share of edges that leave their module: in total, then for the modules where it changed most."""
    old, new = _shares(was), _shares(now)
    rows = [
        Drift(clean(module), old.get(module, 0.0), new.get(module, 0.0)) for module in old.keys() | new.keys() if module
    ]
    changed = sorted(
        (row for row in rows if row.before != row.after), key=lambda row: (-abs(row.after - row.before), row.module)
    )
    return [Drift("", old.get("", 0.0), new.get("", 0.0)), *changed[:top]]


def _shares(edges: Counter[tuple[str, str]]) -> dict[str, float]:
    whole: Counter[str] = Counter()
    crossing: Counter[str] = Counter()
    for (source, target), count in edges.items():
        for module in (source, ""):
            whole[module] += count
            crossing[module] += count if source != target else 0
    return {module: round(crossing[module] / whole[module], 4) for module in whole}


def _new_cycles(before: Revision, after: Revision) -> list[list[str]]:
    """The shortest cycle of files that each new import closes, beginning with its first path."""
    was, now = _imports(before), _imports(after)
    components: set[tuple[str, ...]] = set()
    for file, imported in now.items():
        for other in imported - was.get(file, set()):
            if way := _shortest_path(now, other, file):
                first = way.index(min(way))
                components.add((*way[first:], *way[:first]))
    return [[*map(clean, way)] for way in sorted(components, key=lambda way: (len(way), way))]


def _imports(revision: Revision) -> dict[str, set[str]]:
    imports: dict[str, set[str]] = defaultdict(set)
    for importer, other in revision.imports:
        if importer != other:
            imports[importer].add(other)
    return imports


def _shortest_path(follows: Mapping[str, Collection[str]], start: str, end: str) -> tuple[str, ...]:
    """The shortest path of at most LONGEST files from one file to another; () for none."""
    ways: deque[tuple[str, ...]] = deque([(start,)])
    seen = {start}
    while ways:
        way = ways.popleft()
        for following in sorted(follows.get(way[-1], ())):
            if following == end:
                return (*way, end)
            if following not in seen and len(way) < LONGEST - 1:
                seen.add(following)
                ways.append((*way, following))
    return ()


def _hotspots(lines: Mapping[str, int], nodes: list[Node]) -> list[Hotspot]:
    changed = Counter(node.file for node in nodes)
    spots = [
        Hotspot(clean(path), lines.get(path, 0) + NODE_LINES * changed[path], lines.get(path, 0), changed[path])
        for path in {*lines, *changed}
    ]
    return sorted((spot for spot in spots if spot.score), key=lambda spot: (-spot.score, spot.file))
