"""A function becomes a tool: name, schema, description, hints."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import jsonschema
import msgspec
import pytest
from jsonschema.validators import validator_for

from codeagent_protocol.errors import NotFound
from codeagentd.model.kinds import EDGE_TYPES, SymbolKind
from codeagentd.model.parameters import LANGUAGE_FAMILIES, EdgeType, NodeType, language_family
from codeagentd.model.retrieval import Envelope, IndexState, Read
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.schema import answer_schema
from codeagentd.toolkit.tool import Effect, tool, tool_of
from codeagentd.toolkit.toolsets import load

CATALOGUE = load("codeagentd.tools")
ENVELOPE = Envelope[Read](tool="x", index=IndexState(False, True, "", 0))
FORBIDDEN = ("$ref", "$defs", "anyOf", "oneOf", "allOf")


class Leaf(msgspec.Struct):
    """A result inside a result."""

    name: str
    inner: list[Leaf] = []


class Fruit(msgspec.Struct):
    """A result."""

    leaves: list[Leaf]
    note: str | None = None


def pick(
    ctx: Context,
    tree: str,
    count: Annotated[int, msgspec.Meta(ge=1, le=9, description="how many")] = 3,
    colour: Literal["red", "green"] | None = None,
    names: Annotated[list[str], msgspec.Meta(max_length=4)] | None = None,
) -> Fruit:
    """Pick some
    fruit.

    Returns: what was picked.
    """
    return Fruit([Leaf(tree)] * count)


def test_the_signature_is_the_schema() -> None:
    made = tool_of(pick, "garden")
    assert made.input_schema == {
        "type": "object",
        "properties": {
            "tree": {"type": "string"},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3, "description": "how many"},
            "colour": {"type": "string", "enum": ["green", "red"]},
            "names": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
        },
        "required": ["tree"],
    }
    assert made.output_schema == {
        "type": "object",
        "properties": {
            "leaves": {
                "type": "array",
                "items": {"type": "object", "properties": {"name": {"type": "string"}, "inner": {"type": "array", "items": {"type": "object"}}}},
            },
            "note": {"type": "string"},
        },
    }  # fmt: skip


def test_an_answer_that_is_no_error_has_to_have_more_than_the_listing_says() -> None:
    schema = answer_schema(tool_of(pick, "garden").result)
    assert schema["required"] == ["leaves"]
    assert schema["properties"]["leaves"]["items"]["required"] == ["name"]


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_listed_schema_of_an_answer_admits_errors(name: str) -> None:
    made = CATALOGUE[name]
    error = NotFound("it is not there", remedy="look elsewhere", parameter="x", candidates=[{"node_id": "a"}])
    around = msgspec.to_builtins(ENVELOPE) if made.envelope else {}
    answer = error.as_flat() if made.flat_errors else around | {"error": error.as_dict()}
    assert [*validator_for(made.output_schema)(made.output_schema).iter_errors(answer)] == []


def test_the_docstrings_first_paragraph_is_the_description() -> None:
    assert tool_of(pick, "garden").description == "Pick some fruit."


def test_a_function_without_docstring_is_no_tool() -> None:
    def silent(ctx: Context) -> Fruit:
        return Fruit([])

    with pytest.raises(ValueError, match="silent has no docstring"):
        tool_of(silent, "garden")


def test_effects_become_hints_and_can_be_corrected() -> None:
    assert tool_of(pick, "garden").annotations == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    assert tool_of(pick, "garden", Effect.WRITE).annotations["readOnlyHint"] is False
    assert tool_of(pick, "garden", Effect.EXEC).annotations["destructiveHint"] is True
    assert tool_of(pick, "garden", open_world=True, idempotent=False).annotations["openWorldHint"] is True


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="get_status"):
        tool("garden", name="get_status")(pick)


@pytest.mark.parametrize("name", CATALOGUE)
def test_schemas_are_plain_objects_that_every_provider_takes(name: str) -> None:
    made = CATALOGUE[name]
    for schema in (made.input_schema, made.output_schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        text = json.dumps(schema)
        assert not [word for word in FORBIDDEN if f'"{word}"' in text]
    assert "null" not in json.dumps(made.input_schema)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_tool_says_where_it_comes_from_and_what_can_go_wrong(name: str) -> None:
    text = CATALOGUE[name].function.__doc__ or ""
    assert "Source:" in text
    assert "Returns:" in text
    assert CATALOGUE[name].description.endswith(".")


def test_closed_lists_are_those_of_the_graph() -> None:
    assert set(NodeType.__args__) == {kind.label for kind in SymbolKind}  # type: ignore[attr-defined]
    assert EdgeType.__args__ == EDGE_TYPES  # type: ignore[attr-defined]


def test_families_of_languages_are_those_of_their_folders() -> None:
    from codeagentd.languages.language import languages

    found: dict[str, Any] = languages()
    assert {name for family in LANGUAGE_FAMILIES for name in family} <= set(found)
    for name, language in found.items():
        family = language.family or name
        kin = {other for other, its in found.items() if (its.family or other) == family}
        assert set(language_family(name)) == kin, LANGUAGE_FAMILIES


def test_a_parameter_may_be_called_as_a_keyword_of_schemas_is() -> None:
    def named(ctx: Context, title: str, default: int = 1, properties: str = "", description: str = "") -> Leaf:
        """Say so."""
        raise NotImplementedError

    assert list(tool_of(named, "test").input_schema["properties"]) == ["title", "default", "properties", "description"]
