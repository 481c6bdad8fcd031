"""The nodes that a transaction changes, and the part of the graph next to them. It is built like the whole graph in
analysis.graph, with edges through open references.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from codeagentd.analysis.graph import Graph, Node, Reference, file_of, joined
from codeagentd.languages.untyped_members import lending
from codeagentd.model.kinds import CANDIDATES
from codeagentd.store.connection import Database, Row

MOST: Final = 2_000  # symbols, references or files that a transaction changes or touches; beyond, and
# references at those, it would take more than the quarter of a second that a save may: the whole is analysed again
MOST_AROUND: Final = 10_000


class Changed(NamedTuple):
    """A symbol that was added, removed or changed. `language`: None where that of its file is no longer known."""

    id: int
    file: int
    key: int
    parent: int
    language: str | None


def touched_nodes(database: Database) -> set[int] | None:
    """Return the ids of the nodes with stored values that may differ after the changes that `database` has noted;
    removed nodes are among them. None where there are too many.
    """
    symbols = [Changed(*row) for row in database.all("following.symbols", (MOST + 1,))]
    ends: list[Row] = database.all("following.refs", (MOST + 1,))
    if max(len(symbols), len(ends)) > MOST:
        return None
    result = {end for symbol in symbols for end in (symbol.id, symbol.parent)}
    names = [(symbol.key, symbol.language) for symbol in symbols]
    if symbols:
        numbers, files = ({symbol.id for symbol in symbols}, {symbol.file for symbol in symbols})
        ends += [
            row[:3]
            for row in database.all("following.from", {"symbols": _json_list(numbers), "files": _json_list(files)})
        ]
        ends += [row[:3] for row in database.all("following.into", (_json_list(numbers),))]
        children = database.all("following.children", (_json_list(numbers),))
        result.update(child for child, *_ in children)
        names += [(key, language) for _, key, language in children]
    for source, target, _ in ends:
        result |= {source, target}
    result |= _touched_by_name(database, {key for _, target, key in ends if not target}, names)
    result.discard(0)
    return result if len(result) <= MOST else None


def _touched_by_name(database: Database, keys: set[int], names: list[tuple[int, str | None]]) -> set[int]:
    """Return the nodes whose values change because open references by some names, or symbols that these can mean, were
    added or removed.
    """
    lenders = {key: possible_targets(database, key) for key in keys | {key for key, _ in names}}
    result = {ones[0] for key in keys for ones in lenders[key].values() if len(ones) == 1}
    matters = set()
    for (key, language), count in Counter(names).items():
        families = lenders[key].values() if language is None else [lenders[key].get(family_of(language), [])]
        # else there were too many before, and still are
        few = [ones for ones in families if len(ones) <= CANDIDATES + count]
        result.update(symbol for ones in few for symbol in ones)
        if few or language is None:
            matters.add(key)
    return result | {row[0] for row in database.all("following.open", (_json_list(matters),))}


def possible_targets(database: Database, key: int) -> dict[str, list[int]]:
    """Return the ids of the symbols that an open reference by the name with this key can mean, grouped by family of
    languages.
    """
    result: dict[str, list[int]] = defaultdict(list)
    for symbol, language in database.each("following.lenders", lending() | {"key": key}):
        result[family_of(language)].append(symbol)
    return result


def family_of(language: str | None) -> str:
    """Return the family of `language`, as the whole graph has families of languages for its files."""
    return file_of("", language or "").family


def neighbourhood_graph(database: Database, nodes: Collection[int]) -> Graph | None:
    """Return the graph of all edges at `nodes`, with the nodes at their ends. None where it would have too many nodes,
    or too many files would have to be searched.
    """
    numbers = _json_list(nodes)
    files = [file for (file,) in database.all("following.files", (numbers, numbers))]
    if len(files) > MOST:
        return None
    references = [
        Reference(*row) for row in database.all("following.from", {"symbols": numbers, "files": _json_list(files)})
    ]
    references += [Reference(*row) for row in database.all("following.into", (numbers,))]
    if len(references) > MOST_AROUND:
        return None
    own = _nodes(database, nodes)
    lent = {node.key for node in own if node.lends}
    lenders = {
        key: possible_targets(database, key)
        for key in lent | {reference.key for reference in references if not reference.target}
    }
    # several edges between two nodes count as one neighbour
    alone = [key for key in lent if any(len(ones) == 1 for ones in lenders[key].values())]
    references += [Reference(*row) for row in database.all("following.open", (_json_list(alone),))]
    ends = (
        {end for reference in references for end in (reference.source, reference.target)}
        | {node.parent for node in own}
        | set(nodes)
    )
    ends |= {symbol for lender in lenders.values() for ones in lender.values() for symbol in ones[: CANDIDATES + 1]}
    ends.update(child for child, *_ in database.all("following.children", (numbers,)))
    known = _nodes(database, ends)
    places = database.all("following.places", (_json_list({node.file for node in known}),))
    return joined(known, {file: file_of(path, language) for file, path, language in places}, references)


def _nodes(database: Database, numbers: Iterable[int]) -> list[Node]:
    return [Node(*row) for row in database.all("following.nodes", lending() | {"symbols": _json_list(numbers)})]


def _json_list(numbers: Iterable[int]) -> str:
    return json.dumps(sorted(numbers))
