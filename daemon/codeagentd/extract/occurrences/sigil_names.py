"""Names that differ from the grammar's identifiers: with a sigil, as a path, as a value, or called without
parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from codeagentd.extract.captures import Captures
from codeagentd.languages.language import SymbolRules
from codeagentd.model.kinds import ReferenceKind

Span = tuple[int, int]

_CALL: Final = int(ReferenceKind.CALL)
_READ: Final = int(ReferenceKind.READ)
_COMMAND: Final = re.compile(rb"(?:(?<=')|(?<=; )|(?<=&& )|(?<=\|\| ))[A-Za-z_][\w:-]*")
# characters that begin names that are no methods, where a bare name is a call
_QUIET: Final = frozenset(b"@$:ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_PART: Final = re.compile(rb"[\w\x80-\xff]+")


class Spelled:
    """The names of one file in a language in which names differ from the identifiers of its grammar."""

    def __init__(self, source: bytes, captures: Captures, rules: SymbolRules) -> None:
        self._source = source
        self._captures = captures
        self._rules = rules
        literals = [node.byte_range for node in captures.get("ref.literal.read", ())]
        commands = [
            (part.start(), part.end())
            for start, end in self._places("ref.words")
            for part in _COMMAND.finditer(source, start, end)
        ]
        self._more = [(start + 1, end) for start, end in (*literals, *self._places("ref.literal"))] + commands
        # the kinds of names that are no nodes of their own
        self.kinds = {start + 1: _READ for start, _ in literals} | {start: _CALL for start, _ in commands}
        self.spans = self._names()

    @staticmethod
    def is_needed(rules: SymbolRules) -> bool:
        """Whether a language with these `rules` has names that differ from the identifiers of its grammar."""
        return bool(rules.sigil or rules.bare_calls or rules.calls_apart)

    def _places(self, capture: str) -> list[Span]:
        return [node.byte_range for node in self._captures.get(capture, ())]

    def _names(self) -> list[Span]:
        """List (start, end) of every name, in document order. A variable begins with its sigil; `A\\B` is one name."""
        source, spans = self._source, dict([*self._places("ref"), *self._more])
        if self._rules.sigil:
            sigil = ord(self._rules.sigil)
            spans = {
                start - (source[start - 1] == sigil and source[start - 3 : start - 1] != b"::"): end
                for start, end in spans.items()
            }
        for start, end in self._places("ref.path"):
            for part in _PART.finditer(source, start, end):
                spans.pop(part.start(), None)
            spans[start] = end
        return sorted(spans.items())

    def called(self, kinds: Mapping[int, int]) -> dict[int, int]:
        """Return a dictionary from the end of each called name to 0, as the number of arguments is unknown. `kinds`:
        the start of a name -> its kind.
        """
        return (
            dict.fromkeys([end for start, end in self.spans if kinds.get(start) == _CALL], 0)
            if self._rules.calls_apart
            else {}
        )

    def defaults(self) -> dict[int, int]:
        """Return a dictionary from the start of a name to the kind that it has without another one: a bare name that
        cannot be a variable calls a method.
        """
        return (
            {start: _CALL for start, _ in self.spans if self._source[start] not in _QUIET}
            if self._rules.bare_calls
            else {}
        )
