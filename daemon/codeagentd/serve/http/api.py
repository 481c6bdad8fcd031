"""The routes for clients without MCP: five questions under /api, answered by the functions of the tools, and an OpenAPI
document that describes them (page 002).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, NamedTuple

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from codeagent_protocol.errors import NOT_FOUND, CodedError, InvalidParameter
from codeagent_protocol.version import __version__
from codeagentd.base.log import EventLog
from codeagentd.capabilities.resources import tool_text
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolCalls

from .keys import Keys
from .middleware import KEYS, NOTES, error_response, refusal

GODS: Final = 10
BUDGET: Final = 1_200  # tokens, page 002
MAX_NUMBER: Final = 1_000_000
MAX_TEXT: Final = 10_000  # characters of a question or label

_log = EventLog(__name__)
Json = dict[str, Any]


class Parameter(NamedTuple):
    """Parameter of a route, in the query or (a label) in the path. A parameter with a default is a whole number
    from 0.
    """

    name: str
    place: str
    is_required: bool
    default: int | None = None

    @property
    def document(self) -> Json:
        """The OpenAPI description of the parameter."""
        schema: Json = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT, "pattern": "^[^\\u0000]*$"}
        if self.default is not None:
            schema = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER, "default": self.default}
        return {"name": self.name, "in": self.place, "required": self.is_required, "schema": schema}


class _Label(PathConvertor):
    """A label in a path. It may contain slashes and line breaks, which starlette's own path parameters exclude."""

    name = "label"
    regex = "[\\s\\S]*"


class Target(PathConvertor):
    """The name of a repository in a path, with a revision or without one; both may contain slashes. It is the shortest
    that fits.
    """

    name = "target"
    regex = "[^\\x00]+?"


TARGET: Final = "target"  # the parameter with such a name

register_url_convertor(_Label.name, _Label())
register_url_convertor(Target.name, Target())


class Question(NamedTuple):
    """One route: the tool that answers, and the mapping of the request's parameters to the tool's."""

    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    ask: Callable[[Json], tuple[str, Json]]


QUESTIONS: Final = (
    Question("/api/stats", "Nodes, edges and communities", (), lambda parameters: ("graph_stats", {})),
    Question(
        "/api/god-nodes", "The most connected symbols", (Parameter("top_n", "query", False, GODS),),
        lambda parameters: ("god_nodes", parameters),
    ),
    Question(
        "/api/node/{label}", "One node", (Parameter("label", "path", True),),
        lambda parameters: ("get_node", parameters),
    ),
    Question(
        "/api/query", "The part of the graph that answers a question",
        (Parameter("q", "query", True), Parameter("token_budget", "query", False, BUDGET)),
        lambda parameters: ("query_graph", {"question": parameters["q"], "token_budget": parameters["token_budget"]}),
    ),
    Question(
        "/api/repos", "The repositories of a workspace, or one of them", (Parameter("repo", "query", False),),
        lambda parameters: ("repo_stats", parameters) if "repo" in parameters else ("list_repos", {}),
    ),
)  # fmt: skip


CallsOf = Callable[[Request], Awaitable[ToolCalls]]


def routes(calls_of: CallsOf, pool: ThreadPool, prefix: str = "", summary: str = "") -> list[Route]:
    """Return the routes of the questions below the path `prefix`, and that of their OpenAPI document.

    `calls_of` returns what answers a request; `summary` describes the part of the path that the prefix leaves open.
    """
    api_routes = [
        Route(
            prefix + question.path.replace("{label}", f"{{label:{_Label.name}}}"),
            partial(_handle, question, calls_of, pool),
            methods=["GET"],
        )
        for question in QUESTIONS
    ]

    async def answer_document(request: Request) -> Response:
        keys: Keys = request.scope["state"][KEYS]
        return JSONResponse(document(prefix, summary, needs_key=keys.user_of(("",)) is None))

    return [*api_routes, Route("/openapi.json", answer_document, methods=["GET"])]


async def _handle(question: Question, calls_of: CallsOf, pool: ThreadPool, request: Request) -> Response:
    request.scope["state"][NOTES]["tool"] = question.path
    try:
        calls = await calls_of(request)
    except CodedError as error:
        return error_response(error)
    try:
        name, arguments = question.ask(
            {
                parameter.name: value
                for parameter in question.parameters
                if (value := _parameter_value(parameter, request)) is not None
            }
        )
        work = partial(calls.consult, lambda ctx: tool_text(ctx, name, **arguments), b"", 0)
        text, _ = await pool.run(work)
    except CodedError as error:
        return error_response(error, 400 if error.code == NOT_FOUND else 0)
    except Exception as error:  # noqa: BLE001 - whatever it is, its words are not for the network
        _log.error("a question over HTTP failed", error, path=question.path)
        return refusal(500, "internal", "the question failed")
    return JSONResponse({"text": text})


def _parameter_value(parameter: Parameter, request: Request) -> str | int | None:
    if len(request.query_params.getlist(parameter.name)) > 1:
        raise InvalidParameter(f"{parameter.name} is there more than once", parameter=parameter.name)
    source = request.path_params if parameter.place == "path" else request.query_params
    value: str | None = source.get(parameter.name)
    if parameter.default is not None:
        return parameter.default if value is None else _number(parameter.name, value)
    if value is None and not parameter.is_required:
        return None
    if not value or len(value) > MAX_TEXT or "\0" in value:
        raise InvalidParameter(f"{parameter.name} has to have 1 to {MAX_TEXT} characters", parameter=parameter.name)
    return value


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(MAX_NUMBER)) and int(value) <= MAX_NUMBER):
        raise InvalidParameter(f"{name} has to be a whole number up to {MAX_NUMBER}", parameter=name)
    return int(value)


def document(prefix: str, summary: str, *, needs_key: bool) -> Json:
    """Return the OpenAPI document of the routes below `prefix`, whose open part `summary` describes."""
    target = [{"name": TARGET, "in": "path", "required": True, "description": summary, "schema": {"type": "string"}}]
    shown = prefix.replace(f":{Target.name}", "")
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    fault = {"type": "object", "properties": {"error": {"type": "object"}}, "required": ["error"]}
    refusals = {
        "400": "a parameter does not fit",
        "403": "the host or origin",
        "413": "the body",
        "429": "the rate",
        "503": "not ready",
    }
    refusals |= {"401": "the key"} if needs_key else {}
    refusals |= {"404": "there is no such repository or revision"} if prefix else {}
    responses = {"200": _response("the answer in words", text)} | {
        status: _response(what, fault) for status, what in refusals.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "codeagentd", "version": __version__},
        "paths": {
            shown + question.path: {
                "get": {
                    "summary": question.summary,
                    "parameters": [*(target if prefix else []), *(item.document for item in question.parameters)],
                    "responses": responses,
                }
            }
            for question in QUESTIONS
        },
    } | (_SECURITY if needs_key else {})


_SECURITY: Final[Json] = {
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
    },
    "security": [{"key": []}, {"bearer": []}],
}


def _response(description: str, schema: Json) -> Json:
    return {"description": description, "content": {"application/json": {"schema": schema}}}
