"""The parameters of tools for people: types, defaults and limits in words, meanings, and an example of a call."""

from __future__ import annotations

import json
import shlex
from typing import Any, Final

from codeagentd.toolkit.tool import Tool

from .console import Paint, count
from .parameter_meanings import MEANINGS, SAMPLES
from .text_wrapping import fitted, wrapped

Json = dict[str, Any]

_BOUNDS: Final = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)
_INDENT: Final = "      "


def described(tool: Tool, paint: Paint, width: int) -> list[str]:
    """Return what `tool` does, each parameter, and an example of a call, as lines of at most `width` columns."""
    schema = tool.input_schema
    properties: dict[str, Json] = schema.get("properties", {})
    required = schema.get("required", ())
    longest = max(map(len, properties), default=0)
    lines = [
        f"{paint(tool.name, 'bold')}  {tool.toolset}, {tool.effect.value}, {count(tool.compact_form.tokens, 'token')}",
        "",
        *wrapped(tool.description, width),
        "",
        "parameters:" if properties else "it takes no parameters",
    ]
    for name, about in properties.items():
        need = "required" if name in required else default(about)
        facts = ", ".join(filter(None, [kind(about), need, limits(about)]))
        lines += fitted(f"  {paint(name, 'bold')}{' ' * (longest - len(name))}  {facts}", width)
        lines += [_INDENT + line for line in wrapped(meaning(tool.name, name, about), width - len(_INDENT))]
    return [*lines, "", "example:", *fitted(f"  {example(tool)}", width)]


def kind(about: Json) -> str:
    """Return the type of a parameter in one or two words; `about` is its schema."""
    if "enum" in about:
        return " | ".join(str(value) for value in about["enum"] if value not in (None, ""))
    if "anyOf" in about:
        return " | ".join(kind(option) for option in about["anyOf"] if option.get("type") != "null")
    if about.get("type") == "array":
        return f"list of {kind(about.get('items', {}))}s"
    type_name = about.get("type", "any")
    return (
        " | ".join(option for option in type_name if option != "null")
        if isinstance(type_name, list)
        else str(type_name)
    )


def default(about: Json) -> str:
    """Return the default of a parameter with the word `default`; '' for none, an empty text and an empty list."""
    return f"default {json.dumps(about['default'])}" if about.get("default") not in (None, "", []) else ""


def limits(about: Json) -> str:
    """Return the bounds of a parameter's value, in words."""
    words = []
    for low, high, unit in _BOUNDS:
        least, most = about.get(low), about.get(high)
        if least is not None and most is not None:
            words.append(f"{least:,} to {most:,}{unit}")
        elif most is not None:
            words.append(f"at most {most:,}{unit}")
        elif least is not None:
            words.append(f"at least {least:,}{unit}")
    return ", ".join(words)


def meaning(tool: str, name: str, about: Json) -> str:
    """Return what the parameter `name` of `tool` means: what its schema says, or else what is known about the name."""
    return about.get("description") or MEANINGS.get(f"{tool} {name}") or MEANINGS.get(name, "")


def example(tool: Tool) -> str:
    """Return a command that calls `tool` with the parameters that it needs."""
    return shlex.join(["codeagentd", "call", tool.name]) + "".join(
        f" {name}={shlex.quote(value if isinstance(value, str) else json.dumps(value))}"
        for name, value in sample(tool).items()
    )


def sample(tool: Tool) -> Json:
    """Return arguments with which `tool` can be called."""
    return {
        name: SAMPLES.get(f"{tool.name} {name}", SAMPLES.get(name)) for name in tool.input_schema.get("required", ())
    }
