"""The notice in answers that were made before the first index was whole: what they cover, and what is not known yet."""

from __future__ import annotations

from typing import Any

import msgspec

from codeagent_protocol.errors import NOT_FOUND
from codeagentd.model.engine_status import Progress
from codeagentd.model.on_demand import Coverage

from .call import Answer
from .tool import Tool


def coverage_notice(coverage: Coverage, progress: Progress) -> str:
    """Return the notice in words: how far the first index is, and which files the answer covers."""
    total = max(progress.total, coverage.files)
    done = progress.done if progress.phase == "extract" else total if progress.phase == "resolve" else 0
    files = f" ({done:,} of {total:,} files)" if total else ""
    words = f"The index is being built{files}. {_covered(coverage)}"
    return words if coverage.is_whole else f"{words}; more may exist: ask again in a moment"


def _covered(coverage: Coverage) -> str:
    names = ", ".join(coverage.names)
    if not coverage.mentioning and coverage.is_whole:
        return f"No file that mentions {names} was found"
    covered = [*coverage.paths, *([_mentioning(coverage, names)] if coverage.mentioning else [])]
    return f"This answer covers {', '.join(covered)}" if covered else "It is not known yet"


def _mentioning(coverage: Coverage, names: str) -> str:
    what = f"that mention {names}" if names else "that have most of its words"
    if coverage.indexed < coverage.mentioning:
        return f"{coverage.indexed:,} of the {coverage.mentioning:,} files {what} so far"
    if coverage.mentioning == 1:
        return f"the file {what.replace('mention ', 'mentions ').replace('have ', 'has ')}"
    return f"the {coverage.mentioning:,} files {what}"


def with_coverage_notice(answer: Answer, tool: Tool, coverage: Coverage, notice: str) -> Answer:
    """Return `answer` with `notice`, where it has room for one. An error that something does not exist says that this
    is not known, unless every file that mentions it was read.
    """
    value = answer.structured
    if answer.code == NOT_FOUND:
        return _with(answer, {"error": _uncertain(value["error"], coverage, notice)})
    if not answer.is_error and "note" in tool.output_schema["properties"]:
        return _with(answer, {"note": _joined(notice, value.get("note", ""))})
    return msgspec.structs.replace(answer, rendered=f"{answer.rendered}\nNote: {notice}") if answer.rendered else answer


def _uncertain(error: Any, coverage: Coverage, notice: str) -> Any:
    if not isinstance(error, dict):
        return _joined(str(error), notice)
    known = {} if coverage.is_whole else {"message": f"not known yet: {error.get('message', '')}"}
    return error | known | {"remedy": _joined(notice, error.get("remedy", ""))}


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def _with(answer: Answer, fields: dict[str, Any]) -> Answer:
    note = f"\nNote: {fields['note']}" if answer.rendered and "note" in fields else ""
    changed = answer.with_value(answer.structured | fields)
    return msgspec.structs.replace(changed, rendered=answer.rendered + note)
