"""The rules of a language for the name that a renaming introduces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.languages.language import IdentifierRules, language_of, languages
from codeagentd.model.kinds import TYPES
from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import Site
from codeagentd.query.symbols.lookup import Subject

_SHOWN: Final = 60  # characters of a refused name in the message


def check_new_name(subject: Subject, new: str) -> None:
    """Check that `new` can be the name of the symbol in its language. Errors: invalid_parameter."""
    _check_identifier(subject.language, subject.name, new)
    if refusal := _refusal(subject, subject.language, new):
        rules = languages()[subject.language].names
        raise InvalidParameter(f"to: {refusal}", remedy=_remedy(rules, new), parameter="to")


def check_local_name(language: str, old: str, new: str) -> None:
    """Check that `new` can be the name of a local variable in this language. Errors: invalid_parameter."""
    _check_identifier(language, old, new)
    rules = languages()[language].names
    if (new.lower() if rules.any_case else new) in rules.reserved:
        raise InvalidParameter(f"to: {new} is a keyword of {language}", remedy=_remedy(rules, new), parameter="to")


def _check_identifier(language: str, old: str, new: str) -> None:
    rules = languages()[language].names
    if not _identifier(rules).fullmatch(unescaped(new, language)):
        raise InvalidParameter(
            f"to: {clean(new)[:_SHOWN]!r} is no identifier",
            remedy=f"pass letters, digits and {' and '.join('_' + rules.letters)}, not beginning with a digit",
            parameter="to",
        )
    if new == old:
        raise InvalidParameter(f"to: it is called {new} already", remedy="pass another name", parameter="to")


def unescaped(name: str, language: str) -> str:
    """Return `name` without the signs that make a keyword a name in `language`: `in` for `@in` in C#."""
    escape = languages()[language].names.escape
    if escape and name.startswith(escape[0]) and name.endswith(escape[1]):
        return name[len(escape[0]) : len(name) - len(escape[1])]
    return name


def keyword_collisions(subject: Subject, new: str, edits: Sequence[Site]) -> list[str]:
    """Return in words the edits in files of other languages, where the name `new` is a keyword."""
    lines = {
        (language, site.file): site.line
        for site in reversed(edits)
        if (language := language_of(site.file)) not in (None, subject.language) and _refusal(subject, language, new)
    }
    return [
        f"{new} is a keyword of {language}, in {clean(path)}, line {line}"
        for (language, path), line in sorted(lines.items())
    ]


def _refusal(subject: Subject, language: str, new: str) -> str:
    """Why `new` cannot be the name of the symbol in code of `language`; '' if it can."""
    rules = languages()[language].names
    name = new.lower() if rules.any_case else new
    if name in rules.reserved and not (rules.member_words and subject.is_member):
        return f"{new} is a keyword of {language}"
    if name in rules.reserved_types and subject.kind in TYPES:
        return f"{new} cannot be the name of a type in {language}"
    if (inner := unescaped(new, language)) != new and inner in rules.never_escaped:
        return f"{inner} is a keyword of {language} that cannot be escaped"
    return ""


def _remedy(rules: IdentifierRules, new: str) -> str:
    if rules.escape and new in rules.reserved and new not in rules.never_escaped:
        return f"pass another name, or the escaped {rules.escape[0]}{new}{rules.escape[1]}"
    return "pass another name"


def _identifier(rules: IdentifierRules) -> re.Pattern[str]:
    letters = re.escape(rules.letters)
    return re.compile(rf"(?:[^\W\d]|[{letters}])[\w{letters}]*" if letters else r"[^\W\d]\w*")
