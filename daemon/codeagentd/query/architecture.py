"""Of which parts is the repository made, what does most depend on, and where do parts meet that otherwise do not?"""

from __future__ import annotations

import json
import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from codeagentd.model.kinds import SCOPES_OF_NAMES
from codeagentd.model.retrieval_results import Community, GodNode, Surprise
from codeagentd.store.connection import Database

from .communities import communities, modularity
from .ranking import PROSE_LANGUAGES, is_test
from .steps import cards

EDGES: Final = 200_000  # pairs of file and symbol that are read: two seconds' worth
GODS: Final = 20
SURPRISES: Final = 12
FEW: Final = 2  # edges between files that make the meeting of two communities a surprise
QUESTIONS: Final = 8
TOP: Final = 5  # symbols told of a community
SMALLEST: Final = 3  # files of a community whose few connections say something
SHOWN_SYMBOLS: Final = 3

_SCOPES: Final = frozenset(kind.label for kind in SCOPES_OF_NAMES)


class Overview(NamedTuple):
    """The whole architecture, each list with the most important first."""

    communities: list[Community]
    modularity: float
    gods: list[GodNode]
    surprising: list[Surprise]
    questions: list[str]
    nodes: int
    edges: int
    note: str


class Uses(NamedTuple):
    """Who uses what between files: files that use each symbol, and symbols for each pair of files (user, used)."""

    users: dict[int, set[int]]
    home: dict[int, int]
    pairs: dict[tuple[int, int], list[int]]


def overview(db: Database) -> Overview:
    """Communities of files by Louvain's method over who uses how much of whom, without tests, documents and ambiguous edges.

    What many files use binds none of them: a use counts by the number of its users.
    """
    named = db.all("retrieval.code_files", (json.dumps(sorted(PROSE_LANGUAGES)),))
    code: dict[int, str] = {number: path for number, path in named if not is_test(path)} or dict(named)
    rows = db.all("retrieval.file_edges", {"limit": EDGES + 1})
    uses = _uses(rows[:EDGES], code)
    order = sorted({file for pair in uses.pairs for file in pair}, key=code.__getitem__)
    at = {file: number for number, file in enumerate(order)}
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for (user, used), symbols in uses.pairs.items():
        weights[min(at[user], at[used]), max(at[user], at[used])] += sum(1 / len(uses.users[symbol]) for symbol in symbols)
    member = communities(len(order), weights)
    by_file = {file: member[at[file]] for file in order}
    parts, number_of = _parts(db, code, by_file, uses)
    gods = _gods(db, uses)
    surprising = _surprising(db, code, uses, {file: number_of[one] for file, one in by_file.items()}, parts)
    note = "tests and documents are left out" + (f"; only the first {EDGES:,} uses of one file by another are looked at" if len(rows) > EDGES else "")
    return Overview(parts, round(modularity(weights, member), 3), gods, surprising, _questions(gods, surprising, parts), len(order), len(weights), note)


def _uses(rows: Iterable[tuple[int, int, int]], code: dict[int, str]) -> Uses:
    found = Uses(defaultdict(set), {}, defaultdict(list))
    for user, symbol, used in rows:
        if user in code and used in code:
            found.users[symbol].add(user)
            found.home[symbol] = used
            found.pairs[user, used].append(symbol)
    return found


def _parts(db: Database, code: dict[int, str], by_file: dict[int, int], uses: Uses) -> tuple[list[Community], dict[int, int]]:
    """The communities, the largest first, and the number that each has there."""
    files: dict[int, list[str]] = defaultdict(list)
    used: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for file, one in by_file.items():
        files[one].append(code[file])
    for symbol, users in uses.users.items():
        used[by_file[uses.home[symbol]]].append((-len(users), symbol))
    order = sorted(files, key=lambda one: (-len(files[one]), files[one][0]))
    best = {one: [symbol for _, symbol in sorted(used[one])[: TOP * 4]] for one in order}
    known = cards(db, [symbol for symbols in best.values() for symbol in symbols])
    labels: Counter[str] = Counter()
    whole = _folders(path for paths in files.values() for path in paths)
    parts = []
    for number, one in enumerate(order):
        names = [known[symbol].name for symbol in best[one] if symbol in known and known[symbol].kind not in _SCOPES]
        label = _label(files[one], whole)
        labels[label] += 1
        parts.append(Community(number, label if labels[label] == 1 else f"{label} ({labels[label]})", len(files[one]), names[:TOP]))
    return parts, {one: number for number, one in enumerate(order)}


def _folders(paths: Iterable[str]) -> Counter[str]:
    """How many of the files are in each folder, at any depth."""
    folders: Counter[str] = Counter()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder:
            folders[folder] += 1
            folder = posixpath.dirname(folder)
    return folders


def _label(paths: list[str], whole: Counter[str]) -> str:
    """The folder that is most like the community: it has many of its files and few others. `whole`: the files of each folder."""
    alike = {folder: 2 * count / (len(paths) + whole[folder]) for folder, count in _folders(paths).items()}
    return max(alike, key=lambda folder: (alike[folder], folder), default=".")


def _gods(db: Database, uses: Uses) -> list[GodNode]:
    ranked = sorted(uses.users, key=lambda symbol: (-len(uses.users[symbol]), symbol))
    known = cards(db, ranked[: GODS * 10])
    found = [(len(uses.users[symbol]), known[symbol]) for symbol in ranked[: GODS * 10] if symbol in known and known[symbol].kind not in _SCOPES]
    found.sort(key=lambda one: (-one[0], one[1].name, one[1].path))
    return [GodNode(card.name, card.kind, card.path, card.line, count) for count, card in found[:GODS]]


def _surprising(db: Database, code: dict[int, str], uses: Uses, number: dict[int, int], parts: list[Community]) -> list[Surprise]:
    """Uses between communities of some size that have few of them; the largest communities first."""
    between: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for user, used in uses.pairs:
        one, other = sorted((number[user], number[used]))
        if one != other and min(parts[one].size, parts[other].size) >= SMALLEST:
            between[one, other].append((user, used))
    few = sorted((pair for pair, edges in between.items() if len(edges) <= FEW), key=lambda pair: (-min(parts[at].size for at in pair), pair))
    edges = [edge for pair in few for edge in sorted(between[pair], key=lambda edge: (code[edge[0]], code[edge[1]]))][:SURPRISES]
    known = cards(db, [symbol for edge in edges for symbol in uses.pairs[edge]])
    found = []
    for user, used in edges:
        names = sorted(known[symbol].name for symbol in uses.pairs[user, used] if symbol in known)
        labels = [parts[number[file]].label for file in (user, used)]
        count = len(between[min(number[user], number[used]), max(number[user], number[used])])
        reason = "the only connection of the two" if count == 1 else f"one of {count} connections of the two"
        found.append(Surprise(code[user], code[used], names[:SHOWN_SYMBOLS], labels, reason))
    return found


def _questions(gods: list[GodNode], surprising: list[Surprise], parts: list[Community]) -> list[str]:
    """What to ask next, as this repository suggests it."""
    asked = [f"What breaks when {god.name} changes? Files that depend on it: {god.dependents} (impact_of)" for god in gods[:3]]
    asked += [f"Why does {one.source} use {', '.join(one.symbols)} of {one.target}? {one.reason.capitalize()}" for one in surprising[:3]]
    asked += [f"What is {part.label} for, and who uses {part.top_nodes[0]}? (explain_code, find_refs)" for part in parts[:2] if part.top_nodes]
    return asked[:QUESTIONS]
