"""Reference kinds: whether a name is called, read, or a type, and the other kinds that the query captures."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Final

from codeagentd.model.kinds import ReferenceKind

from .call_arguments import counted, labelled, with_block
from .parsed_file import ParsedFile
from .receivers import Receivers
from .sigil_names import Spelled

_BLANK: Final = frozenset(b" \t\\")
_ARGUMENTS: Final = re.compile(rb"(?:[ \t]|\\\r?\n)+\(")
_CALL: Final = int(ReferenceKind.CALL)
_READ: Final = int(ReferenceKind.READ)
_TYPE: Final = int(ReferenceKind.TYPE)
_RESOLVED: Final = frozenset({ReferenceKind.OVERRIDE, ReferenceKind.CONSTRUCT})  # @ref.construct captures a call
_SPECIFIC: Final = {f"ref.{kind.name.lower()}": int(kind) for kind in ReferenceKind if kind not in _RESOLVED}


class ReferenceKinds:
    """The kinds of one file's references.

    `called`: the end of each name that is called -> 1 + the number of its arguments, 0 in languages without overloads.
    """

    def __init__(
        self, file: ParsedFile, receivers: Receivers, spelled: Spelled | None, types: Mapping[int, int]
    ) -> None:
        self._source = file.source
        sign = file.language.symbols.call_sign
        self._sign = ord(sign or "\0")
        self._blank = _BLANK if sign else frozenset[int]()
        # the start of a name -> the kind that the query gives to it in particular
        self._specific = {
            node.start_byte: code for capture, code in _SPECIFIC.items() for node in file.captures.get(capture, ())
        } | (spelled.kinds if spelled else {})
        # the start of a name -> the kind of names like it that no call and no region gives another one
        self._default = spelled.defaults() if spelled else dict.fromkeys(types, _TYPE)
        self.called = _called(file, receivers) | (spelled.called(self._specific) if spelled else {})

    def kind(self, start: int, end: int, region: int) -> int:
        """Return the kind of the reference from `start` to `end`. `region` is the kind of all references in its region,
        0 if they are of any kind.
        """
        if specific := self._specific.get(start):
            return specific
        if start not in self._default:
            after = self._source[end]
            if (
                after == self._sign
                or end in self.called
                or (after in self._blank and _ARGUMENTS.match(self._source, end))
            ):
                return _CALL
        return region or self._default.get(start, _READ)


def _called(file: ParsedFile, receivers: Receivers) -> dict[int, int]:
    """Return the called names that the query captures, as ReferenceKinds.called."""
    counts = file.language.symbols.overloads
    argument_count = labelled if file.language.symbols.labels else functools.partial(counted, file.source)
    results = {
        receivers.callee(node.start_byte): argument_count(node) if counts else 0
        for node in file.captures.get("called", ())
    }
    for node in file.captures.get("called.block", ()):  # a function after the arguments, or instead of them
        end = receivers.callee_before(node.start_byte, results)
        results[end] = with_block(results.get(end, 1)) * counts
    for node in file.captures.get("called.piped", ()):  # the first argument stands before a pipe
        results[node.end_byte] = with_block(results.get(node.end_byte, 1)) * counts
    # one argument without parentheses
    results.update({receivers.callee(node.start_byte): 2 * counts for node in file.captures.get("called.one", ())})
    return results
