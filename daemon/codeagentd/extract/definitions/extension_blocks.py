"""Extension blocks: functions that one declaration adds to a type, `extension (book: Book) { def tidy = … }`.

Each of these functions has the type as its base.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from codeagentd.extract.captures import Captures

from .draft import Draft


def extend(drafts: Iterable[Draft], captures: Captures, source: bytes) -> None:
    """Add the @extended type as a base to those of `drafts` that are directly inside of an @extension."""
    ranges = sorted(node.byte_range for node in captures.get("extension", ()))
    types = sorted(node.byte_range for node in captures.get("extended", ()))
    if not ranges or len(ranges) != len(types):
        return
    starts = [start for start, _ in ranges]
    for draft in drafts:
        at = bisect_right(starts, draft.start) - 1
        if at >= 0 and draft.start < ranges[at][1] and (draft.parent is None or draft.parent.start < starts[at]):
            text = " ".join(source[slice(*types[at])].decode(errors="replace").split())
            draft.bases = (text.partition("[")[0],)
            draft.header = f"{text} . {draft.header}"
