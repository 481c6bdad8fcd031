"""Types of the local variables of one file, by their entries in FileFacts.sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeagentd.languages.language import languages
from codeagentd.model.facts import (
    CALLBACK_PARAMETER,
    DECLARED,
    ELEMENT,
    ENTERED,
    EXPECTED,
    EXPECTED_ARGUMENT,
    FIRST_REFERENCE,
    INJECTED,
    NARROWED,
    PARAMETER,
    PART,
    SECOND,
    THROUGH_CALL,
    FileFacts,
    ValueSource,
)
from codeagentd.model.facts import VALUE as VALUE_MADE
from codeagentd.resolve.types.contextual_typing import callback_parameter_type, contextual
from codeagentd.resolve.types.destructuring import part
from codeagentd.resolve.types.expected_type import expected
from codeagentd.resolve.types.narrowing import instance_of, narrowed
from codeagentd.resolve.types.pytest_fixtures import injected

from .enclosing_types import EnclosingTypes
from .interface import NameLookup, ReferenceTargets
from .packed_references import Receiver, reference_at
from .targets import EXTERNAL, Target


class LocalTypes:
    """The types of one file's local variables.

    Every method gets `targets`, the targets of the file's references. These depend on the types, and the types on them.
    This object does not hold them, since their owner holds this object, and workers do not collect reference cycles.
    """

    def __init__(
        self,
        names: NameLookup,
        facts: FileFacts,
        ids: Sequence[int],
        enclosing: EnclosingTypes,
        call_arguments: Mapping[int, Sequence[int]],
    ) -> None:
        self._names = names
        self._world = names.world
        self._values = names.values
        self._facts = facts
        self._ids = ids
        self._enclosing = enclosing
        self._call_arguments = call_arguments
        self._platform = bool(languages()[facts.language].types.vague)
        self._known: dict[int, Target | None] = {}

    def type_of(self, targets: ReferenceTargets, source: int, binding: int) -> Target | None:
        """Infer the type of a local variable in the symbol with the index `source`. `binding` is 1 + its index in
        FileFacts.sources; 0 gives None.
        """
        if not binding:
            return None
        if binding not in self._known:
            self._known[binding] = None  # a cycle has no answer
            self._known[binding] = self._type_of_source(targets, source, self._facts.sources[binding - 1])
        return self._known[binding]

    def _type_of_source(self, targets: ReferenceTargets, source: int, value_source: ValueSource) -> Target | None:
        if value_source.how == NARROWED:
            tested_type = (
                instance_of(self._names, targets.receiver_target(source, Receiver(value_source.flags)))
                if value_source.flags >= FIRST_REFERENCE
                else None
            )
            tested_type = tested_type or self._declared(source, value_source.receiver)
            return narrowed(
                self._names,
                tested_type.inferred() if tested_type and value_source.many else tested_type,
                self.type_of(targets, source, value_source.binding),
            )
        if value_source.how == DECLARED:
            return self._declared(source, value_source.receiver)
        if value_source.how == INJECTED:
            return injected(
                self._names, self._world.symbol(self._ids[source]), self._facts.texts[value_source.receiver]
            )
        if value_source.how == CALLBACK_PARAMETER:
            return self._callback_parameter_type(targets, source, value_source)
        if value_source.how == EXPECTED:
            return contextual(
                self._names,
                self._world.symbol(self._ids[source]),
                self._facts.texts[value_source.receiver],
                *self._parameter(value_source.flags),
            )
        if value_source.how == PART:
            return part(
                self._names, targets.receiver_target(source, Receiver(value_source.receiver)), value_source.flags
            )
        if value_source.how == EXPECTED_ARGUMENT:
            label = self._facts.names[value_source.flags - 1] if value_source.flags else ""
            return expected(
                self._names,
                targets.receiver_target(source, Receiver(value_source.receiver)),
                value_source.binding,
                label,
            )
        flags = value_source.flags if value_source.how != SECOND else value_source.flags & ~THROUGH_CALL
        result = targets.receiver_target(source, Receiver(value_source.receiver, value_source.binding, flags))
        if result is not None:
            result = self._values.second(result) if value_source.how == SECOND else self._values.type_of_target(result)
        if result is not None and value_source.how == ELEMENT:
            result = self._values.iteration_type(result)
        elif result is not None and value_source.how == ENTERED:
            result = self._values.context_manager_type(result)
        return result.inferred() if result is not None and value_source.many else result

    def _callback_parameter_type(
        self, targets: ReferenceTargets, source: int, value_source: ValueSource
    ) -> Target | None:
        """The type that a call passes to a parameter of a callback."""
        callee = (
            targets.target_of(value_source.receiver - FIRST_REFERENCE)
            if value_source.receiver >= FIRST_REFERENCE
            else None
        )
        arguments = self._call_arguments.get(value_source.receiver - FIRST_REFERENCE, ())
        place = (value_source.binding, *self._parameter(value_source.flags))
        return callback_parameter_type(
            self._names,
            callee,
            place,
            lambda number: (
                self._argument(targets, source, arguments[number])
                if number < len(arguments) and arguments[number]
                else None
            ),
        )

    def _argument(self, targets: ReferenceTargets, source: int, number: int) -> Target | None:
        """The value of an argument of a call, by its place in FileFacts.sources plus 1; `Shelf.self` is the type."""
        value_source = self._facts.sources[number - 1]
        if value_source.how == VALUE_MADE and value_source.receiver >= FIRST_REFERENCE and not value_source.flags:
            reference = reference_at(self._facts, value_source.receiver - FIRST_REFERENCE)
            if (
                reference.receiver >= FIRST_REFERENCE
                and self._facts.names[reference.name] in languages()[self._facts.language].receivers.self_words
            ):
                return targets.receiver_target(source, Receiver(reference.receiver, reference.binding, reference.flags))
        return self.type_of(targets, source, number)

    def _parameter(self, flags: int) -> tuple[int, str]:
        """The number of a parameter, and the label or keys of the function that it belongs to."""
        text = flags >> PARAMETER
        return flags & (1 << PARAMETER) - 1, self._facts.texts[text - 1] if text else ""

    def _declared(self, source: int, text: int) -> Target | None:
        type_text, place = self._facts.texts[text], self._world.symbol(self._ids[source])
        result = self._values.type_of_annotation(place, type_text, self._enclosing.type_of(source))
        return (
            EXTERNAL if result is None and self._platform and self._values.is_of_platform(place, type_text) else result
        )
