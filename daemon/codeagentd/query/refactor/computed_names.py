"""Names that code puts together from parts: `getattr(self, f"visit_{kind}")`, `make_##name`.

Such code may reach a definition without its name being there in one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from codeagentd.languages.language import language_of, languages
from codeagentd.model.parameters import language_family
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

from .mentions import PART, PIECES, Lines

_JOINT: Final = re.compile(r"(?<=_)(?=[^_])|(?<=[^_])(?=_)|(?<=[a-z0-9])(?=[A-Z])")  # between the parts of a name
_QUOTE: Final = "[\"'`]"


class ComputedName(NamedTuple):
    """The place of a part of a name that is joined with others there, and what that says in words."""

    path: str
    line: int
    column: int
    reason: str


def computed_names(db: Database, subject: Subject, lines: Lines) -> Iterator[ComputedName]:
    """Yield the places where code may put the name of `subject` together; `lines` returns the text of a file."""
    rules = languages()[subject.language].uses
    if not (rules.lookups or rules.computed_members or rules.pasting):
        return
    parts = [
        *((subject.name[: at.start()], "begins with") for at in _JOINT.finditer(subject.name)),
        *((subject.name[at.start() :], "ends in") for at in _JOINT.finditer(subject.name)),
    ]
    family = set(language_family(subject.language))
    seen: set[tuple[str, int, int]] = set()
    for part, words in parts:
        pattern = _joined(subject.name, part, words == "begins with")
        for path, first, last in sorted(_pieces(db, subject, part, lines)):
            text = lines(path) if language_of(path) in family else ()
            for line in range(first, min(last, len(text)) + 1):
                for match in pattern.finditer(text[line - 1]):
                    if (place := (path, line, match.start())) not in seen:
                        seen.add(place)
                        yield ComputedName(*place, f"a name that {words} {part} is put together here")


def _pieces(db: Database, subject: Subject, part: str, lines: Lines) -> list[tuple[str, int, int]]:
    """The pieces of text with the words of a part of a name and with a word that looks names up, if that takes one. For
    a part without words, such as `_`, the file of the subject alone.
    """
    lookups = languages()[subject.language].uses.lookups
    words = [f'"{word}"' for word in PART.findall(part)]
    if not words:
        text = "\n".join(lines(subject.path))
        return [(subject.path, 1, text.count("\n") + 1)] if any(lookup in text for lookup in lookups) else []
    if lookups:
        words.append("(" + " OR ".join(f'"{lookup}"' for lookup in lookups) + ")")
    return db.all("change.saying", {"match": " AND ".join(words), "limit": PIECES})


def _joined(name: str, part: str, is_beginning: bool) -> re.Pattern[str]:
    """A pattern for a part of a name where another one is joined to it: a string that goes on with a value, or is added
    to one, or to another string with the rest of the name; a token that is pasted to another.
    """
    own = re.escape(part)
    if is_beginning:
        added = rf"{_QUOTE}\s*[+%]\s*(?:[^\s\"'`]|{_QUOTE}{re.escape(name[len(part) :])}{_QUOTE})"
        return re.compile(rf"(?<={_QUOTE}){own}(?=\$?\{{|%s|{added})|(?<!\w){own}(?=\s*##)")
    added = rf"(?<=[^\"'`] \+ {_QUOTE})|(?<=[^\"'`]\+{_QUOTE})"
    return re.compile(rf"(?:(?<=\}})|(?<=%s)|{added}){own}(?={_QUOTE})|(?<=##){own}(?!\w)")
