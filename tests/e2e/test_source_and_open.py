"""`codeagentd source` and `codeagentd open`: the text of a symbol, and the way to it in an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.terminal import on_terminal
from tests.harness.world import World

TOTAL = "def compute_total(amounts: list[float]) -> float:"


def test_the_source_of_a_symbol_has_its_place_and_line_numbers(shared_world: World, indexed_shop: Path):
    done = shared_world.codeagentd("source", "compute_total", cwd=indexed_shop / "shop")
    lines = done.out.splitlines()
    assert (done.code, lines[:2]) == (0, ["pricing.py:19  shop.pricing.compute_total  function", f"    19  {TOTAL}"])
    assert lines[-1] == "    22      return sum(discount.apply(amount) for amount in amounts)"


def test_the_source_of_a_symbol_is_printed_as_json(shared_world: World, indexed_shop: Path):
    answer = shared_world.codeagentd("source", "compute_total", "--json", cwd=indexed_shop).json
    (span,) = answer["spans"]
    assert (answer["symbol"], span["path"], span["line_start"], span["line_end"]) == (
        "shop.pricing.compute_total", "shop/pricing.py", 19, 22,
    )  # fmt: skip
    assert span["source"] == "".join((indexed_shop / "shop/pricing.py").read_text().splitlines(keepends=True)[18:22])


@pytest.mark.parametrize("command", ["source", "open"])
def test_an_ambiguous_or_unknown_name_is_an_error_in_words_of_commands(
    command: str, shared_world: World, indexed_shop: Path
):
    done = shared_world.codeagentd(command, "apply", cwd=indexed_shop)
    assert (done.code, done.out) == (1, "")
    assert "  shop/pricing.py:7 " in done.err
    done = shared_world.codeagentd(command, "compute_totl", "--json", cwd=indexed_shop)
    assert (done.code, done.json["error"]["code"]) == (1, "not_found")
    assert "'compute_total'" in done.json["error"]["remedy"]
    assert "search_symbols" not in done.out + done.err


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("compute_total", "shop/pricing.py:19"),
        ("shop/pricing.py:7", "shop/pricing.py:7"),
        ("shop/pricing.py:7:3", "shop/pricing.py:7"),
        ("web/cart.ts", "web/cart.ts:1"),
    ],
)
def test_without_a_terminal_the_place_is_printed(place: str, shown: str, shared_world: World, indexed_shop: Path):
    assert shared_world.codeagentd("open", place, cwd=indexed_shop).out == f"{shown}\n"


def test_a_link_leads_to_the_line(shared_world: World, indexed_shop: Path):
    done = shared_world.codeagentd("open", "compute_total", "--print", cwd=indexed_shop)
    assert done.out == f"vscode://file{indexed_shop}/shop/pricing.py:19:1\n"
    done = shared_world.codeagentd("open", "shop/pricing.py:7:3", "--json", cwd=indexed_shop)
    assert done.json == {
        "path": "shop/pricing.py",
        "line": 7,
        "column": 3,
        "link": f"vscode://file{indexed_shop}/shop/pricing.py:7:3",
    }


def test_a_terminal_becomes_the_editor_with_its_options_and_without_a_shell(world: World, shop: Path, tmp_path: Path):
    editor = tmp_path / "vim"
    editor.write_text('#!/bin/sh\nfor word; do echo "<$word>"; done\nexit 5\n')
    editor.chmod(0o755)
    world.environment["EDITOR"] = f"{editor} -c 'set nu; echo $HOME'"
    code, shown = on_terminal(world, shop, "open", "shop/pricing.py:7")
    assert (code, shown.split("\r\n")) == (
        5, ["<-c>", "<set nu; echo $HOME>", "<+7>", f"<{shop}/shop/pricing.py>", ""],
    )  # fmt: skip
    world.environment["VISUAL"] = "/nowhere/vim"
    code, shown = on_terminal(world, shop, "open", "shop/pricing.py:7")
    assert code == 1
    assert "/nowhere/vim cannot be run" in shown
