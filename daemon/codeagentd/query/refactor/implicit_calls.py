"""Calls that no source writes down: of members that the language, a library or a framework calls.

Whoever makes an object, or passes one on, may run those members of its type. These are: constructors; members with
names that the language calls ([implicit_uses] in language.toml); members of a type with a base outside of the
repository, which calls them; and members that nothing is known to call.
"""

from __future__ import annotations

import fnmatch
import functools
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import INHERITS, TYPE_NUMBERS, ReferenceKind, SymbolKind
from codeagentd.query.graph.traversal import AMBIGUOUS, Step, steps_of
from codeagentd.store.connection import Database

_CALLABLE: Final = frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION, SymbolKind.PROPERTY, SymbolKind.CONSTRUCTOR})
# the kinds of references that run their target, or hand it on to what runs it
_RUNS: Final = sum(
    1 << kind for kind in (ReferenceKind.CALL, ReferenceKind.CONSTRUCT, ReferenceKind.DECORATE, ReferenceKind.READ)
)
# the kinds of references to a type whose sources have objects of it, or are subtypes
_HAVING: Final[dict[str, Any]] = {"kinds": _RUNS | 1 << ReferenceKind.RETURNS | INHERITS, "inherits": INHERITS}


class ImplicitCalls:
    """The steps of one walk against the direction of calls, from members to those who may call them without naming
    them. Each type is followed once.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._followed: set[int] = set()
        self._known: set[int] = set()  # types without bases outside of the repository

    def __call__(self, members: Sequence[int], known: Sequence[Step]) -> list[Step]:
        """Return the steps into `members` through the objects of their types. `known`: the steps into them along
        edges.
        """
        calls = [step for step in known if _RUNS >> step.kind & 1]
        called = {step.start for step in calls} - {step.start for step in calls if step.confidence == AMBIGUOUS}
        rows = self._db.all("retrieval.members_of_types", {"symbols": json.dumps(members), "types": TYPE_NUMBERS})
        types: set[int] = set()
        others: set[int] = set()
        for member, kind, name, language, type_id in rows:
            if kind in _CALLABLE and type_id not in self._followed:
                is_implicit = member not in called or _is_called_implicitly(language, kind, name)
                (types if is_implicit else others).add(type_id)
        types |= self._with_outside_bases(others - types - self._known)
        self._followed |= types
        rows = self._rows("retrieval.object_steps_in", types, **_HAVING)
        return steps_of(rows, is_forward=False)

    def _with_outside_bases(self, types: set[int]) -> set[int]:
        outside = {type_id for (type_id,) in self._rows("retrieval.with_outside_bases", types, inherits=INHERITS)}
        self._known |= types - outside
        return outside

    def _rows(self, statement: str, types: set[int], **parameters: Any) -> list[Any]:
        return self._db.all(statement, {**parameters, "symbols": json.dumps(sorted(types))}) if types else []


def _is_called_implicitly(language: str, kind: int, name: str) -> bool:
    return kind == SymbolKind.CONSTRUCTOR or _patterns(language).fullmatch(name) is not None


@functools.cache
def _patterns(language: str) -> re.Pattern[str]:
    """What matches the names of implicitly called members of a language."""
    return re.compile("|".join(map(fnmatch.translate, languages()[language].uses.special)) or r"(?!)")
