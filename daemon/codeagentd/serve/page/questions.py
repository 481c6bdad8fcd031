"""What a view of the page may ask: tools, the index, and the daemon's state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from codeagent_protocol.errors import CodedError, NotFound
from codeagent_protocol.status import Status
from codeagentd.base.limits import GIT_CALL_S
from codeagentd.model.engine_status import Watermark
from codeagentd.serve.call_journal import CallJournal
from codeagentd.serve.http.keys import User
from codeagentd.toolkit.call import checked
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import declared
from codeagentd.vcs import time_budget

from .series import Series

Json = dict[str, Any]


class DaemonView(NamedTuple):
    """The daemon as the page shows it: its status, the calls that it has answered, its memory over time in bytes, and
    the file of its log.
    """

    status: Callable[[], Status]
    journal: CallJournal
    memory: Series
    log: Path


class PageRequest(NamedTuple):
    """One request for a page. `rest` is the part of the path that names something; `query` the parameters."""

    ctx: Context
    daemon: DaemonView
    user: User
    rest: str = ""
    query: Mapping[str, str] = {}

    def tool(self, name: str, **arguments: Any) -> Json:
        """Return the answer of a tool, whole: it has room for people. Errors: those of the tool."""
        tool = declared()[name]
        parameters = checked(tool, arguments)
        values = {field: getattr(parameters, field) for field in parameters.__struct_fields__}
        with time_budget.at_most(GIT_CALL_S):
            answer: Json = msgspec.to_builtins(tool.function(self.ctx, **values))
        return answer

    def maybe(self, name: str, **arguments: Any) -> Json:
        """Return the answer of a tool; where it fails, {"failed": why}."""
        try:
            return self.tool(name, **arguments)
        except CodedError as error:
            return {"failed": error.message}

    def number(self, name: str, default: int, most: int) -> int:
        """Return a whole number of the query, from 1 to `most`; `default` where there is none of these."""
        text = self.query.get(name, "")
        return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) else default


class Shown(NamedTuple):
    """What a view shows: the template, its values, and the title. `status`: of the response."""

    template: str
    title: str
    values: Json
    status: int = 200


class Moved(Exception):
    """Raised by a view whose page is at another address."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


View = Callable[[PageRequest], Shown]


def failure(structured: Json) -> CodedError:
    """Return the error in the answer of a tool, in either form."""
    error = structured.get("error", structured)
    if not isinstance(error, dict):
        return NotFound(str(error), **{name: value for name, value in structured.items() if name != "error"})
    facts = {name: value for name, value in error.items() if name not in ("code", "message", "remedy")}
    return CodedError(
        str(error.get("message", "")),
        code=str(error.get("code", "internal")),
        remedy=str(error.get("remedy", "")),
        **facts,
    )


class Freshness(NamedTuple):
    """How a page says how fresh it is."""

    generation: int
    is_fresh: bool
    text: str

    @classmethod
    def of(cls, mark: Watermark) -> Freshness:
        """Return the freshness of an answer with this watermark."""
        if mark.caught_up:
            return cls(mark.generation, True, "up to date")
        files = f"{mark.pending_files:,} files are" if mark.pending_files != 1 else "1 file is"
        return cls(mark.generation, False, f"{files} not indexed yet")
