"""The reference collector: the hot loop of extraction, which visits each name of a file once.

Most identifiers of a file are local variables; they are dropped here, so that only references to symbols remain.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Final

from codeagentd.extract.scopes import LOCAL
from codeagentd.model.facts import (
    ARGUMENTS,
    BUILT_IN_RECEIVER,
    CLASS,
    COLUMNS,
    COMPLEX,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    PLAIN,
    SELF,
    THROUGH_CALL,
    ValueSource,
)
from codeagentd.model.kinds import ReferenceKind

from .argument_sources import ArgumentSources
from .bare_names import BareNames
from .identifier_spans import IdentifierSpans
from .member_operators import NO_RECEIVER
from .operations import Operations
from .parsed_file import NameBindings, ParsedFile
from .receiver_positions import ReceiverPositions
from .receivers import Receivers, codes_of
from .reference_kinds import ReferenceKinds
from .scope_cursor import SKIP, ScopeCursor
from .sigil_names import Spelled
from .value_receivers import ValueReceivers

_CALL: Final = int(ReferenceKind.CALL)


class ReferenceCollector:
    """Collects the references of one file into packed columns (see model.facts).

    Each step has a class of its own: IdentifierSpans finds the names, ReceiverPositions the ends of their receivers,
    Receivers the receiver codes. BareNames finds the bindings of names without receivers, and ReferenceKinds the kinds
    of all references. `positions`, `identifiers`, `ends` and `kinds` serve LocalVariables too.
    """

    def __init__(self, file: ParsedFile, bindings: NameBindings) -> None:
        source, captures, language = file.source, file.captures, file.language
        self._file = file
        self._bindings = bindings
        self._receivers = Receivers(file, bindings.variables)
        self.positions = ReceiverPositions(file, self._receivers)
        self._spelled = Spelled(source, captures, language.symbols) if Spelled.is_needed(language.symbols) else None
        self.identifiers = IdentifierSpans(file, self._spelled)
        self._attributes = codes_of(language.types.attributes, BUILT_IN_RECEIVER) | codes_of(
            language.types.type_attributes, CLASS
        )
        # a name that is added is a base of a definition here
        self.names = {name.encode(): number for number, name in enumerate(language.symbols.further_bases)}
        self.numbers: list[int] = []
        self.ends = self._receivers.ends  # end of a name -> its receiver code
        self.kinds = ReferenceKinds(file, self._receivers, self._spelled, self.identifiers.types)
        self._values = ValueReceivers(file, self._receivers, self.names)
        self._operations = Operations(file, self._receivers, self._values)

    def collect(self) -> None:
        """Visit every name once, in document order, and collect its reference."""
        file, bindings, receivers, positions, kinds = (
            self._file,
            self._bindings,
            self._receivers,
            self.positions,
            self.kinds,
        )
        bound_of = BareNames(file, bindings.since, kinds.called).bound
        cursor = ScopeCursor(bindings.tree, file.captures, len(file.source), file.language.symbols)
        destructured = bindings.variables.destructured
        skip = bindings.skip.difference([start for start, _ in destructured])
        # local variables, which are faster to read in the loop
        source, types, looks_further = file.source, self.identifiers.types, bindings.looks_further
        ends, words, built_ins, receiver_of = receivers.ends, receivers.words, receivers.built_in, receivers.receiver
        marks, odd, dot, apart = positions.marks, positions.irregular, positions.dot, positions.apart
        end_of_receiver, kind_of, called = positions.receiver_end, kinds.kind, kinds.called
        names, numbers, starts, column = self.names, self.numbers, file.places.starts, file.places.column
        is_ascii, attributes = file.places.is_ascii, self._attributes
        built_in = bool(file.language.types.built_in)  # members of built-in names are no references then
        operating, operations, sign = self._operations.built_in, self._operations.by_name, self._operations.sign
        following, line, lines, edge = FIRST_REFERENCE, 0, len(starts), 0
        for start, end in self.identifiers.spans(positions, destructured):
            if start in skip:
                continue
            if edge <= start:
                visible, visible_types, symbol, region, edge = cursor.stretch(start)
            if region == SKIP:
                continue
            name = source[start:end]
            receiver_end = NO_RECEIVER
            if source[start - 1] == dot and source[start - 2] not in apart and start not in odd:
                receiver_end = start - 1
            elif source[start - 1] == dot or start in odd:
                receiver_end = end_of_receiver(start, end)
            if receiver_end != NO_RECEIVER:
                receiver, binding, flags = ends.get(receiver_end), FREE, marks.get(start, 0)
                if receiver is None or receiver <= LOCAL:
                    receiver, binding, flags = receiver_of(receiver_end, flags)
                if name in attributes or (
                    receiver == BUILT_IN_RECEIVER
                    and (built_in or (receiver_end not in ends and not flags & THROUGH_CALL))
                ):
                    ends[end] = self._code_of_attribute((start, end, symbol, name), receiver)
                    continue
            else:
                bound = bound_of(start, end, name, visible_types if start in types else visible)
                if bound is None and looks_further and name not in words:
                    bound = FREE - FIRST_BOUND
                elif bound is None or bound <= LOCAL:
                    ends[end] = code = words.get(name) or bound or built_ins.get(name, COMPLEX)
                    if source[end] == sign and (code <= LOCAL or name in operating or code == CLASS):
                        operations.append((start, end, symbol, name))
                    continue
                receiver, binding, flags = PLAIN, FIRST_BOUND + bound, marks.get(start, 0)
            while line < lines and starts[line] <= start:
                line += 1
            ends[end], following = following, following + 1
            kind = kind_of(start, end, region)
            numbers += (
                names.setdefault(name, len(names)), kind, line,
                start - starts[line - 1] if is_ascii else column(start, line), symbol, binding, receiver,
                flags | called.get(end, 0) << ARGUMENTS if kind == _CALL else flags,
            )  # fmt: skip

    def rename(self, names: Mapping[int, bytes]) -> None:
        """Give the references that begin at the keys of `names` these names. It is called after `collect`."""
        places, numbers = self._file.places, self.numbers
        lines = {start: places.line(start) for start in names}
        by_place = {(line, places.column(start, line)): names[start] for start, line in lines.items()}
        for at in range(0, len(numbers), COLUMNS):
            if name := by_place.get((numbers[at + 2], numbers[at + 3])):
                numbers[at] = self.names.setdefault(name, len(self.names))

    def _code_of_attribute(self, attribute: tuple[int, int, int, bytes], receiver: int) -> int:
        """Return the receiver code for members of a member that no file defines: an object of the language, or an
        attribute that every object has. `attribute`: its start, end, symbol and name.
        """
        _, end, _, name = attribute
        if self._attributes.get(name) == CLASS:
            if receiver == SELF and self._file.source[end] == self._operations.sign:
                self._operations.by_name.append(attribute)  # self.__class__()
            return CLASS if receiver == SELF else COMPLEX
        return self._attributes.get(name, COMPLEX)

    def call_arguments(self) -> bytes:
        """Return the sources of the arguments of calls, as FileFacts.arguments. It is called after `collect`."""
        return ArgumentSources(self._file, self._receivers).packed()

    def operations(self) -> tuple[list[str], bytes]:
        """Return (operation words, packed operations) as FileFacts has them. It is called after `collect`."""
        return self._operations.packed(self._bindings, self.numbers)

    def sources(self) -> tuple[list[ValueSource], list[str]]:
        """Return (the sources of the local variables that references depend on, the texts of declared types)."""
        return self._values.sources()

    def columns(self) -> tuple[bool, bytes]:
        """Return (whether the numbers need 4 bytes each, the packed numbers)."""
        try:
            return False, array("H", self.numbers).tobytes()
        except OverflowError:
            return True, array("I", self.numbers).tobytes()
