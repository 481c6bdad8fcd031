"""The verdict on one answer: whether its text names the places of the known answer, and claims nothing that is known to be false."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from tests.eval.places import Place, places, strings

SHARE: Final = 0.9  # of a list that has to be named, and of the rows that have to be true
EVEN: Final = 0.1  # answers within so much of each other cost the same


class Known(msgspec.Struct, frozen=True):
    """The known answer of a question, established by reading the source.

    A target is `path`, `path:line`, `path:first-last`, either of them followed by ` name`; `name:identifier`; or `text:words`.
    `must`: all of them have to be named, of a list any one. `every`: at least SHARE of them. `allowed`: further true rows.
    `must_not`: what would be false. `within`: the file that rows without a path are about. With `exact_rows`, at least
    SHARE of the rows have to be a target or allowed.
    """

    must: list[str | list[str]] = []
    every: list[str] = []
    allowed: list[str] = []
    must_not: list[str] = []
    within: str = ""
    exact_rows: bool = False


class Verdict(msgspec.Struct, frozen=True):
    """Whether an answer is right, and why not."""

    right: bool
    recall: float
    precision: float | None
    missing: list[str] = []
    false: list[str] = []
    reason: str = ""


WRONG: Final = Verdict(False, 0.0, None, reason="error")


def judge(known: Known, text: str, paths: Collection[str]) -> Verdict:
    """Judge the text of an answer."""
    found = places(text, paths, known.within)
    plain = strings(text)
    certain = [one for one in found if one.certain]
    required = [[one] if isinstance(one, str) else one for one in known.must]
    missing = [" or ".join(group) for group in required if not any(meets(one, found, plain) for one in group)]
    absent = [one for one in known.every if not meets(one, found, plain)]
    total = len(required) + len(known.every)
    recall = 1 - (len(missing) + len(absent)) / total if total else 0.0
    false = [one for one in known.must_not if meets(one, certain, plain)]
    precision = _precision(known, certain) if known.exact_rows else None
    enough = not known.every or 1 - len(absent) / len(known.every) >= SHARE
    right = bool(total) and not missing and enough and not false and (precision is None or precision >= SHARE)
    return Verdict(right, recall, precision, missing + absent, false)


def meets(target: str, found: Iterable[Place], plain: str) -> bool:
    """Whether an answer names a target."""
    kind, _, rest = target.partition(":")
    if kind == "text":
        return rest in plain
    if kind == "name":
        return re.search(rf"(?<![\w$]){re.escape(rest)}(?![\w$])", plain) is not None
    return any(_at(target, place) for place in found)


def _at(target: str, place: Place) -> bool:
    where, _, name = target.partition(" ")
    path, _, lines = where.partition(":")
    if place.path != path:
        return False
    if not lines and not name:
        return True
    if lines:
        first, _, last = lines.partition("-")
        if any(int(first) <= line <= int(last or first) for line in place.lines):
            return True
    return bool(name) and any(_same(name, one) for one in place.names)


def _same(name: str, other: str) -> bool:
    """Whether two names, dotted or not, are of one symbol as far as both say."""
    return name == other or name.endswith(f".{other}") or other.endswith(f".{name}")


def _precision(known: Known, certain: list[Place]) -> float | None:
    """The share of rows that are true; None without rows."""
    flat = [one for group in known.must for one in ([group] if isinstance(group, str) else group)]
    true = [*flat, *known.every, *known.allowed]
    rows = [one for one in certain if one.row and (one.lines or one.names or one.path)]
    if not rows:
        return None
    return sum(any(_true(target, row) for target in true) for row in rows) / len(rows)


def _true(target: str, row: Place) -> bool:
    if target.startswith("name:"):
        return target[5:] in row.names
    return not target.startswith("text:") and _at(target, row)


def compared(ours: tuple[bool, int], theirs: tuple[bool, int]) -> str:
    """`won`, `even` or `lost`, of (right, tokens) against (right, tokens)."""
    if ours[0] != theirs[0]:
        return "won" if ours[0] else "lost"
    if not ours[0] or abs(ours[1] - theirs[1]) <= EVEN * max(ours[1], theirs[1]):
        return "even"
    return "won" if ours[1] < theirs[1] else "lost"
