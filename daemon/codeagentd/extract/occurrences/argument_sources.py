"""Argument sources: the types of the arguments of calls, in languages in which overloads differ by these types."""

from __future__ import annotations

import re
from array import array
from operator import attrgetter
from typing import Final

from tree_sitter import Node

from codeagentd.extract.scopes import LOCAL
from codeagentd.extract.syntax_nodes import uncommented
from codeagentd.model.facts import BLOCK, COMPLEX, FIRST_REFERENCE, NAMED, WRITTEN

from .call_arguments import expressions
from .parsed_file import ParsedFile
from .receivers import Receivers

_START: Final = attrgetter("start_byte")
_ARRAY: Final = "array_creation_expression"
# expressions that name the type of their value
_CONVERTING: Final = frozenset(
    {"new_expression", "object_creation_expression", "instance_expression", "cast_expression", _ARRAY}
)
_INSIDE: Final = re.compile(r"\[[^\[\]]*\]")


class ArgumentSources:
    """The sources of the arguments of one file's calls, from which the types of these arguments are inferred."""

    def __init__(self, file: ParsedFile, receivers: Receivers) -> None:
        self._source = file.source
        self._captures = file.captures if file.language.arguments else {}
        self._receivers = receivers
        self._variables = receivers.variables
        self._written = {
            node.byte_range: word
            for word in file.language.arguments
            for node in file.captures.get(f"argument.{word}", ())
        }
        self._typed = {node.byte_range for node in file.captures.get("argument", ())}

    def packed(self) -> bytes:
        """Return the sources of all arguments in the form of FileFacts.arguments."""
        return array(
            "I",
            [
                number
                for code, sources in self._by_reference().items()
                if any(sources)
                for number in (code - FIRST_REFERENCE, len(sources), *sources)
            ],
        ).tobytes()

    def _by_reference(self) -> dict[int, list[int]]:
        """Return the receiver code of each called name -> the sources of its arguments."""
        ends = self._receivers.ends
        results: dict[int, list[int]] = {}
        for node in sorted(self._captures.get("called", ()), key=_START):
            code = ends.get(self._receivers.callee(node.start_byte), COMPLEX)
            if code >= FIRST_REFERENCE:
                arguments, named = expressions(node)
                results[code] = [self._argument(argument) for argument in arguments]
                if named is not None:
                    results[code].append(self._variables.typed_source(WRITTEN + NAMED, named))
        for node in sorted(self._captures.get("called.block", ()), key=_START):
            code = ends.get(self._receivers.callee_before(node.start_byte, ends), COMPLEX)
            if code >= FIRST_REFERENCE:
                results.setdefault(code, []).append(self._variables.typed_source(WRITTEN + BLOCK, node))
        return results

    def _argument(self, argument: Node) -> int:
        """Return 1 + the number of the source of an argument; 0 where its type is unknown."""
        start, end = argument.byte_range
        if word := self._written.get((start, end)):
            return self._variables.typed_source(WRITTEN + word, argument)
        if argument.type in _CONVERTING and (type_ := argument.child_by_field_name("type")):
            end = end if argument.type == _ARRAY else type_.end_byte
            text = _INSIDE.sub("[]", uncommented(argument, self._source, type_.start_byte, end).partition("{")[0])
            return self._variables.typed_source(" ".join(text.split()), argument)
        if (start, end) not in self._typed:
            return 0
        code = self._receivers.ends.get(end, COMPLEX)
        if code <= LOCAL and argument.child_count == 0:
            return 0 if self._variables.is_literal(code) else self._variables.source(code, end)
        return self._variables.expression_source(argument)
