"""Texts that a caller stores: each is redacted, unless its type marks it as not stored verbatim."""

from __future__ import annotations

import functools
import types
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from codeagentd.secrets.redaction import REMOVED, judged, redacted

from .ids import uid_of

NOTE: Final = "what looks like a key or password was replaced by [redacted]"
# Meta.extra of a type whose values only name existing things, or are read and not stored
NOT_KEPT: Final[dict[Any, Any]] = {"kept": False}
DEEPEST: Final = 64  # nested lists and objects: deeper ones are refused elsewhere
NAMED: Final = 200  # characters of a value that can be a password because of its field's name


def is_kept_text(hint: Any) -> bool:
    """Whether values of the type `hint` contain texts that are stored: any type with texts, and types that allow any
    value.
    """
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
    """Return the names of those fields of `struct` that contain stored texts."""
    hints = get_type_hints(struct, include_extras=True)
    return frozenset(name for name in struct.__struct_fields__ if is_kept_text(hints[name]))


def without_secrets(value: Any) -> Any:
    """Return the JSON value `value` with keys and passwords in its texts redacted. In lists and objects a node id
    stays, since it only looks like a key.

    Errors: engine_unavailable, where the scan for secrets fails.
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
    """Return the redacted value of a field; a short value also counts as a secret where the name of the field marks it
    as one.
    """
    clean = _inside(value, depth)
    if (
        isinstance(clean, str)
        and len(clean) <= NAMED
        and REMOVED in judged(f'{name} = "{clean}"').text.removeprefix(name)
    ):
        return REMOVED
    return clean
