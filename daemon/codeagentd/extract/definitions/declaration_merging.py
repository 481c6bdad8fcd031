"""Declaration merging: definitions of one file that are the same symbol, such as overloads or getters and setters,
become one.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from codeagentd.extract.preprocess.conditional_compilation import Branches
from codeagentd.extract.syntax_nodes import text_of
from codeagentd.languages.language import Language
from codeagentd.model.kinds import SCOPES_OF_NAMES, SymbolKind

from .draft import CALLABLES, Draft
from .overload_keys import identity_of

_SIGNATURE: Final = "signature"  # modifier of a declaration without a body
# kinds that may share their name with a variable
_ONLY_TYPES: Final = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


def merge(drafts: list[Draft], source: bytes, language: Language) -> list[Draft]:
    """Merge the definitions of each symbol among `drafts` into one draft with several positions. A variable is dropped
    if a definition hides it.
    """
    if language.symbols.scattered:
        drafts = parents_first(drafts)
    else:
        # parents before children, as `drafts_of` gives them; a value is no longer than its name
        drafts.sort(key=attrgetter("start"))
    if _are_distinct(drafts):
        return drafts
    groups: dict[tuple[int, bool, int, str, bytes, str], list[Draft]] = {}
    group_of: dict[int, list[Draft]] = {}
    for draft in drafts:
        enclosing = group_of.get(id(draft.parent)) if draft.parent else None
        if draft.parent and enclosing is None:
            continue  # its parent was dropped
        # a definition inside of a function is no member of an interface of the same name
        in_code = draft.parent is not None and draft.parent.kind in CALLABLES
        owner = "" if draft.is_adopted else draft.owner  # of a type that another file defines
        key = (id(enclosing), in_code, draft.closure, owner, draft.name, identity_of(draft, language))
        group = groups.setdefault(key, [])
        if group and not _is_declared(group[0]) and (_is_declared(draft) or not draft.is_value):
            group.clear()
        if not group or _is_declared(draft):
            group.append(draft)
            group_of[id(draft)] = group
        elif draft.is_value:
            group[0].sets += [draft.name_start, *draft.sets]
    branches = Branches(source, language.preprocessor) if language.preprocessor.predefined else None
    clauses = language.symbols.clauses
    chosen = {id(group): _primary(group, branches, first_only=clauses) for group in groups.values()}
    for group in groups.values():
        draft = chosen[id(group)]
        if draft.parent:
            draft.parent = chosen[id(group_of[id(draft.parent)])]
    return parents_first(list(chosen.values()))


def parents_first(drafts: list[Draft]) -> list[Draft]:
    """Return `drafts` in document order, but with members after the types to which they are added from outside."""
    drafts.sort(key=lambda draft: (_first_start(draft), -draft.end, not draft.is_stub))
    if not any(draft.owner and draft.parent and draft.parent.start >= _first_start(draft) for draft in drafts):
        return drafts
    below: dict[int, list[Draft]] = {}
    for draft in drafts:
        below.setdefault(id(draft.parent) if draft.parent else 0, []).append(draft)
    ordered: list[Draft] = []
    waiting = below.get(0, [])[::-1]
    while waiting:
        draft = waiting.pop()
        ordered.append(draft)
        waiting += below.get(id(draft), [])[::-1]
    return ordered


def _first_start(draft: Draft) -> int:
    """Return the start of the first position of a draft."""
    return min(place.start for place in (draft, *draft.more))


def _are_distinct(drafts: list[Draft]) -> bool:
    """Whether no definitions need merging, as in most files: each name is defined once in its scope, after the
    enclosing definition.
    """
    seen: set[Draft | None] = {None}
    for draft in drafts:
        if draft.parent not in seen:
            return False
        seen.add(draft)
    return len({(draft.parent, draft.name) for draft in drafts}) == len(drafts)


def _is_declared(draft: Draft) -> bool:
    """Whether a draft is more than a name that is assigned a value."""
    return draft.end > draft.name_end or not draft.is_value


def _primary(places: list[Draft], branches: Branches | None, *, first_only: bool) -> Draft:
    """Return the draft that represents a symbol: the longest one, but a signature, namespace or variable only where
    there is no other; of a property (the getter), and with `first_only`, the first.

    Of the branches of conditional compilation it is the one that the condition selects, else the last.
    """
    first = places[0]
    if len(places) == 1:
        return first
    compiled = _compiled(places, branches) if branches else places
    best = first if first_only or first.kind == SymbolKind.PROPERTY else max(compiled, key=_weight)
    if first.identity is not None and first.kind not in CALLABLES and not first_only:
        best = max(compiled, key=_weight_of_variant)
    best.more = tuple([place for place in places if place is not best])
    if best.kind in _ONLY_TYPES and (
        value := next((place for place in best.more if place.is_value or place.kind in CALLABLES), None)
    ):
        _swap(best, value)  # a value that exists at run time comes first, as in TypeScript's own checker
    best.documented = any(place.documented for place in places)
    best.bases = tuple(dict.fromkeys(base for place in places for base in place.bases))
    best.type = next(
        (place.type for place in (places if first.identity is None else (best, *places)) if place.type), ""
    )
    if any("export" in place.modifiers for place in places):
        best.modifiers += ("export",)
    if "partial" in best.modifiers:
        best.modifiers = tuple(dict.fromkeys(word for place in places for word in place.modifiers))
    return best


def _compiled(places: list[Draft], branches: Branches) -> list[Draft]:
    """Return, of several definitions (or several declarations, where there is no definition), those in the branches
    that the compiler most likely takes.
    """
    whole = [place for place in places if _is_whole(place)] or places
    if len(whole) == 1:
        return whole
    chances = [branches.chance(place.start) for place in whole]
    best = max(chances)
    return [place for place, chance in zip(whole, chances, strict=True) if chance == best]


def _is_whole(place: Draft) -> bool:
    return not place.is_stub and _SIGNATURE not in place.modifiers and "extern" not in place.modifiers


def result_of_signatures(draft: Draft, source: bytes) -> str:
    """Return the result type of `draft`, a function that only its overload signatures declare; '' without such
    signatures. Callers do not see the implementation.
    """
    result_types = [place.returns for place in draft.more if place.returns and _SIGNATURE in place.modifiers]
    return " | ".join(dict.fromkeys(text_of(node, source).lstrip(": ") for node in result_types))


def _swap(best: Draft, other: Draft) -> None:
    """Exchange the positions of two drafts."""
    for part in ("start", "end", "name_start", "name_end", "parameters", "returns"):
        mine, its = getattr(best, part), getattr(other, part)
        setattr(best, part, its)
        setattr(other, part, mine)


def _weight_of_variant(place: Draft) -> tuple[bool, bool, int]:
    """Return a sort key that prefers the last branch of conditional compilation, which applies where nothing is
    configured.
    """
    return not place.is_stub, _is_whole(place), place.start


def _weight(place: Draft) -> tuple[int, bool, int, int]:
    rank = 2
    if place.is_value:
        rank = 0
    elif place.kind in SCOPES_OF_NAMES:
        rank = 1
    elif place.kind in _ONLY_TYPES and _SIGNATURE not in place.modifiers:
        rank = 3
    return rank, _SIGNATURE not in place.modifiers, place.end - place.start, -place.start


def join_equations(drafts: list[Draft]) -> list[Draft]:
    """Return `drafts`, which are in document order, with one draft for each run of equations of one function. It begins
    with the signature directly before them, and its name is that in the first equation.
    """
    results: list[Draft] = []
    for draft in drafts:
        first = results[-1] if results else None
        if first is not None and _continues(first, draft):
            _extend(first, draft)
        else:
            results.append(draft)
    return results


def _continues(first: Draft, draft: Draft) -> bool:
    return (
        draft.kind in CALLABLES
        and first.name == draft.name
        and first.kind == draft.kind
        and first.parent is draft.parent
        and _SIGNATURE not in draft.modifiers
    )


def _extend(first: Draft, equation: Draft) -> None:
    first.end = equation.end
    first.own = first.place = first.body = (first.start, first.end)
    if _SIGNATURE in first.modifiers:
        if first.parent is None:  # a class declares its methods by their signatures
            first.name_start, first.name_end = equation.name_start, equation.name_end
        first.modifiers = tuple(word for word in first.modifiers if word != _SIGNATURE)
