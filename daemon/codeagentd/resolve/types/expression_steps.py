"""Steps of an expression, the names and calls between its dots: how each of them is used."""

from __future__ import annotations

from itertools import pairwise

from codeagentd.model.facts import CONSTRUCTING
from codeagentd.resolve.usage import ANY, CALLED, TYPE, VALUE, Usage


def uses_of_steps(steps: list[str]) -> list[Usage]:
    """Return the use of each step's name in an expression, where a type and a value may share it.

    The steps after CONSTRUCTING name a type up to the first call.
    """
    making = steps[:1] == [CONSTRUCTING]
    uses = []
    for step, following in pairwise([*steps[making:], ""]):
        uses.append(ANY if making else CALLED if following == "()" else VALUE)
        making = making and step != "()"
    return uses


def calls_of_steps(steps: list[str]) -> list[Usage]:
    """Return the same where a type may have a property and functions of one name."""
    return [
        CALLED if following == "()" else TYPE if number == 0 else ANY
        for number, (_, following) in enumerate(pairwise([*steps, ""]))
    ]
