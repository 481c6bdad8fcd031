"""Several indexes as one graph. Nodes have numbers that are unique in it, and an external symbol of one index is the
symbol of another index that defines it.

The repository's own index has the number 0, and its nodes keep their numbers and names; names in other indexes get
their repository's name as a prefix.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from codeagentd.store.connection import Database

OWN: Final = 0
SEPARATOR: Final = "::"

# size of the range of numbers of one index: external symbols have negative numbers of 56 bits, others positive ones
_ROOM: Final = 1 << 60


class Part(NamedTuple):
    """One index and its repository's name; `is_resting`: no daemon keeps the index up to date."""

    name: str
    root: str
    database: Database
    is_resting: bool = False


class Link(NamedTuple):
    """A link between indexes: the external symbol (`number`, `uid`) of the index `user` is `symbol` of the index
    `provider`, with this confidence.
    """

    user: int
    number: int
    uid: bytes
    provider: int
    symbol: int
    confidence: int


class FederatedIndexes(NamedTuple):
    """The indexes, the own one first, and the links between them. `notes` state in words what is left out, `doubts` why
    links between two indexes are uncertain, `unlinked` why a node has no link.
    """

    parts: list[Part]
    links: list[Link]
    notes: list[str]
    doubts: dict[tuple[int, int], list[str]]
    unlinked: dict[int, str]


class Share(NamedTuple):
    """Those nodes of a set that are in the index `at`, by the numbers that this index gives them."""

    at: int
    database: Database
    numbers: list[int]


class FederatedGraph:
    """The graph over the own index and those that `join` opens when a query first needs them; `names` are the names of
    all repositories, the own one first.
    """

    def __init__(
        self, own: Database, names: Sequence[str] = ("",), join: Callable[[], FederatedIndexes] | None = None
    ) -> None:
        self.own = own
        self.names = names
        self._join = join
        self._shown: set[int] = set()
        self._followed: set[tuple[int, int]] = set()
        self._unlinked: dict[str, None] = {}

    @cached_property
    def joined(self) -> FederatedIndexes:
        """All indexes with their links. The first call opens the other indexes."""
        return self._join() if self._join else FederatedIndexes([Part("", "", self.own)], [], [], {}, {})

    @property
    def parts(self) -> list[Part]:
        """Every index that can be read, the own one first."""
        return self.joined.parts

    @property
    def notes(self) -> list[str]:
        """Notes in words on what the answer so far lacks, or may be wrong in; empty as long as only the own index was
        needed.
        """
        if "joined" not in self.__dict__:
            return []
        resting = [part.name for at, part in enumerate(self.parts) if at in self._shown and part.is_resting]
        old = (
            [f"no daemon keeps {', '.join(resting)} up to date: what is told is as of the last one"] if resting else []
        )
        return [
            *self.joined.notes,
            *(doubt for pair in sorted(self._followed) for doubt in self.joined.doubts.get(pair, ())),
            *self._unlinked,
            *old,
        ]

    @cached_property
    def _links_by_external(self) -> dict[tuple[int, int], Link]:
        return {(link.user, link.number): link for link in self.joined.links}

    @cached_property
    def _uses(self) -> dict[int, list[Link]]:
        links: dict[int, list[Link]] = defaultdict(list)
        for link in self.joined.links:
            links[number(link.provider, link.symbol)].append(link)
        return dict(links)

    def uses(self, node: int) -> list[Link]:
        """Return the links by which other indexes refer to the node with the number `node`."""
        links = self._uses.get(node, [])
        self._followed |= {(link.user, link.provider) for link in links}
        self._note_unlinked(node)
        return links

    def link(self, index: int, native: int) -> Link | None:
        """Return the link from the external symbol `native` of an index to its definition in another; None
        without one.
        """
        if native > 0:
            return None
        link = self._links_by_external.get((index, native))
        if link:
            self._followed.add((link.user, link.provider))
        else:
            self._note_unlinked(number(index, native))
        return link

    def _note_unlinked(self, node: int) -> None:
        if node in self.joined.unlinked:
            self._unlinked[self.joined.unlinked[node]] = None

    def resolved_node(self, index: int, native: int) -> int:
        """Return the number in the graph of the node `native` of an index; an external one is replaced by its
        definition in another index.
        """
        link = self.link(index, native)
        return number(link.provider, link.symbol) if link else number(index, native)

    def doubt(self, index: int, native: int) -> int:
        """Return the confidence that the node `native` of an index is the definition that it was linked to; 0 without a
        link.
        """
        link = self.link(index, native)
        return link.confidence if link else 0

    def shares(self, nodes: Collection[int], *, used: bool = False) -> list[Share]:
        """Return the indexes that contain `nodes`, each with those that it has; with `used` also those in which the
        nodes are external.
        """
        sharing: dict[int, list[int]] = defaultdict(list)
        for node in nodes:
            index, native = place(node)
            sharing[index].append(native)
            for link in self.uses(node) if used else ():
                sharing[link.user].append(link.number)
        return [Share(index, self.database(index), numbers) for index, numbers in sharing.items()]

    def database(self, index: int) -> Database:
        """Return the database of the index at this position."""
        return self.parts[index].database if index else self.own

    def qualified_label(self, index: int, text: str) -> str:
        """Return `text`, an id, name or path from one of the indexes, as answers show it."""
        if not index:
            return text
        self._shown.add(index)
        return f"{self.parts[index].name}{SEPARATOR}{text}"


Graph = Database | FederatedGraph


def narrowed(graph: Graph) -> Graph:
    """Return the database of `graph` if it has only one index, so that the most frequent queries have no overhead; else
    the graph.
    """
    return graph.own if isinstance(graph, FederatedGraph) and len(graph.names) < 2 else graph


def shares(graph: Graph, nodes: Collection[int]) -> list[Share]:
    """Return the indexes that contain `nodes`, each with those that it has."""
    graph = narrowed(graph)
    return graph.shares(nodes) if isinstance(graph, FederatedGraph) else [Share(OWN, graph, list(nodes))]


def number(index: int, native: int) -> int:
    """Return the number in the graph of the node with the number `native` in an index."""
    return native + index * _ROOM


def place(node: int) -> tuple[int, int]:
    """Return the index and the native number of `node`, a number in the graph: the inverse of `number`."""
    index = (node + _ROOM // 2) // _ROOM
    return index, node - index * _ROOM
