"""Arguments that clients may pass to a tool, made from the schema of its parameters."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# What is there, what is not, what must not be reached, and what is special in some layer below: SQL, FTS5, LIKE, globs, regular expressions, CGQL, git.
WORDS = (
    "Cart", "total", "Cart.total", "shop.cart.Cart", "shop/cart.py", "shop/cart.py:4", "web/app.ts", "shop", ".", "", "/", "..", "../..", "/etc/passwd",
    "./shop/../shop/cart.py", "README.md#shop", "HEAD", "HEAD~9", "main..main", "--output=x", "-", "a" * 300, "*", "**/*.py", "[", "(", "(?P<", "%", "_%_",
    "'", '"', '"a" NEAR(', "a AND", "NOT", "shop*", "MATCH (a)-[:CALLS]->(b) RETURN a", "MATCH (a:Class) WHERE a.name =~ '(' RETURN a", "MATCH (", "\\", "\n",
    "\0", "\ud800", "é\u0301", "\u202e", "💾", "1", "-1", "0" * 32, "ff" * 16, "18446744073709551616", "1e999", "null", "2025-02-30T25:61:00Z", "2025-02-24",
    "file:///etc/passwd", "repo://shop", "#1", "{}", "[]",
)  # fmt: skip
ODD: st.SearchStrategy[Any] = st.sampled_from(
    (
        None,
        True,
        False,
        -1,
        0,
        1,
        2**31,
        2**63,
        2**64,
        -(2**63) - 1,
        0.5,
        1e308,
        float("inf"),
        float("nan"),
        "",
        "x",
        [],
        [[]],
        {},
        {"": None},
    )
)
VALUES = st.recursive(
    ODD | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=6,
)


def fitting(schema: dict[str, Any], words: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Values that a property's schema admits."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema["type"]
    if kind == "string":
        return st.sampled_from(words) | st.text(max_size=20)
    if kind == "integer":
        return st.integers(schema.get("minimum", -3), min(schema.get("maximum", 10_000), 10_000))
    if kind == "number":
        return st.floats(schema.get("minimum", -2.0), schema.get("maximum", 2.0))
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(fitting(schema.get("items", {"type": "string"}), words), max_size=4)
    if properties := schema.get("properties"):
        return objects(properties, schema.get("required", []), words)
    return st.dictionaries(st.sampled_from(words), VALUES, max_size=3)


def objects(
    properties: dict[str, Any], required: list[str], words: tuple[str, ...]
) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with all of the required properties and some of the others."""
    return st.fixed_dictionaries(
        {name: fitting(properties[name], words) for name in required},
        optional={name: fitting(schema, words) for name, schema in properties.items() if name not in required},
    )


@st.composite
def arguments(draw: st.DrawFn, schema: dict[str, Any], words: tuple[str, ...]) -> Any:
    """Arguments as the schema has them; of one in four something is changed to what it does not say."""
    made = draw(objects(schema["properties"], schema.get("required", []), words))
    if draw(st.integers(0, 3)):
        return made
    name = draw(st.sampled_from((*schema["properties"], "unknown", "\ud800", "a" * 999)))
    return draw(
        st.sampled_from(
            (made | {name: draw(VALUES)}, {key: value for key, value in made.items() if key != name}, draw(VALUES))
        )
    )
