"""A cursor over the scopes of a file, and the ranges in which all references are of one kind."""

from __future__ import annotations

from typing import Final

from codeagentd.extract.captures import Captures
from codeagentd.extract.scopes import ScopeTree, Visible, visible_in
from codeagentd.languages.language import SymbolRules
from codeagentd.model.kinds import ReferenceKind

SKIP: Final = -1  # the region of names that are no references
_REGIONS: Final = {f"region.{kind.name.lower()}": int(kind) for kind in ReferenceKind} | {
    "import": SKIP,
    "region.skip": SKIP,
}


class ScopeCursor:
    """A cursor over the scopes of a file. It returns the visible names at ascending offsets."""

    def __init__(self, tree: ScopeTree, captures: Captures, size: int, rules: SymbolRules) -> None:
        self._tree = tree
        self._scope, self._scopes_seen = tree.file, 1
        self._regions, self._region = _regions(captures, size), 0
        self._is_typed = rules.headers == "parameters"  # every name in the region of a type is a type's
        self._separate_types = rules.separate_types

    def stretch(self, start: int) -> tuple[Visible, Visible, int, int, int]:
        """Return the state from the offset `start` on: (visible names, visible types, the enclosing symbol, the kind of
        the references or SKIP, the offset at which any of these ends).
        """
        scopes, at, scope = self._tree.scopes, self._scopes_seen, self._scope
        while at < len(scopes) and scopes[at].start <= start:
            scope, at = scopes[at], at + 1
        while scope.end <= start:
            scope = scope.parent or self._tree.file
        self._scope, self._scopes_seen = scope, at
        edge = min(scope.end, scopes[at].start) if at < len(scopes) else scope.end
        while self._regions[self._region][1] <= start:
            self._region += 1
        region_start, region_end, region = self._regions[self._region]
        if region_start > start:
            region, region_end = 0, region_start
        visible = visible_in(scope, region, self._separate_types) if self._is_typed else scope.environment
        return visible, scope.type_environment, scope.symbol, region, min(edge, region_end)


def _regions(captures: Captures, size: int) -> list[tuple[int, int, int]]:
    """Return (start, end, kind) of the ranges that determine the kind of the references inside; the outermost wins.

    A sentinel ends the list.
    """
    results = [
        (node.start_byte, node.end_byte, code)
        for capture, code in _REGIONS.items()
        for node in captures.get(capture, ())
    ]
    results.sort(key=lambda item: (item[0], -item[1]))
    flat: list[tuple[int, int, int]] = []
    for item in results:
        if not flat or item[0] >= flat[-1][1]:
            flat.append(item)
    return [*flat, (size + 1, size + 2, 0)]
