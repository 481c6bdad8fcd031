"""Small documents, data, style, schema and build files whose names collide as often as possible."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

NAMES: Final = ("load", "store", "Shelf", "Book", "lend")
PATHS: Final = (
    "docs/a.md", "docs/b.md", "docs/README.md", "README.md", "infra/a.tf", "infra/b.tf", "infra/sub/a.tf", "style/_a.scss", "style/b.scss",
    "style/a/_index.scss", "db/a.sql", "db/b.sql", "api/a.json", "api/b.json", "api/a.yaml", "api/b.yaml", "proto/a.proto", "proto/b.proto",
    "api/a.graphql", "api/b.graphql", "build/Makefile", "build/a.mk", "web/Shelf.vue", "web/Book.vue", "web/page.html",
)  # fmt: skip


def format_text(chance: random.Random, path: str) -> str:
    """The text of a file of one of these formats."""

    def name() -> str:
        return chance.choice(NAMES)

    texts: dict[str, Callable[[], list[str]]] = {
        "md": lambda: _page(chance, name),
        "tf": lambda: [f'variable "{name()}" {{}}', f'resource "{name()}" "{name()}" {{ x = var.{name()}', f"y = {name()}.{name()}.id }}",
                       f'module "{name()}" {{ source = "./sub" }}', f"locals {{ {name()} = local.{name()} }}"],
        "scss": lambda: [f'@use "{chance.choice(("a", "_a", "b"))}" as {name()};', f'@import "{chance.choice(("a", "b"))}";', f"${name()}: ${name()};",
                         f"@mixin {name()}() {{ x: {name()}.${name()} }}", f".{name()} {{ @include {name()}(); }}"],
        "sql": lambda: [f"CREATE TABLE {name()} ({name()} INT REFERENCES {name()}(x));", f"SELECT b.{name()} FROM {name()} b;",
                        f"CREATE VIEW {name()} AS SELECT 1;"],
        "json": lambda: [f'{{"{name()}": {{"{name()}": {{"$ref": "{chance.choice(("", "b.json", "a.json"))}#/{name()}/{name()}"}}}}}}'],
        "yaml": lambda: [f"{name()}: &{name()} 1", f"other: *{name()}", f"{name()}x:", f"  $ref: '{chance.choice(('a', 'b'))}.yaml#/{name()}'"],
        "proto": lambda: [f"package {chance.choice(('lib', 'lib.v1'))};", 'import "a.proto";', f"message {name()} {{ {name()} a = 1; lib.{name()} b = 2; }}"],
        "graphql": lambda: [f"type {name()} implements {name()} {{ a: {name()} }}", f"interface {name()} {{ a: Int }}",
                            f"extend type {name()} {{ b: {name()} }}"],
        "Makefile": lambda: ["include a.mk", f"{name()}: {name()} {name()}", f"\t$({name()}) x", f"{name()} = 1"],
        "mk": lambda: [f"{name()} = $({name()})", f"{name()}: {name()}"],
        "vue": lambda: _component(chance, name),
        "html": lambda: [f'<main id="{name()}"><h2>{name()}</h2><a href="../docs/{chance.choice(("a", "b"))}.md#{name().lower()}">x</a></main>',
                         f'<script src="./a.ts"></script><script>function {name()}() {{ {name()}() }}</script>'],
    }  # fmt: skip
    return "\n".join(texts[path.rpartition("/")[2].rpartition(".")[2]]()) + "\n"


def _page(chance: random.Random, name: Callable[[], str]) -> list[str]:
    lines = []
    for level in (1, 2, 2, 3):
        lines += [f"{'#' * level} {name()} {chance.choice(('', '', '{#own}'))}", ""]
        target = chance.choice(("", "a.md", "./b.md", "/docs/b", "../docs", "docs/", "../web/Shelf.vue"))
        lines += [
            f"[x]({target}#{chance.choice((name().lower(), 'own', f'{name().lower()}-1'))}) [y]({target or 'a.md'})",
            "",
        ]
    return [*lines, "```python", f"def {name()}(): return {name()}()", "```"]


def _component(chance: random.Random, name: Callable[[], str]) -> list[str]:
    other = chance.choice(("Shelf", "Book"))
    return [
        f'<template><{other} @x="{name()}()" v-for="{name()} in {name()}">{{{{ {name()} }}}}</{other}></template>',
        '<script setup lang="ts">', f'import {other} from "./{other}.vue"', f'import {{ {name()} as helper }} from "./{chance.choice("ab")}"',
        f"const {chance.choice(('load', 'store'))} = helper()", f"export function {chance.choice(('lend', 'title'))}() {{ return {name()}() }}", "</script>",
    ]  # fmt: skip
