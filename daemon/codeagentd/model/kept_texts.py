"""Texts that a caller stores: each is redacted, unless its type says that it is not kept as it is."""

from __future__ import annotations

import functools
import types
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from codeagentd.secrets.redaction import REMOVED, judged, redacted

from .ids import uid_of

NOTE: Final = "what looks like a key or password was replaced by [redacted]"
# Meta.extra of a type whose values only name what is there already, or are read and not kept
NOT_KEPT: Final[dict[Any, Any]] = {"kept": False}
DEEPEST: Final = 64  # lists and objects in each other: what takes more is refused anyway
NAMED: Final = 200  # characters of a value that its name may call a password


def is_kept_text(hint: Any) -> bool:
    """Whether a value of this type holds texts that are kept: any type of texts does, and one that may be anything."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return not any(
            isinstance(argument, Meta) and (argument.extra or {}).get("kept") is False for argument in arguments[1:]
        ) and is_kept_text(arguments[0])
    if origin is Literal:
        return False
    if origin in (list, dict, tuple, Union, types.UnionType):
        return any(map(is_kept_text, arguments))
    return hint in (str, Any)


@functools.cache
def kept_texts(struct: type[msgspec.Struct]) -> frozenset[str]:
    """The fields of a struct that hold such texts."""
    hints = get_type_hints(struct, include_extras=True)
    return frozenset(name for name in struct.__struct_fields__ if is_kept_text(hints[name]))


def without_secrets(value: Any) -> Any:
    """A JSON value whose texts have no keys or passwords; inside of lists and objects a node id stays, which only looks
    like one.

    Errors: engine_unavailable, where that cannot be told.
    """
    return redacted(value) if isinstance(value, str) else _inside(value, 1)


def _inside(value: Any, depth: int) -> Any:
    if depth > DEEPEST:
        return REMOVED
    if isinstance(value, str):
        return value if uid_of(value) else redacted(value)
    if isinstance(value, list):
        return [_inside(item, depth + 1) for item in value]
    return (
        {redacted(name): _named(name, item, depth + 1) for name, item in value.items()}
        if isinstance(value, dict)
        else value
    )


def _named(name: str, value: Any, depth: int) -> Any:
    """The value of a field; of a short one, also what only its name gives away."""
    clean = _inside(value, depth)
    if (
        isinstance(clean, str)
        and len(clean) <= NAMED
        and REMOVED in judged(f'{name} = "{clean}"').text.removeprefix(name)
    ):
        return REMOVED
    return clean
