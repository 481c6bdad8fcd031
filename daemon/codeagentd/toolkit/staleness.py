"""The notice in answers that changes wait to be indexed. Clients rarely show the watermark to a model, and the symbol
in question may be among the changes.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from codeagent_protocol.errors import NOT_FOUND
from codeagentd.model.engine_status import Watermark

from .call import Answer

_PLAIN: Final = frozenset({"results", "next_cursor", "note"})  # the fields of answers that are only a list


def with_staleness_notice(answer: Answer, mark: Watermark) -> Answer:
    """Return `answer` with the notice that the index was behind, if `mark` says so and it is a list or an error about a
    missing symbol; else unchanged.

    Other answers have a field for that in their envelope.
    """
    if mark.caught_up:
        return answer
    files = (
        f"{mark.pending_files:,} changed file{' is' if mark.pending_files == 1 else 's are'}"
        if mark.pending_files
        else "changes are"
    )
    words = f"{files} not indexed yet: ask again in a moment"
    value = answer.structured
    if answer.code == NOT_FOUND:
        return _with(answer, {"error": _with_remedy(value["error"], words)})
    if not answer.is_error and value.keys() <= _PLAIN and "results" in value:
        return _with(answer, {"note": _joined(words, value.get("note", ""))})
    return msgspec.structs.replace(answer, rendered=f"{answer.rendered}\nNote: {words}") if answer.rendered else answer


def _with_remedy(error: Any, words: str) -> Any:
    if isinstance(error, dict):
        return error | {"remedy": _joined(words, error.get("remedy", ""))}
    return _joined(str(error), words)


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def _with(answer: Answer, fields: dict[str, Any]) -> Answer:
    return answer.with_value(answer.structured | fields)
