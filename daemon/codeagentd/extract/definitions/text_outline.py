"""Outlines of texts without a grammar: the sections of headings, as the language's rules tell them."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from codeagentd.base.limits import MAX_HEADING_BYTES, MAX_HEADING_LEVEL, MAX_SECTIONS
from codeagentd.languages.language import languages

from .document_outline import Section, section_ranges, without_space

SHORT: Final = 4  # characters of an underline that may be shorter than its title: docutils asks for as many
_BLANK: Final = re.compile(rb"[ \t\f\v]*")
_WORD: Final = re.compile(r"\w")
_CONTINUING: Final = (b" ", b"\t", b"..")  # begin lines of other blocks, which a title may follow directly


class Heading(NamedTuple):
    """A heading: its range, its level from 1, and the range of its title."""

    start: int
    end: int
    level: int
    title_start: int
    title_end: int


def text_sections(source: bytes, language: str) -> list[Section]:
    """Return the sections of `source`, which ends its lines with LF, in their order. Takes linear time."""
    headings = _outermost(list(_Reader(source, language).headings()))
    titles = {heading.start: heading for heading in headings}
    ranges = section_ranges([(heading.start, heading.end, heading.level) for heading in headings], len(source))
    sections = []
    for start, end, _ in ranges:
        heading = titles[start]
        if name := _name(source[heading.title_start : heading.title_end], language):
            last = without_space(source, start, end)
            sections.append(Section(start, last, name, heading.title_start, heading.title_end, ""))
    return sections


def _outermost(headings: list[Heading]) -> list[Heading]:
    """Return the headings that an outline has: whole levels, from the outermost on; of one that does not fit, the first
    MAX_SECTIONS headings.
    """
    if len(headings) <= MAX_SECTIONS:
        return headings
    counts = Counter(heading.level for heading in headings)
    deepest, total = min(counts), 0
    for level in sorted(counts):
        total += counts[level]
        if total > MAX_SECTIONS:
            break
        deepest = level
    return [heading for heading in headings if heading.level <= deepest][:MAX_SECTIONS]


def _name(title: bytes, language: str) -> str:
    """Return a title without its markup; '' for one without a letter or digit."""
    text = title.decode(errors="replace").strip()
    for pattern, replacement in _patterns(language).markup:
        text = pattern.sub(replacement, text)
    return " ".join(text.split()) if _WORD.search(text) else ""


class _Reader:
    """Finds the headings of one text, from its begin to its end."""

    def __init__(self, source: bytes, language: str) -> None:
        self._source = source
        self._rules = languages()[language].headings
        self._patterns = _patterns(language)
        self._ranks: dict[tuple[int, bool], int] = {}  # levels by (character of the underline, whether it is above too)
        self._last = 0  # the end of the heading before, with its line end

    def headings(self) -> Iterator[Heading]:
        """Yield the headings in their order."""
        pattern, at = self._patterns.lines, 0
        while pattern is not None and (match := pattern.search(self._source, at)):
            start, end = match.span()
            if match["line"] is not None:
                end = self._line_end(start)
            heading = self._underlined(start, end) if match["line"] is not None else self._marked(match)
            if heading is not None:
                yield heading
                at = self._last = min(heading.end + 1, len(self._source))
            elif (passage := self._after_passage(start)) is not None:
                at = passage
            else:
                at = self._line_end(start) + 1
            if at > len(self._source):
                return

    def _line_end(self, offset: int) -> int:
        end = self._source.find(b"\n", offset)
        return end if end >= 0 else len(self._source)

    # -- headings
    def _marked(self, match: re.Match[bytes]) -> Heading | None:
        """Return the heading that the sign at the begin of its line marks."""
        if match["sign"] is None or match.end() - match.start() > MAX_HEADING_BYTES:
            return None
        sign = match["sign"].decode()
        level = min(self._rules.levels.get(sign, len(sign)), MAX_HEADING_LEVEL)
        return Heading(match.start(), self._line_end(match.end()), level, *match.span("title"))

    def _underlined(self, start: int, end: int) -> Heading | None:
        """Return the heading that the line of signs from `start` to `end` belongs to: it underlines the line before, or
        stands above the next one.
        """
        before = self._source.rfind(b"\n", 0, max(0, start - 1)) + 1
        if start and before >= self._last and self._is_begin(before) and self._fits(before, start - 1, start, end):
            return Heading(before, end, self._level(start, is_over=False), before, start - 1)
        if not self._rules.has_overlines or end >= len(self._source):
            return None
        title_end = self._line_end(end + 1)
        last = self._line_end(title_end + 1)
        under = self._source[title_end + 1 : last].rstrip()
        if under != self._source[start:end].rstrip() or not self._fits(end + 1, title_end, start, end, inset=True):
            return None
        return Heading(start, last, self._level(start, is_over=True), end + 1, title_end)

    def _is_begin(self, start: int) -> bool:
        """Whether a block of text may begin with the line at `start`."""
        if start == self._last:
            return True
        before = self._source.rfind(b"\n", 0, start - 1) + 1
        return _BLANK.match(self._source, before).end() >= start - 1 or (  # type: ignore[union-attr]  # matches always
            self._rules.has_overlines and self._source.startswith(_CONTINUING, before)
        )

    def _fits(self, first: int, last: int, start: int, end: int, *, inset: bool = False) -> bool:
        """Whether the line from `first` to `last` is the title to a line of signs; `inset`: it may be indented."""
        if last - first > MAX_HEADING_BYTES:
            return False
        text = self._source[first:last].rstrip().decode(errors="replace")
        stripped = text.lstrip() if inset else text
        if not self._patterns.title.match(stripped) or not _WORD.search(stripped):
            return False
        signs, length = len(self._source[start:end].rstrip()), len(text)
        slack = self._rules.slack
        return signs >= min(length, SHORT) if inset or slack < 0 else abs(signs - length) <= slack

    def _level(self, start: int, *, is_over: bool) -> int:
        """Return the level of a line of signs."""
        sign = self._source[start]
        if self._rules.is_ranked:
            return self._rules.underlines.index(chr(sign)) + 1
        return min(self._ranks.setdefault((sign, is_over), len(self._ranks) + 1), MAX_HEADING_LEVEL)

    # -- passages without headings
    def _after_passage(self, start: int) -> int | None:
        """Return the end of the passage that begins with the line at `start`; None if none does. One that nobody closes
        extends to the end of the text.
        """
        line = self._source[start : self._line_end(start)]
        for first, last in self._patterns.passages:
            if first.fullmatch(line):
                end = last or re.compile(rb"^" + re.escape(line.rstrip()) + rb"[ \t]*$", re.MULTILINE)
                closing = end.search(self._source, start + len(line) + 1)
                return closing.end() + 1 if closing else len(self._source) + 1
        return None


class _Patterns(NamedTuple):
    """The compiled rules of a language. `lines`: the lines that tell about headings, None for none."""

    lines: re.Pattern[bytes] | None
    title: re.Pattern[str]
    passages: list[tuple[re.Pattern[bytes], re.Pattern[bytes] | None]]
    markup: list[tuple[re.Pattern[str], str]]


@functools.cache
def _patterns(language: str) -> _Patterns:
    rules = languages()[language].headings
    signs = re.escape(rules.underlines)
    parts = [rf"(?P<line>(?P<one>[{signs}])(?P=one)++[ \t]*+$)" if signs else "(?P<line>(?!))"]
    parts.append(rules.marked or "(?P<sign>(?!))(?P<title>)")
    parts += [f"(?:{first})$" for first, _ in rules.verbatim]
    return _Patterns(
        re.compile(f"^(?:{'|'.join(parts)})".encode(), re.MULTILINE) if rules.underlines or rules.marked else None,
        re.compile(rules.title),
        [
            (re.compile(first.encode()), re.compile(rf"^(?:{last})$".encode(), re.MULTILINE) if last else None)
            for first, last in rules.verbatim
        ],
        [(re.compile(pattern), replacement) for pattern, replacement in rules.markup],
    )
