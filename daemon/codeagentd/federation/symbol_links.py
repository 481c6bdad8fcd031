"""Links between repositories: the symbols of one that another uses through a package.

A link needs the same package name on both sides. If the version in the user's lock file equals the version in the
provider's manifest, the edge is as certain as the reference. With the name alone it is inferred, and a note states a
different version.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import MEMBERS_DEADLINE_S
from codeagentd.model.kinds import Confidence
from codeagentd.model.labels import clean
from codeagentd.query.graph.federated_graph import FederatedIndexes, Link, Part, number
from codeagentd.store.connection import Database
from codeagentd.store.foreign_index import State

from .package_provider import Provided, Provider

AT_ONCE: Final = 200  # names looked up between two checks of the time

NAMED: Final = 3  # repositories named in one note

Known = tuple[str, str, State]  # the state of a repository's index: its root, its name, and the state of the file


class _Uses(NamedTuple):
    """A package that a repository uses: the number of its file, its family, name and version ('' if no lock file has
    one).
    """

    number: int
    family: str
    name: str
    version: str


class _CrossUses(NamedTuple):
    """The symbols of one repository that another uses: (number, uid, symbol, confidence)."""

    rows: list[tuple[int, bytes, int, int]]
    notes: list[str]


class Linker:
    """Finds links between indexes, and caches them for as long as neither index changes."""

    def __init__(self) -> None:
        self._providers: dict[Known, Provider] = {}
        self._used: dict[Known, list[_Uses]] = {}
        self._cross_uses: dict[tuple[Known, Known], _CrossUses] = {}
        self._whole: tuple[list[Known], FederatedIndexes] = ([], FederatedIndexes([], [], [], {}, {}))

    def joined(self, parts: list[Part], states: Sequence[State]) -> FederatedIndexes:
        """Return the indexes of `parts` with the links between them; links that are not found before the deadline are
        missing. `states`: of the indexes, in the order of the parts.
        """
        until = time.monotonic() + MEMBERS_DEADLINE_S
        known = [(part.root, part.name, state) for part, state in zip(parts, states, strict=True)]
        if known == self._whole[0]:
            return self._whole[1]._replace(parts=parts)
        self._forget(set(known))
        links: list[Link] = []
        doubts: dict[tuple[int, int], list[str]] = {}
        unknown: dict[str, None] = {}
        for user, part in enumerate(parts):
            for provider, other in enumerate(parts):
                if provider == user:
                    continue
                cross_uses = self._between(part, known[user], other, known[provider], until)
                if cross_uses is None:
                    unknown[other.name] = None
                    continue
                links += [
                    Link(user, number, uid, provider, symbol, confidence)
                    for number, uid, symbol, confidence in cross_uses.rows
                ]
                doubts[user, provider] = cross_uses.notes
        links, unlinked = _unique(links, parts)
        notes = [f"what is used of {_listed(list(unknown))} is not known in full yet: ask again"] if unknown else []
        joined = FederatedIndexes(parts, links, notes, doubts, unlinked)
        if not unknown:
            self._whole = known, joined._replace(parts=[])  # the indexes are closed after the question
        return joined

    def _forget(self, states: set[Known]) -> None:
        self._providers = {state: provider for state, provider in self._providers.items() if state in states}
        self._used = {state: uses for state, uses in self._used.items() if state in states}
        self._cross_uses = {pair: uses for pair, uses in self._cross_uses.items() if states.issuperset(pair)}

    def _between(self, part: Part, state: Known, other: Part, other_state: Known, until: float) -> _CrossUses | None:
        """The symbols of one repository that another uses; None if the time ran out."""
        pair = (state, other_state)
        if pair not in self._cross_uses and (cross_uses := self._looked_up(part, state, other, other_state, until)):
            self._cross_uses[pair] = cross_uses
        return self._cross_uses.get(pair)

    def _looked_up(self, part: Part, state: Known, other: Part, other_state: Known, until: float) -> _CrossUses | None:
        if state not in self._used:
            self._used[state] = [_uses(*row) for row in part.database.all("writer.packages")]
        if other_state not in self._providers:
            if time.monotonic() > until:
                return None
            self._providers[other_state] = Provider(Path(other.root), other.database)
        provider, cross_uses = self._providers[other_state], _CrossUses([], [])
        for used in self._used[state]:
            if package := provider.provides(other.database, used.family, used.name):
                if not _add(cross_uses, part, used, provider, other.database, package, until):
                    return None
                if _differ(used, package):
                    there = f"{clean(other.name)} has {clean(package.version)} of {clean(used.name)}"
                    cross_uses.notes.append(
                        f"{there}, {clean(part.name)} uses {clean(used.version)}: edges between them are inferred"
                    )
        return cross_uses


def _add(
    cross_uses: _CrossUses,
    part: Part,
    used: _Uses,
    provider: Provider,
    database: Database,
    package: Provided,
    until: float,
) -> bool:
    """Look up the used symbols of a package. Returns whether the time was enough."""
    rows = part.database.all("federation.outside_of", (used.number,))
    confidence = int(
        Confidence.EXACT
        if package.is_named and package.version and used.version == package.version
        else Confidence.INFERRED
    )
    for start in range(0, len(rows), AT_ONCE):
        if time.monotonic() > until:
            return False
        some = {name: (number, uid) for number, uid, name in rows[start : start + AT_ONCE]}
        cross_uses.rows.extend(
            (*some[name], symbol, confidence) for name, symbol in provider.symbols(database, package, list(some))
        )
    return True


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def _uses(number: int, path: str, family: str, name: str) -> _Uses:
    return _Uses(number, family, name, path.partition(f"/{name}@")[2])


def _differ(used: _Uses, package: Provided) -> bool:
    return bool(
        package.is_named and used.version and package.version and package.version not in used.version.split(", ")
    )


def _unique(links: list[Link], parts: Sequence[Part]) -> tuple[list[Link], dict[int, str]]:
    """The links without those for names that several repositories define, unless one of these is certain; and, for both
    ends, the reason in words why such links are missing.
    """
    best: dict[tuple[int, int], list[Link]] = {}
    for link in links:
        best.setdefault((link.user, link.number), []).append(link)
    result = []
    unlinked: dict[int, str] = {}
    for several in best.values():
        surest = [link for link in several if link.confidence == min(other.confidence for other in several)]
        if len(surest) == 1:
            result.append(surest[0])
        else:
            names = _listed([parts[link.provider].name for link in surest])
            ends = {number(other.user, other.number) for other in surest} | {
                number(other.provider, other.symbol) for other in surest
            }
            unlinked |= dict.fromkeys(ends, f"{names} provide the same package: edges to it are left out")
    return result, unlinked
