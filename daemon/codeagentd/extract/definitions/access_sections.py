"""Access sections: `private` alone applies to the rest of the same body, `private :lend` to the names it lists.

The query captures a word that stands alone as @section.alone, a call with such a word as @section.call with the word as
@section.word inside and each name as @section.name, and as @static the ranges in which definitions belong to the type
itself.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from codeagentd.extract.captures import Captures

from .draft import CALLABLES, Draft

STATIC: Final = "static"
_OF_TYPE: Final = frozenset({"private_class_method", "public_class_method"})
_PRIVATE: Final = {
    "private_class_method": "private",
    "private_constant": "private",
    "public_class_method": "public",
    "public_constant": "public",
}

Range = tuple[int, int]


def apply_sections(drafts: list[Draft], captures: Captures) -> None:
    """Add the modifiers of the access sections in `captures` to the definitions `drafts`. The last modifier of a
    definition is the one that applies.
    """
    statics = sorted(node.byte_range for node in captures.get("static", ()))
    for draft in drafts if statics else ():
        if enclosing := _innermost(statics, draft.start):
            parent = draft.parent
            if parent is None or parent.start < enclosing[0]:
                draft.modifiers += (STATIC,)
    _follow_words(drafts, captures, statics)
    _follow_calls(drafts, captures)


def _follow_words(drafts: list[Draft], captures: Captures, statics: list[Range]) -> None:
    """Add to each definition the last access word before it in the same body."""
    words_by_body: dict[tuple[Range, Range | None], list[tuple[int, str]]] = {}
    for node in sorted(captures.get("section.alone", ()), key=lambda node: node.start_byte):
        body = node.parent
        if body is not None and node.text:
            words_by_body.setdefault((body.byte_range, _innermost(statics, node.start_byte)), []).append(
                (node.end_byte, node.text.decode())
            )
    bodies = sorted({body for body, _ in words_by_body})
    for draft in drafts if bodies else ():
        enclosing = _innermost(bodies, draft.start)
        outer = draft.parent
        if (
            enclosing is None
            or draft.kind not in CALLABLES
            or (outer is not None and (outer.start > enclosing[0] or outer.end < enclosing[1]))
        ):
            continue
        static = _innermost(statics, draft.start)
        words = words_by_body.get((enclosing, None if static == (draft.start, draft.end) else static), ())
        before = [word for end, word in words if end <= draft.start]
        if before and (static is None or static != (draft.start, draft.end)):
            draft.modifiers += (before[-1],)


def _follow_calls(drafts: list[Draft], captures: Captures) -> None:
    """Add the access word of a call to the definitions inside of the call, and to those that its arguments name."""
    calls = sorted(node.byte_range for node in captures.get("section.call", ()))
    if not calls:
        return
    words = {
        at: node.text.decode()
        for node in captures.get("section.word", ())
        if node.text and (at := _innermost(calls, node.start_byte))
    }
    for draft in drafts:
        enclosing = _innermost(calls, draft.start)
        if enclosing in words and (draft.parent is None or draft.parent.start < enclosing[0]):
            draft.modifiers += (_PRIVATE.get(words[enclosing], words[enclosing]),)
    by_name: dict[tuple[bytes, int], list[Draft]] = {}
    for draft in drafts:
        by_name.setdefault((draft.name, draft.parent.start if draft.parent else -1), []).append(draft)
    containers = sorted({(draft.parent.start, draft.parent.end) for draft in drafts if draft.parent})
    for node in captures.get("section.name", ()):
        call = _innermost(calls, node.start_byte)
        owner = _innermost(containers, node.start_byte)
        if call not in words or not node.text:
            continue
        word = words[call]
        for draft in by_name.get((node.text.removeprefix(b":"), owner[0] if owner else -1), ()):
            if word not in _OF_TYPE or STATIC in draft.modifiers:
                draft.modifiers += (_PRIVATE.get(word, word),)


def _innermost(ranges: list[Range], offset: int) -> Range | None:
    """Return the shortest of the nested ranges that contain an offset."""
    at = bisect_right(ranges, (offset, float("inf")))
    while at:
        at -= 1
        if ranges[at][1] > offset:
            return ranges[at]
    return None
