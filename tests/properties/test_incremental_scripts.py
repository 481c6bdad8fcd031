"""The same property for languages whose names do not follow from their files: PHP, Ruby, Lua and Bash."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.properties.test_incremental import assert_equals_fresh, begun

TYPES = ("Shelf", "Book", "Base", "Marks")
CALLS = ("lend", "open", "title", "helper")
STEPS = 10


def php(chance: random.Random, names: list[str]) -> str:
    space = chance.choice(("", "namespace Lib;", "namespace Lib\\Deep;"))
    used = chance.choice(("", "use Lib\\Shelf;", "use Lib\\Deep\\Book as Base;", "use function Lib\\lend;"))
    lines = ["<?php", space, used, f"require '{chance.choice(names)}';"]
    for name in chance.sample(TYPES, 2):
        kind, base = chance.choice(
            (("class", f"extends {chance.choice(TYPES)}"), ("trait", ""), ("interface", ""), ("class", ""))
        )
        body = (
            ""
            if kind == "interface"
            else f"public ${chance.choice(CALLS)}; function {chance.choice(CALLS)}() {{ $this->{chance.choice(CALLS)}(); }}"
        )
        mixed = f"use {chance.choice(TYPES)};" if kind == "class" and chance.random() < 0.4 else ""
        lines.append(f"{kind} {name} {base} {{ {mixed} {body} }}")
    lines.append(
        f"function {chance.choice(CALLS)}() {{ {chance.choice(CALLS)}(); new {chance.choice(TYPES)}; Lib\\{chance.choice(CALLS)}(); }}"
    )
    return "\n".join(lines) + "\n"


def ruby(chance: random.Random, names: list[str]) -> str:
    lines = [f'require_relative "{chance.choice(names)}"']
    for name in chance.sample(TYPES, 2):
        outer = chance.choice(("", "Lib::", "Marks::"))
        base = chance.choice(("", f" < {chance.choice(TYPES)}"))
        mixed = chance.choice(("", f"include {chance.choice(TYPES)}", f"extend {chance.choice(TYPES)}"))
        method = chance.choice(("", "self.")) + chance.choice(CALLS)
        lines.append(
            f"class {outer}{name}{base}\n  {mixed}\n  def {method}; {chance.choice(CALLS)}; {chance.choice(TYPES)}.{chance.choice(CALLS)}; super; end\nend"
        )
    lines.append(
        f"module Lib\n  class {chance.choice(TYPES)}; def {chance.choice(CALLS)}; @at = {chance.choice(TYPES)}; self.title = @at; end; end\nend"
    )
    lines.append(f"def {chance.choice(CALLS)}; {chance.choice(CALLS)}; end")
    return "\n".join(lines) + "\n"


def lua(chance: random.Random, names: list[str]) -> str:
    stem = chance.choice(names).removesuffix(".lua")
    name, other = chance.sample(TYPES, 2)
    lines = [f'local {other} = require("{stem}")', f"{chance.choice(('local ', ''))}{name} = {{}}"]
    lines += [
        f"function {name}{chance.choice('.:')}{chance.choice(CALLS)}() {other}.{chance.choice(CALLS)}() {chance.choice(CALLS)}() end"
    ]
    lines += [
        f"setmetatable({name}, {{ __index = {other} }})",
        f"function {chance.choice(CALLS)}() {name}.{chance.choice(CALLS)}() end",
    ]
    return (
        "\n".join(
            [
                *lines,
                chance.choice((f"return {name}", f"return {{ {chance.choice(CALLS)} = {chance.choice(CALLS)} }}", "")),
            ]
        )
        + "\n"
    )


def bash(chance: random.Random, names: list[str]) -> str:
    lines = [chance.choice((f". ./{chance.choice(names)}", f'source "$HERE/{chance.choice(names)}"', ""))]
    lines += [
        f"{chance.choice(CALLS)}_it() {{ {chance.choice(CALLS)}_it; {chance.choice(CALLS)}; echo $title; }}",
        f"{chance.choice(CALLS)}() {{ title=1; }}",
    ]
    return (
        "\n".join(
            [*lines, f"{chance.choice(('title', 'open'))}=2", f"{chance.choice(CALLS)} && {chance.choice(CALLS)}_it"]
        )
        + "\n"
    )


TEXTS: dict[str, Callable[[random.Random, list[str]], str]] = {".php": php, ".rb": ruby, ".lua": lua, ".sh": bash}


def change(chance: random.Random, repo: Path, suffix: str) -> None:
    """One file is written, removed or moved."""
    paths = [f"{folder}{name}{suffix}" for folder in ("", "sub/") for name in ("a", "b", "c")]
    existing = [path for path in paths if (repo / path).exists()]
    act = chance.random()
    target = repo / chance.choice(paths)
    target.parent.mkdir(exist_ok=True)
    if act < 0.6 or not existing:
        target.write_text(TEXTS[suffix](chance, [f"{name}{suffix}" for name in "abc"]))
    elif act < 0.8:
        (repo / chance.choice(existing)).unlink()
    else:
        (repo / chance.choice(existing)).rename(target)


@pytest.mark.parametrize("seed", ["", "3"])
@pytest.mark.parametrize("suffix", TEXTS)
def test_an_incremental_index_equals_a_fresh_one_after_random_changes(
    suffix: str, seed: str, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance = random.Random(seed + suffix)
    repo = tmp_path / "repo"
    repo.mkdir()
    for _ in range(5):
        change(chance, repo, suffix)
    engine = begun(repo, tmp_path / "kept", engines)
    for step in range(STEPS):
        for _ in range(chance.choice((1, 1, 2, 3))):
            change(chance, repo, suffix)
        assert_equals_fresh(engine, repo, tmp_path / f"fresh{step}")
