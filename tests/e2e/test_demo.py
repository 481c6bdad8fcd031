"""What `make demo` says of repositories of any kind, and that its checks can fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo.sources import Sources, Wrong
from tests.harness.world import World

ROOT = Path(__file__).parents[2]
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub mod pricing;\npub mod cart;\npub mod report;\npub mod till;\n",
    "src/pricing.rs": "/// Adds the amounts of all items together.\npub fn compute_total(amounts: &[u32]) -> u32 {\n    amounts.iter().sum()\n}\n",
    **{
        f"src/{name}.rs": f"use crate::pricing::compute_total;\n\npub fn {name}_total() -> u32 {{\n    compute_total(&[1, 2])\n}}\n"
        for name in ("cart", "report", "till")
    },
    "tests/totals.rs": "use shop::pricing::compute_total;\n\n#[test]\nfn adds() {\n    assert_eq!(compute_total(&[1]), 1);\n}\n",
}


def demo(world: World, repo: Path) -> subprocess.CompletedProcess[str]:
    """Run the demonstration to its end."""
    command = [sys.executable, "-m", "tests.demo", str(repo)]
    return subprocess.run(
        command, cwd=ROOT, env=world.environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_it_shows_a_symbol_of_any_language_with_its_callers_impact_and_tests():
    with World() as world:
        done = demo(world, world.repository("shop", RUST))
    assert done.returncode == 0, done
    assert "asking about src/pricing.rs:2  function " in done.stdout
    assert "    pub fn compute_total(amounts: &[u32]) -> u32 {" in done.stdout
    assert "search_code 'adds the amounts of all items together': what is found by words?" in done.stdout
    assert "src/cart.rs:4:5  compute_total(&[1, 2])" in done.stdout
    assert "src/cart.rs:3  shop::cart::cart_total  (calls, 1 step away)" in done.stdout
    assert "\n  tests/totals.rs\n" in done.stdout
    assert "PASS: " in done.stdout
    assert "setup --undo" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "the repository is empty: there is nothing to ask about"),
        (
            {"main.qqq": "fn main\n"},
            "no file is in a language that is known (1 .qqq): there is nothing to ask about",
        ),
        ({"empty.py": ""}, "no symbol is defined here: there is nothing to ask about"),
        ({"settings.yaml": "color: red\n"}, "asking about settings.yaml:1  key color"),
        ({"single.lua": "local function lonely()\nend\n"}, "the index knows no call of it"),
    ],
)
def test_it_says_what_is_true_where_there_is_little(files: dict[str, str], told: str):
    with World() as world:
        (world.base / "little").mkdir()
        done = demo(world, world.repository("little", files, git=False))
    assert done.returncode == 0, done
    assert told in done.stdout
    assert "setup --undo" in done.stdout.splitlines()[-1]


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    (tmp_path / "a.py").write_text("import x\n\n\ndef total():\n    return sum_of(1)\n")
    return Sources(tmp_path)


ITEM = {"file_path": "a.py", "name": "total", "line_start": 4, "line_end": 5}
HIT = {"path": "a.py", "lines": [4, 5], "snippet": "def total():\n…"}


def test_what_stands_in_the_files_passes_and_is_counted(sources: Sources):
    assert sources.check_definition(ITEM) == "def total():"
    assert sources.check_site("sum_of", {"file_path": "a.py", "line": 5, "column": 11}) == "return sum_of(1)"
    sources.check_begins("a.py", 4, "a.total")
    sources.check_snippet(HIT)
    sources.check_snippet(HIT | {"lines": [1, 5], "snippet": "import x\n…4:\ndef total():\n    return sum_of(1)"})
    sources.check_exists("a.py")
    assert sources.checked == 6


def test_what_the_files_contradict_is_wrong(sources: Sources):
    for check in (
        lambda: sources.check_definition(ITEM | {"line_start": 5}),
        lambda: sources.check_definition(ITEM | {"line_end": 9, "name": "other"}),
        lambda: sources.check_site("sum_of", {"file_path": "a.py", "line": 5, "column": 4}),
        lambda: sources.check_begins("a.py", 5, "a.total"),
        lambda: sources.check_snippet(HIT | {"snippet": "def other():"}),
        lambda: sources.check_snippet(HIT | {"lines": [5, 5]}),
        lambda: sources.check_snippet(HIT | {"lines": [1, 5], "snippet": "import x\n…5:\ndef total():"}),
        lambda: sources.check_exists("b.py"),
    ):
        with pytest.raises(Wrong):
            check()
    assert sources.checked == 0
