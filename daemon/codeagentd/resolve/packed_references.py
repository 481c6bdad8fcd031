"""The packed references of a file's facts, with names for their columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap

import msgspec

from codeagentd.model.facts import FREE, FileFacts


class Receiver(msgspec.Struct, frozen=True, gc=False):
    """The receiver of a member: `at` is a reference of the file, a local variable or a word such as `self`, as
    model.facts numbers them.
    """

    at: int
    binding: int = FREE
    flags: int = 0


class Reference(msgspec.Struct, frozen=True, gc=False):
    """One reference of a file, with the columns that model.facts describes."""

    name: int  # its index among the names
    kind: int
    line: int
    col: int
    source: int  # the index of the symbol that contains it
    binding: int
    receiver: int
    flags: int


def references_of(facts: FileFacts) -> Iterator[Reference]:
    """List the references of the file with these `facts`, in their order."""
    return starmap(Reference, facts.rows())


def reference_at(facts: FileFacts, index: int) -> Reference:
    """Return the reference number `index` of the file with these `facts`."""
    return Reference(*facts.row(index))
