"""The lessons of an attempt: what failed, the cause, the next step, and the lesson to remember, in sentences made only
from the output and the index.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from codeagentd.memory.memory_store import Code
from codeagentd.model.reflection import Lesson

from .failure_kinds import kind_of
from .failure_locations import Traced, definitions
from .failures import MESSAGE

NAMED: Final = 3  # further failures that are named

_UNKNOWN: Final = Lesson(
    "",
    "not known: the feedback has no error and no place that a parser knows",
    "run the failing command again and hand over its whole output, with the paths and line numbers",
    "Keep the output of what failed: only what it names can be compared with later attempts",
)


def lesson(code: Code, failures: Sequence[Traced], feedback: str, approach: str) -> Lesson:
    """Return the lesson of an attempt with `approach` that failed: of its failures or, without any, of `feedback`."""
    if not failures:
        return Lesson(
            _first_line(feedback) or "the feedback says nothing",
            _UNKNOWN.root_cause,
            _UNKNOWN.what_to_try_next,
            _UNKNOWN.general_lesson,
        )
    main = [failures[0], *_causes(failures)][-1]  # the original failure
    fact, where = main.fact, _where(main)
    kind, name = kind_of(fact.error, fact.message)
    words = {"name": f"`{name}`" if name else "a name", "where": where, "message": fact.message or fact.error}
    if kind is None:
        return Lesson(
            _wrong(failures),
            f"{where} fails with {_described(main)}",
            f"begin at {where}{_reached(main)}",
            f"Look at {where} first when {_described(main)} comes up again",
        )
    cause = kind.cause.format(**words)
    if kind.wants_definition and name:
        cause += f"; {_defined(code, name)}"
    tried = f"; not again: {approach.strip()[:MESSAGE]}" if approach.strip() else ""
    return Lesson(
        _wrong(failures),
        f"{cause}{_reached(main)}",
        f"{kind.next.format(**words)}; begin at {where}{tried}",
        f"{kind.lesson} ({_described(main)})",
    )


def unknown(feedback: str) -> Lesson:
    """Return the lesson of an attempt whose outcome `feedback` does not show."""
    first_line = _first_line(feedback)
    return Lesson(
        f"not known whether anything did; the feedback says: {first_line}"
        if first_line
        else "not known whether anything did: the feedback is empty",
        "not known",
        "find out how it ended (run the tests, or read the exit code) and hand over that output",
        "An attempt teaches something once it is known how it ended",
    )


def success(approach: str) -> Lesson:
    """Return the lesson of an attempt with `approach` that succeeded."""
    how = approach.strip()[:MESSAGE]
    return Lesson(
        "nothing: the feedback reports no failure",
        "none",
        "nothing; keep it",
        f"This worked: {how}" if how else "The approach was not told",
    )


def _first_line(feedback: str) -> str:
    return next((line.strip() for line in feedback.splitlines() if line.strip()), "")[:MESSAGE]


def _causes(failures: Sequence[Traced]) -> list[Traced]:
    """The causes of the first failure, from its chain of exceptions; the last is the original one."""
    return list(itertools.takewhile(lambda failure: failure.fact.is_cause, failures[1:]))


def _wrong(failures: Sequence[Traced]) -> str:
    main, causes = failures[0], _causes(failures)
    fact, rest = main.fact, failures[1 + len(causes) :]
    subject = f"test {fact.test} failed" if fact.test else f"{fact.tool or 'the program'} reports an error"
    more = f"; and {len(rest)} more: {', '.join(dict.fromkeys(map(_short, rest[:NAMED])))}" if rest else ""
    chain = "".join(f", caused by {_described(cause)} at {_where(cause)}" for cause in causes[:NAMED])
    return f"{subject} at {_where(main)}: {_described(main)}{chain}{more}"


def _described(failure: Traced) -> str:
    return ": ".join(filter(None, (failure.fact.error, failure.fact.message))) or "no message"


def _short(failure: Traced) -> str:
    return failure.fact.test or f"{failure.fact.error or failure.fact.message[:60]} at {_where(failure)}"


def _where(failure: Traced) -> str:
    if failure.cause:
        return failure.cause.text
    place = failure.fact.places[0] if failure.fact.places else None
    return f"{place.file}:{place.line}" if place else "a place that is not told"


def _reached(failure: Traced) -> str:
    """The caller of the innermost place, if it is another definition; else ''."""
    own = failure.cause.symbol if failure.cause else ""
    others = [spot.symbol for spot in failure.spots if spot.symbol and spot.symbol != own]
    return f", reached from {others[0]}" if others else ""


def _defined(code: Code, name: str) -> str:
    spots = definitions(code, name)
    if not spots:
        return f"the index has no definition of `{name}`"
    return f"the index has {', '.join(spot.text for spot in spots)}"
