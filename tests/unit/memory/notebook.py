"""A caller of the memory and task tools, in the way of the server; every answer must fit the tool's output schema."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import msgspec

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.asking import validate

CATALOGUE = load("codeagentd.tools")
Json = dict[str, Any]


@dataclass
class Notebook:
    """One window: every call has a number of its own, unless it is told to be sent again."""

    ctx: Context
    session: bytes = b"one window"
    window: int = 0
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def send(self, name: str, seq: int, arguments: Json) -> Json:
        """A call under a number; its answer, error or not."""
        ctx = msgspec.structs.replace(self.ctx, session=self.session, seq=seq, window=self.window)
        answer = run(CATALOGUE[name], ctx, arguments)
        assert msgspec.json.decode(answer.text) == answer.structured
        if not answer.is_error:
            validate(name, answer.structured)
        return answer.structured | {"is_error": answer.is_error}

    def ok(self, tool: str, **arguments: Any) -> Json:
        answer = self.send(tool, next(self.numbers), arguments)
        assert not answer.pop("is_error"), answer
        return answer

    def error(self, tool: str, **arguments: Any) -> tuple[str, str]:
        """(code, text) of an error, which has nothing else."""
        answer = self.send(tool, next(self.numbers), arguments)
        assert answer.pop("is_error"), answer
        assert answer.keys() == {"error", "code"}
        return answer["code"], answer["error"]

    def store(self, content: str, **more: Any) -> str:
        """The id of a new memory."""
        return str(self.ok("store", **({"type": "knowledge", "content": content} | more))["id"])

    def hits(self, query: str, **more: Any) -> list[str]:
        """The ids that a search finds, best first."""
        return [hit["id"] for hit in self.ok("search", query=query, **more)["index"]]
