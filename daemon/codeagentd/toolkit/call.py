"""The path of one call: its arguments are checked against the tool's signature, the function is called, and its result
or error becomes an answer.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import INTERNAL, CodedError, InvalidParameter, NotFound, TooLarge
from codeagentd.base.limits import GIT_CALL_S
from codeagentd.base.log import EventLog
from codeagentd.base.suggestions import did_you_mean
from codeagentd.model.kept_texts import NOTE, without_secrets
from codeagentd.model.parameters import MAX_TEXT
from codeagentd.vcs import time_budget

from .compact.answers import LISTS, compact, compact_error
from .context import Context
from .schema import Schema
from .token_budget import MAX_TOKENS, ToolOutput, cut, fitting
from .tool import Effect, Tool

# parameters that set the length of an answer
SIZES: Final = ("limit", "max_results", "top_n", "token_budget", "max_tokens")
# the words of the contract pages, and of models, for the same argument: a tool understands all of them
SAME: Final = (
    ("node_id", "symbol", "label", "target", "qualified_name", "symbol_name", "name", "id", "function", "identifier"),
    ("query", "question", "text", "q", "search", "pattern"),
    ("path", "file_path", "file", "filename", "filepath", "directory", "dir"),
    ("files", "paths", "file_paths"),
    ("limit", "max_results", "top_n", "top", "count", "n"),
    ("token_budget", "max_tokens", "budget"),
    ("depth", "max_hops", "hops", "max_depth"),
    ("line_start", "start_line", "from_line", "start", "offset"),
    ("line_end", "end_line", "to_line", "end"),
)
MAX_MESSAGE: Final = 600  # maximum length of an error's message, which may quote the caller's text

_log = EventLog(__name__)
_ITEM: Final = re.compile(r"(\w+)\[(\d+)\]")  # an item of a list, in msgspec's notation of places
_NOUNS: Final = {
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


class Answer(msgspec.Struct, frozen=True):
    """An answer to the client: one JSON object, as a value and as text. `rendered` is the same in words, for tools that
    offer it.
    """

    structured: dict[str, Any]
    text: str
    is_error: bool = False
    code: str = ""  # the error's code, in any form of error
    rendered: str = ""

    def with_value(self, value: dict[str, Any]) -> Answer:
        """Return the answer with another value, which is also its text."""
        return msgspec.structs.replace(self, structured=value, text=ToolOutput(value).text)


def run(tool: Tool, ctx: Context, arguments: object) -> Answer:
    """Call `tool` with these arguments, and return its answer. Never raises: a failure becomes an error answer."""
    try:
        parameters = checked(tool, arguments)
        values = {name: getattr(parameters, name) for name in parameters.__struct_fields__}
        clean = {name: without_secrets(value) if name in tool.stored_texts else value for name, value in values.items()}
        note = NOTE if clean != values else ""
        if tool.is_compact:
            ctx = msgspec.structs.replace(ctx, write=partial(compact, lists={**LISTS, **tool.rows}))
        fit = fitting(
            ctx,
            lambda narrowed: _called(tool, narrowed, clean, note),
            "note" in tool.output_schema["properties"],
            tool.effect is Effect.READ,
            values["token_budget"] if tool.fits_budget else MAX_TOKENS,
        )
        return Answer(fit.value, fit.text, rendered=fit.rendered)
    except CodedError as error:
        return refused(tool, ctx, error)
    except Exception as error:  # noqa: BLE001 - a bug in one tool must not end the session
        return _bug(tool, error, ctx)


def _called(tool: Tool, ctx: Context, values: dict[str, Any], note: str) -> ToolOutput:
    """The output of a tool's function, as a value and in words, with the further `note`. With a smaller `room`, the
    parameters that limit its length are reduced.
    """
    if ctx.room < 1:
        values = values | {
            name: ctx.most(size) for name in SIZES if isinstance(size := values.get(name), int) and size > 1
        }
    with time_budget.at_most(GIT_CALL_S):
        result = tool.function(ctx, **values)
    value: dict[str, Any] = ctx.write(result)
    if note and note not in value.get("note", "") and "note" in tool.output_schema["properties"]:
        value["note"] = "; ".join(filter(None, (note, value.get("note", ""))))
    return ToolOutput(value, tool.render_text(result) if tool.render_text and not tool.is_compact else "")


def refused(tool: Tool, ctx: Context, error: CodedError) -> Answer:
    """Return `error` as an answer of `tool`, in the form of the tool's errors, after the fields that its answers always
    have.
    """
    if tool.is_compact:
        return refusal(error, flat=tool.flat_errors, is_compact=True)
    return refusal(error, _envelope_of(tool, ctx), flat=tool.flat_errors)


def refusal(
    error: CodedError, envelope: dict[str, Any] | None = None, *, flat: bool = False, is_compact: bool = False
) -> Answer:
    """Return `error` as an answer, after the fields of `envelope`, which the tool's answers always have; `flat`: in the
    form of page 004; `is_compact`: candidates are rows.
    """
    if len(error.message) > MAX_MESSAGE:
        error.message = f"{error.message[:MAX_MESSAGE]}…"
    facts: dict[str, Any] = error.as_flat() if flat else {"error": error.as_dict()}
    fit = cut(ToolOutput({**(envelope or {}), **(compact_error(facts) if is_compact else facts)}))
    return Answer(fit.value, fit.text, True, error.code)


def _envelope_of(tool: Tool, ctx: Context) -> dict[str, Any]:
    if tool.envelope is None:
        return {}
    try:
        fields: dict[str, Any] = msgspec.to_builtins(tool.envelope(tool.name, ctx))
    except Exception as error:  # noqa: BLE001 - the fields beside an error must not hide it
        _log.error("an envelope failed", error, tool=tool.name)
        return {}
    return fields


def unknown_tool(name: str, offered: Sequence[str]) -> Answer:
    """Return the answer to a call of a tool `name` that does not exist or that the session does not have. `offered`:
    the names of its tools.
    """
    remedy = (
        f"{did_you_mean(name, offered)} tools/list names those of this session; --toolsets all offers every one"
    ).lstrip()
    return refusal(NotFound(f"Unknown tool: {_printable(name)}", remedy=remedy, parameter="name"))


def checked(tool: Tool, arguments: object) -> msgspec.Struct:
    """Return the arguments as the Struct of the parameters of `tool`.

    Errors: invalid_parameter, too_large; they name the parameter and its valid values.
    """
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise InvalidParameter("arguments must be an object", remedy='pass {"parameter": value}', parameter="arguments")
    properties = tool.input_schema["properties"]
    required = tool.input_schema.get("required", [])
    arguments = _own_names(arguments, properties, required)
    _check_names(arguments, properties, required)
    values = {
        name: _plain(name, value, properties[name])
        for name, value in arguments.items()
        if value is not None or name in required
    }
    try:
        return msgspec.convert(values, tool.parameters)
    except msgspec.ValidationError as error:
        raise _misfit(str(error), properties, values) from None


def _own_names(arguments: Mapping[Any, Any], properties: Schema, required: list[str]) -> dict[str, Any]:
    """The arguments under the tool's own words for them. Errors: invalid_parameter for one that is passed twice."""
    result: dict[str, Any] = {}
    for name, value in arguments.items():
        own = _own_name(str(name), arguments, properties, required)
        if own in result:
            raise InvalidParameter(
                f"{own} is passed twice, also as {_printable(str(name))!r}",
                remedy=f"pass {own} alone",
                parameter=_printable(str(name)),
            )
        result[own] = value
    return result


def _own_name(name: str, arguments: Mapping[Any, Any], properties: Schema, required: list[str]) -> str:
    """The tool's own word for an argument that is named with the word of another tool; `name` for any other."""
    if name in properties:
        return name
    same = next((words for words in SAME if name in words), ())
    own = [word for word in same if word in properties and word not in arguments]
    own = [word for word in own if word in required] or own
    return own[0] if len(own) == 1 else name


def _check_names(arguments: dict[Any, Any], properties: Schema, required: list[str]) -> None:
    for name in arguments:
        if name not in properties:
            raise _unknown_parameter(str(name), properties)
    for name in required:
        if name not in arguments:
            raise InvalidParameter(f"{name} is required", remedy=f"pass {_range(properties[name])}", parameter=name)


def _unknown_parameter(name: str, properties: Schema) -> InvalidParameter:
    remedy = f"{did_you_mean(name, properties)} the parameters are: {', '.join(properties) or 'none'}".lstrip()
    return InvalidParameter(f"unknown parameter {name!r}", remedy=remedy, parameter=_printable(name))


def _plain(name: str, value: Any, schema: Schema) -> Any:
    """The value with JSON's ambiguities removed: 20.0 becomes an integer where one is expected.

    Texts are checked, so that every layer below can use them.
    """
    if isinstance(value, float) and schema.get("type") == "integer" and value.is_integer():
        return int(value)
    for text in value if isinstance(value, list) else (value,):
        if isinstance(text, str):
            _check_text(name, text, schema)
    return value


def _check_text(name: str, text: str, schema: Schema) -> None:
    limit = schema.get("maxLength", MAX_TEXT)
    if len(text) > limit:
        raise TooLarge(
            f"{name} has {len(text)} characters, more than {limit}", remedy="shorten it", parameter=name, limit=limit
        )
    if "\0" in text:
        raise InvalidParameter(f"{name} contains a NUL character", remedy="leave it out", parameter=name)
    if not text.isascii() and text != _printable(text):
        raise InvalidParameter(
            f"{name} is not valid Unicode: it has half of a surrogate pair",
            remedy="send well-formed UTF-8",
            parameter=name,
        )


def _misfit(complaint: str, properties: Schema, values: dict[str, Any]) -> InvalidParameter:
    """The error for msgspec's message ('Expected `int` <= 50 - at `$.limit`'), in the caller's terms."""
    where = complaint.rpartition("`$.")[2].rstrip("`")
    name = where.partition("[")[0]
    if name not in properties:
        return InvalidParameter(complaint, parameter=name)
    item = _ITEM.match(where)
    value, place = (values[name], name) if item is None else (values[name][int(item[2])], item[0])
    return InvalidParameter(
        f"{place} cannot be {_shown(value)}", remedy=f"pass {_range(properties[name])}", parameter=name
    )


def _range(schema: Schema) -> str:
    """The range of a parameter, in words."""
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    words = _NOUNS[schema["type"]]
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        words += f" from {low} to {high}"
    elif low is not None:
        words += f" of at least {low}"
    elif high is not None:
        words += f" of at most {high}"
    if "items" in schema:
        words += " of strings" if schema["items"].get("type") == "string" else ""
        words += f", at most {schema['maxItems']}" if "maxItems" in schema else ""
    if "minLength" in schema:
        words += f" of at least {schema['minLength']} characters"
    return words


def _shown(value: Any) -> str:
    """A value from the caller, shortened for an error text."""
    if isinstance(value, list | dict):
        return f"a list of {len(value)} items" if isinstance(value, list) else "an object"
    text = repr(value) if not isinstance(value, bool | None) else {None: "null", True: "true", False: "false"}[value]
    return text if len(text) <= 60 else f"{text[:57]}…"


def _bug(tool: Tool, error: Exception, ctx: Context) -> Answer:
    """The answer for a bug. Arguments and the error's own text go neither into the answer nor into the log: they may
    contain source text or secrets.
    """
    number = secrets.token_hex(4)
    _log.error("a tool failed", error, tool=tool.name, id=number)
    fault = CodedError(
        f"{tool.name} failed; the log has the details under {number}",
        code=INTERNAL,
        remedy="codeagentd logs",
        id=number,
    )
    return refused(tool, ctx, fault)


def _printable(text: str) -> str:
    return text.encode(errors="replace").decode()
