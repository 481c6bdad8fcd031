"""The requests besides tool calls: resources, prompts, completions, subscriptions and the log level. The fast path and
the SDK use the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from codeagentd.capabilities import completions, prompts, resources
from codeagentd.serve.sessions.session import Session
from codeagentd.serve.tool_calls import META_FRESH, META_INDEX, ToolCalls

from .log_notifications import LogLevels
from .resource_notifications import ResourceNotifier

RESOURCES: Final = "resources/list"
TEMPLATES: Final = "resources/templates/list"
READ: Final = "resources/read"
SUBSCRIBE: Final = "resources/subscribe"
UNSUBSCRIBE: Final = "resources/unsubscribe"
PROMPTS: Final = "prompts/list"
PROMPT: Final = "prompts/get"
COMPLETE: Final = "completion/complete"
LEVEL: Final = "logging/setLevel"

BLOCKING: Final = frozenset({READ, COMPLETE})  # these read the index, so they must not run on the event loop

Json = dict[str, Any]


class _Nothing(msgspec.Struct, frozen=True):
    """The parameters of a request without any."""


class _Uri(msgspec.Struct, frozen=True):
    """The parameters of requests about one resource."""

    uri: str


class _Named(msgspec.Struct, frozen=True):
    """The parameters of prompts/get."""

    name: str
    arguments: dict[str, str] | None = None


class _Argument(msgspec.Struct, frozen=True):
    """The argument that is being completed."""

    name: str
    value: str


class _Unfinished(msgspec.Struct, frozen=True):
    """The parameters of completion/complete."""

    ref: Json
    argument: _Argument
    context: Json | None = None


class _Level(msgspec.Struct, frozen=True):
    """The parameters of logging/setLevel."""

    level: str


SHAPES: Final[dict[str, Any]] = {
    RESOURCES: _Nothing,
    TEMPLATES: _Nothing,
    READ: _Uri,
    SUBSCRIBE: _Uri,
    UNSUBSCRIBE: _Uri,
    PROMPTS: _Nothing,
    PROMPT: _Named,
    COMPLETE: _Unfinished,
    LEVEL: _Level,
}


class RequestOrigin(msgspec.Struct, frozen=True):
    """The origin of a request: the session, the number of its line, and whether an earlier daemon answered it
    already.
    """

    session: Session
    seq: int = 0
    is_replay: bool = False


class Requests:
    """Answers the requests of clients besides tool calls. Those that are not in BLOCKING are answered on the event
    loop.
    """

    def __init__(self, calls: ToolCalls, pushes: ResourceNotifier, messages: LogLevels) -> None:
        self.pushes = pushes
        self._calls = calls
        self._messages = messages
        self._methods: dict[str, Callable[[RequestOrigin, Any, Json], Json]] = {
            RESOURCES: lambda *_: {"resources": resources.listed()},
            TEMPLATES: lambda *_: {"resourceTemplates": resources.templates_listed()},
            READ: self._read,
            SUBSCRIBE: self._subscribe,
            UNSUBSCRIBE: self._unsubscribe,
            PROMPTS: lambda *_: {"prompts": prompts.listed()},
            PROMPT: self._prompt,
            COMPLETE: self._complete,
            LEVEL: self._level,
        }

    def answer(self, origin: RequestOrigin, method: str, params: Json) -> Json:
        """Return the result of the request `method` with `params`, which `is_usual` accepts.

        Errors: CodedError, with the codes of resources, prompts and tools.
        """
        meta = params.get("_meta") or {}
        return self._methods[method](origin, msgspec.convert(params, SHAPES[method]), meta)

    def _read(self, origin: RequestOrigin, params: _Uri, meta: Json) -> Json:
        resources.checked(params.uri)
        session = origin.session
        work = partial(resources.read, uri=params.uri)
        result, watermark = self._calls.consult(
            work, session.identity, origin.seq, window=session.hello.pid, fresh=meta.get(META_FRESH)
        )
        return {**result, "_meta": {META_INDEX: msgspec.to_builtins(watermark)}}

    def _subscribe(self, origin: RequestOrigin, params: _Uri, _meta: Json) -> Json:
        self.pushes.subscribe(origin.session, resources.checked(params.uri), is_owed=origin.is_replay)
        return {}

    def _unsubscribe(self, origin: RequestOrigin, params: _Uri, _meta: Json) -> Json:
        self.pushes.unsubscribe(origin.session, params.uri)
        return {}

    def _prompt(self, origin: RequestOrigin, params: _Named, _meta: Json) -> Json:
        offered = {tool.name for tool in origin.session.selection.tools}
        return prompts.prompt_message(params.name, params.arguments or {}, offered)

    def _complete(self, origin: RequestOrigin, params: _Unfinished, _meta: Json) -> Json:
        context = self._calls.context(origin.session.identity, origin.seq, origin.session.hello.pid)
        return completions.completed(context, params.argument.name, params.argument.value)

    def _level(self, origin: RequestOrigin, params: _Level, _meta: Json) -> Json:
        self._messages.listen(origin.session, params.level)
        return {}


def is_usual(method: str, params: Json) -> bool:
    """Whether this module answers the request `method`: it is known and `params`, apart from _meta, have the usual
    form. Others are left to the SDK.
    """
    shape = SHAPES.get(method)
    if shape is None or not params.keys() <= {*shape.__struct_fields__, "_meta"}:
        return False
    try:
        msgspec.convert(params, shape)
    except msgspec.ValidationError:
        return False
    return True
