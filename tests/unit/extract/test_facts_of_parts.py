"""Files in several languages: places are those of the whole file, names pass between the parts that share them."""

from __future__ import annotations

import json

import pytest

from codeagentd.extract.file_facts import extract
from codeagentd.model.facts import FIRST_BOUND, FREE, FileFacts
from codeagentd.model.kinds import SymbolKind


def places(facts: FileFacts) -> dict[str, tuple[int, int]]:
    return {symbol.name: (symbol.line, symbol.col) for symbol in facts.symbols if symbol.name}


def bound(facts: FileFacts, name: str) -> list[str]:
    """What each reference of this name is bound to: a symbol, an import, or nothing."""
    bindings = []
    for reference in facts.references():
        if reference.name == name:
            index = reference.binding - FIRST_BOUND
            after = index - len(facts.symbols)
            bindings.append(
                ""
                if reference.binding == FREE
                else facts.symbols[index].name
                if after < 0
                else f"import {facts.imports[after].local}"
            )
    return bindings


def test_a_component_is_put_together_from_script_template_and_style() -> None:
    facts = extract(
        b'<template>\n  <Shelf :x="top" @y="go(top)">\xc3\xa9 {{ title }}</Shelf>\n</template>\n'
        b'<script>\nimport Shelf from "./Shelf.vue"\nlet top, title\nfunction go(x) { return top }\n</script>\n<style>\n.a { b: c }\n</style>\n',
        "vue",
    )
    assert places(facts) == {"top": (6, 4), "title": (6, 9), "go": (7, 9), ".a": (10, 0)}
    assert (bound(facts, "Shelf"), bound(facts, "go"), bound(facts, "title")) == (["import Shelf"], ["go"], ["title"])
    assert bound(facts, "top") == ["top", "top", "top"]
    assert [(reference.line, reference.col) for reference in facts.references() if reference.name == "title"] == [
        (2, 36)
    ]


def test_a_name_that_a_directive_gives_is_not_the_script_s() -> None:
    facts = extract(
        b'<template><p v-for="top in list">{{ top }}</p>{{ top }}</template>\n<script>let top, list</script>\n', "vue"
    )
    assert bound(facts, "top") == ["", "top"]
    assert bound(facts, "list") == ["list"]


def test_the_parts_of_a_document_keep_to_themselves() -> None:
    facts = extract(b"# A\n```python\ndef load(): pass\n```\n# B\n```python\nload()\n```\n", "markdown")
    assert [
        (symbol.name, SymbolKind(symbol.kind).label, facts.symbols[symbol.parent].name) for symbol in facts.symbols[1:]
    ] == [
        ("A", "section", ""),
        ("B", "section", ""),
        ("load", "function", "A"),
    ]
    assert bound(facts, "load") == []


def notebook(*cells: str, indent: int | None = 1) -> bytes:
    written = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": written, "metadata": {}}, indent=indent).encode()


@pytest.mark.parametrize("indent", [None, 1])
def test_the_cells_of_a_notebook_are_one_source_whose_places_are_those_in_the_file(indent: int | None) -> None:
    source = notebook('name = "a\\"b"; other = 1\n', 'def load(x):\n    return name + "\\t" + other\n', indent=indent)
    facts = extract(source, "notebook")
    assert facts.status == "full"
    lines = source.decode().split("\n")
    for symbol in facts.symbols[1:]:
        assert lines[symbol.line - 1][symbol.col :].startswith(symbol.name)
    for reference in facts.references():
        assert lines[reference.line - 1][reference.col :].startswith(reference.name)
    assert (bound(facts, "name"), bound(facts, "other")) == (["name"], ["other"])


def test_an_escaped_sign_is_one_character_of_the_code() -> None:
    facts = extract(
        b'{"cells": [{"cell_type": "code", "source": ["caf\\u00e9 = 1\\n", "\\tx = caf\\u00e9"]}]}', "notebook"
    )
    assert {"caf\u00e9"} <= set(places(facts))


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("vue", b"<template><p :x='</template><script>let a"), ("vue", b""), ("svelte", b"{#each}{/if}<script>"),
        ("svelte", b"{#snippet shelves(hi{/snippet}\n"), ("svelte", b"<p title={{shelf"), ("svelte", b"{@html shelf"), ("vue", b"<p :x=\"{shelf"),
        ("html", b"<script><style>"),
        ("notebook", b'{"cells": [{"cell_type": "code", "source": 3}, {"cell_type": "code", "source": ["\\'), ("notebook", b"\xff[]"),
        ("markdown", b"```python\n```\n~~~\n```js"), ("markdown", b"> ```py\n> def f(): pass"),
    ],
)  # fmt: skip
def test_broken_parts_harm_nothing(language: str, source: bytes) -> None:
    assert extract(source, language).language == language
