"""JSON schemas of signatures, in a form that every model provider accepts.

Some providers refuse a whole tool list because of a `$ref`, `anyOf`, `oneOf` or `allOf` at a root: these schemas
contain none of them.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

Schema = dict[str, Any]

DETAILED_LISTS: Final = 2  # depth of nested lists up to which items are described

LISTED_VALUES: Final = 8  # values of a parameter that a brief schema lists

_LIMITS: Final = frozenset({"minimum", "maximum", "minLength", "maxLength", "maxItems"})
_LEFT_OUT: Final = ("title", "default", "description", "required")


def input_schema(parameters: type[msgspec.Struct]) -> Schema:
    """Return the schema of a tool's arguments: a plain object. An optional parameter without default has its plain
    type.

    The schema does not state that other parameters are refused: the error for an unknown parameter lists the valid
    ones, and takes no space in a listing.
    """
    schema = _inlined(parameters)
    plain: Schema = {"type": "object", "properties": schema["properties"]}
    if schema["required"]:
        plain["required"] = schema["required"]
    return plain


def brief_schema(schema: Schema) -> Schema:
    """Return the schema of arguments `schema` for a model, which pays for every listing: without limits and long lists
    of values, which the error for a wrong value names.
    """
    properties = {name: _brief(parameter) for name, parameter in schema["properties"].items()}
    return {**schema, "properties": properties}


def _brief(parameter: Schema) -> Schema:
    return {
        name: _brief(value) if name == "items" else value
        for name, value in parameter.items()
        if name not in _LIMITS and not (name == "enum" and len(value) > LISTED_VALUES)
    }


def output_schema(result: Any) -> Schema:
    """Return the schema of a tool's answers of the type `result`: fields and their types, as short as possible, because
    every listing of the tools contains it.

    `X | None` without default is null if there is no value. No field is required: errors are answers too, and clients
    on the official TypeScript SDK discard an error that lacks a required field.
    """
    properties = _inlined(result)["properties"]
    return {"type": "object", "properties": {name: _bare(schema) for name, schema in properties.items()}}


def answer_schema(result: Any) -> Schema:
    """Return the schema of an answer of the type `result` that is no error, at full strictness: with every field that
    such an answer always has.

    It is for tests; clients do not receive it.
    """
    return _inlined(result)


def _inlined(kind: Any) -> Schema:
    schema = msgspec.json.schema(kind)
    flat = _flat(schema, schema.get("$defs", {}), ())
    assert isinstance(flat, dict)
    return flat


def _flat(value: Any, definitions: Schema, above: tuple[str, ...]) -> Any:
    """A schema with its references replaced by their definitions; a type that contains itself becomes any object."""
    if isinstance(value, list):
        return [_flat(item, definitions, above) for item in value]
    if not isinstance(value, dict):
        return value
    if reference := value.get("$ref"):
        name = reference.rpartition("/")[2]
        return {"type": "object"} if name in above else _flat(definitions[name], definitions, (*above, name))
    if options := value.get("anyOf"):
        only = _flat(_optional(value, options), definitions, above)
        return only if "default" in value else only | {"type": [only["type"], "null"]}
    flat = {
        key: _flat(item, definitions, above)
        for key, item in value.items()
        if key not in ("$defs", "title", "properties")
    }
    if "properties" in value:  # an object whose keys are names, which may also be called `title`
        flat["properties"] = {name: _flat(item, definitions, above) for name, item in value["properties"].items()}
    if "enum" in flat and "type" not in flat:
        flat = {"type": "string", **flat}
    return flat


def _optional(value: Schema, options: list[Schema]) -> Schema:
    """The schema of `X | None` as plain X: if None is the default, leaving out the parameter is the only way to pass
    it.
    """
    (only,) = (option for option in options if option != {"type": "null"})
    rest = {key: item for key, item in value.items() if key != "anyOf" and not (key == "default" and item is None)}
    return only | rest


def _bare(schema: Schema, lists: int = 0) -> Schema:
    """A schema without annotations and without `required`.

    The items of a list inside a list are not described: every listing of the tools would repeat them.
    """
    bare = {key: item for key, item in schema.items() if key not in _LEFT_OUT}
    if lists >= DETAILED_LISTS:
        bare.pop("properties", None)
    if "properties" in bare:
        bare["properties"] = {name: _bare(item, lists) for name, item in bare["properties"].items()}
    if "items" in bare:
        bare["items"] = _bare(bare["items"], lists + 1)
    return bare
