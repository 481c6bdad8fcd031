"""Outlines of documents: the sections that headings begin, and the keys that are listed of a large data file."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.base.limits import MAX_KEYS

HEADING_LEVELS: Final = 6
_SPACE: Final = frozenset(b" \t\r\n")
_MARKUP: Final = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?P=ticks)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|!?\[(?P<label>[^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"
    r"|</?[a-zA-Z][^>]*>|\*|(?<!\w)_+|_+(?!\w)"
)
_TAG: Final = re.compile(r"<[^>]*>")
_CLOSING: Final = re.compile(r"\s#+\s*$")

Range = tuple[int, int]


class Section(NamedTuple):
    """One section: its range, its name, the position of the name, and its explicit anchor, '' for none."""

    start: int
    end: int
    name: str
    name_start: int
    name_end: int
    anchor: str  # the one that the heading itself gives, '' for none


def sections_of(captures: dict[str, list[Node]], source: bytes, rule: str, enclosing: Iterable[Range]) -> list[Section]:
    """Return the sections that the query's @section.<level> nodes begin, each up to the next section of its level or
    above, or to the end of the enclosing range.

    The @title inside gives the name. `enclosing` are ranges that no section leaves; headings inside of @quoted ranges
    begin no section.
    """
    clean, closing = RULES[rule]
    titles = sorted(node.byte_range for node in captures.get("title", ()))
    quoted = [node.byte_range for node in captures.get("quoted", ())]
    results: list[Section] = []
    limits = [(first, source.rfind(closing, first, last)) if closing else (first, last) for first, last in enclosing]
    for start, end, last in _spans(captures, len(source), limits, quoted):
        at = bisect_left(titles, (start, 0))
        if at == len(titles) or titles[at][0] >= last:
            continue
        text, sign, anchor = source[slice(*titles[at])].decode(errors="replace").partition("{#")
        if name := clean(text):
            first = _skip_space(source, *titles[at])
            results.append(
                Section(
                    start,
                    without_space(source, start, end),
                    name,
                    first,
                    titles[at][1],
                    anchor.partition("}")[0].split(" ")[0] if sign else "",
                )
            )
    return results


def _spans(
    captures: dict[str, list[Node]], size: int, enclosing: list[Range], quoted: list[Range]
) -> list[tuple[int, int, int]]:
    """Return (start, end, end of its heading) of each section."""
    headings = sorted(
        (*node.byte_range, level)
        for level in range(1, HEADING_LEVELS + 1)
        for node in captures.get(f"section.{level}", ())
    )
    inside = _ends(quoted, [start for start, _, _ in headings], 0)
    spans = section_ranges([heading for heading, end in zip(headings, inside, strict=True) if not end], size)
    limits = _ends(enclosing, [start for start, _, _ in spans], size)
    return [(start, min(end, limit), heading) for (start, end, heading), limit in zip(spans, limits, strict=True)]


def section_ranges(headings: Iterable[tuple[int, int, int]], size: int) -> list[tuple[int, int, int]]:
    """Return (start, end, end of its heading) of the section of each heading (start, end, level): it extends to the
    next one of its level or above, or to the end of the text, which has `size` bytes.
    """
    open_sections: list[tuple[int, int, int]] = []  # (level, start, end of heading)
    spans: list[tuple[int, int, int]] = []
    for start, last, level in headings:
        while open_sections and open_sections[-1][0] >= level:
            _, begun, heading = open_sections.pop()
            spans.append((begun, start, heading))
        open_sections.append((level, start, last))
    spans += [(begun, size, heading) for _, begun, heading in open_sections]
    spans.sort()
    return spans


def _ends(ranges: list[Range], offsets: list[int], otherwise: int) -> list[int]:
    """Return the end of the innermost range around each offset; ranges nest, and both ascend."""
    ends, open_ranges, at = [], [], 0
    ranges = sorted(ranges, key=lambda item: (item[0], -item[1]))
    for offset in offsets:
        while at < len(ranges) and ranges[at][0] <= offset:
            open_ranges.append(ranges[at][1])
            at += 1
        while open_ranges and open_ranges[-1] <= offset:
            open_ranges.pop()
        ends.append(open_ranges[-1] if open_ranges else otherwise)
    return ends


def _skip_space(source: bytes, start: int, end: int) -> int:
    while start < end and source[start] in _SPACE:
        start += 1
    return start


def without_space(source: bytes, start: int, end: int) -> int:
    """Return the end of the range from `start` to `end` without the white space at its end."""
    while end > start + 1 and source[end - 1] in _SPACE:
        end -= 1
    return end


def _markdown(text: str) -> str:
    """Return the text of a heading without markup: emphasis, code, links, tags, closing `#` signs.

    Source: CommonMark 0.31, "ATX headings".
    """
    return " ".join(_MARKUP.sub(_shown, _CLOSING.sub("", text)).split())


def _shown(match: re.Match[str]) -> str:
    """Return the visible text of a match of markup."""
    return match["code"] or match["escaped"] or _MARKUP.sub(_shown, match["label"] or "")


def _html(text: str) -> str:
    """Return the text of an element."""
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())


def _plain(text: str) -> str:
    """Return the text as written."""
    return text.strip()


# how a title reads, and what closes a range that holds sections
RULES: Final[dict[str, tuple[Callable[[str], str], bytes]]] = {
    "markdown": (_markdown, b""),
    "html": (_html, b"</"),
    "plain": (_plain, b""),
}


def prune(captures: dict[str, list[Node]]) -> None:
    """Remove from `captures` the keys and rules that do not fit into an outline. Whole levels are kept, from the
    outermost on; of an outermost level that does not fit, the first MAX_KEYS nodes.
    """
    for capture in ("def.key", "def.rule"):
        if len(captures.get(capture, ())) > MAX_KEYS:
            captures[capture] = _outermost(captures[capture])


def _outermost(keys: list[Node]) -> list[Node]:
    levels: dict[int, list[Node]] = {}
    ends: list[int] = []
    for node in sorted(keys, key=lambda node: (node.start_byte, -node.end_byte)):
        while ends and ends[-1] <= node.start_byte:
            ends.pop()
        levels.setdefault(len(ends), []).append(node)
        ends.append(node.end_byte)
    listed = levels.pop(0)[:MAX_KEYS]
    for level in sorted(levels):
        if len(listed) + len(levels[level]) > MAX_KEYS:
            break
        listed += levels[level]
    return listed
