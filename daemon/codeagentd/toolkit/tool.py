"""The declaration of a tool: one function, whose signature is the schema and whose docstring is the description. The
decorator sets toolset and effect.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

from codeagentd.model.kept_texts import kept_texts

from . import schema
from .context import Context
from .schema import Schema


class Effect(Enum):
    """The effect that a call of a tool may have."""

    READ = "read"
    WRITE = "write"
    EXEC = "exec"  # the tool runs code of the repository


Envelope = Callable[[str, Context], msgspec.Struct]
TextRenderer = Callable[[Any], str]
RowWriter = Callable[[Any], Any]


class Tool(msgspec.Struct, frozen=True, dict=True):
    """A tool as a value. `parameters` is the Struct of its arguments; `stored_texts` are the names of arguments whose
    texts are stored; `result` is the Struct of its answers; `needs_index`: wait for changes to be indexed before
    calling it.

    `envelope(name, context)` returns the fields that an error answer of the tool has besides the error;
    `render_text(result)` returns the answer in words, for tools that offer it; `flat_errors`: errors have the form of
    page 004. `is_always_loaded`: clients that load tools on demand are asked to have this one from the start.
    `is_compact`: answers have the compact form, in which `rows` has the tool's own writers of lists, by type of item.
    `fits_budget`: lists end where the whole answer reaches the argument `token_budget`.
    """

    name: str
    toolset: str
    effect: Effect
    description: str
    annotations: dict[str, bool]
    function: Callable[..., msgspec.Struct]
    parameters: type[msgspec.Struct]
    result: Any
    stored_texts: frozenset[str] = frozenset()
    needs_index: bool = True
    envelope: Envelope | None = None
    flat_errors: bool = False
    render_text: TextRenderer | None = None
    is_always_loaded: bool = False
    is_compact: bool = False
    rows: Mapping[type, RowWriter] = MappingProxyType({})
    fits_budget: bool = False

    @cached_property
    def input_schema(self) -> Schema:
        """The schema of the arguments. It is made when it is first asked for, since making all takes long."""
        return schema.input_schema(self.parameters)

    @cached_property
    def output_schema(self) -> Schema:
        """The schema of the answers."""
        return schema.output_schema(self.result)

    @cached_property
    def compact_form(self) -> Tool:
        """The tool with compact answers."""
        return msgspec.structs.replace(self, is_compact=True)

    def as_listed(self) -> Schema:
        """Return the entry of the tool in tools/list."""
        listed: Schema = {
            "name": self.name,
            "description": self.description,
            "inputSchema": schema.brief_schema(self.input_schema) if self.is_compact else self.input_schema,
            "outputSchema": COMPACT_SCHEMA if self.is_compact else self.output_schema,
            "annotations": self.annotations,
        }
        return listed | {"_meta": ALWAYS_LOADED} if self.is_always_loaded else listed

    @property
    def tokens(self) -> int:
        """The tokens that listing the tool costs a model, at four characters a token."""
        return -(-len(json.dumps(self.as_listed(), separators=(",", ":"))) // 4)


# code.claude.com/docs/en/mcp: other clients ignore unknown keys in `_meta`
ALWAYS_LOADED: Final = {"anthropic/alwaysLoad": True}

# of compact answers: their rows are texts, which no schema describes
COMPACT_SCHEMA: Final[Schema] = {"type": "object"}

_declared: dict[str, Tool] = {}
_HINTS: Final = {"destructive": "destructiveHint", "idempotent": "idempotentHint", "open_world": "openWorldHint"}

Function = TypeVar("Function", bound=Callable[..., msgspec.Struct])


def tool(
    toolset: str, effect: Effect = Effect.READ, *, name: str | None = None, needs_index: bool = True,
    envelope: Envelope | None = None, flat_errors: bool = False, render_text: TextRenderer | None = None,
    always_loaded: bool = False, rows: Mapping[type, RowWriter] = MappingProxyType({}), fits_budget: bool = False,
    **hints: bool,
) -> Callable[[Function], Function]:  # fmt: skip
    """Declare a function `(ctx, parameter: type = default, …) -> Struct` as a tool: importing its module puts it into
    the catalogue.

    `hints` (destructive, idempotent, open_world) override the hints that follow from the effect.
    """

    def declare(function: Function) -> Function:
        declared_tool = tool_of(
            function, toolset, effect, name=name, needs_index=needs_index, envelope=envelope, flat_errors=flat_errors,
            render_text=render_text, always_loaded=always_loaded, rows=rows, fits_budget=fits_budget, **hints,
        )  # fmt: skip
        if declared_tool.name in _declared:
            raise ValueError(f"two tools are called {declared_tool.name}")
        _declared[declared_tool.name] = declared_tool
        return function

    return declare


def declared() -> dict[str, Tool]:
    """Return every tool whose module has been imported, by name."""
    return dict(_declared)


def tool_of(
    function: Callable[..., msgspec.Struct],
    toolset: str,
    effect: Effect = Effect.READ,
    *,
    name: str | None = None,
    needs_index: bool = True,
    envelope: Envelope | None = None,
    flat_errors: bool = False,
    render_text: TextRenderer | None = None,
    always_loaded: bool = False,
    rows: Mapping[type, RowWriter] = MappingProxyType({}),
    fits_budget: bool = False,
    **hints: bool,
) -> Tool:
    """Return `function` as a tool, without adding it to the catalogue; the options are those of `tool`."""
    name = name or function.__name__
    types = get_type_hints(function, include_extras=True)
    parameters = _parameters_of(function, types, name)
    return Tool(
        name=name,
        toolset=toolset,
        effect=effect,
        description=_description_of(function),
        annotations=_annotations_of(effect) | {_HINTS[hint]: value for hint, value in hints.items()},
        function=function,
        parameters=parameters,
        stored_texts=kept_texts(parameters) if effect is Effect.WRITE else frozenset(),
        result=types["return"],
        needs_index=needs_index,
        envelope=envelope,
        flat_errors=flat_errors,
        render_text=render_text,
        is_always_loaded=always_loaded,
        rows=rows,
        fits_budget=fits_budget,
    )


def _parameters_of(function: Callable[..., msgspec.Struct], types: dict[str, Any], name: str) -> type[msgspec.Struct]:
    fields: list[Any] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        required = parameter.default is inspect.Parameter.empty
        fields.append(
            (parameter.name, types[parameter.name])
            if required
            else (parameter.name, types[parameter.name], parameter.default)
        )
    return msgspec.defstruct(f"{name}_parameters", fields, frozen=True, forbid_unknown_fields=True)


def _description_of(function: Callable[..., msgspec.Struct]) -> str:
    """The docstring's first paragraph: the rest (Returns, Errors, Source) is for readers of the code."""
    text = inspect.getdoc(function)
    if not text:
        raise ValueError(f"tool {function.__name__} has no docstring")
    return " ".join(text.split("\n\n")[0].split())


def _annotations_of(effect: Effect) -> dict[str, bool]:
    """The MCP hints that follow from an effect."""
    return {
        "readOnlyHint": effect is Effect.READ,
        "destructiveHint": effect is Effect.EXEC,
        "idempotentHint": effect is not Effect.EXEC,
        "openWorldHint": False,
    }
