"""What changes in hundreds of files at once is resolved by the workers, and as a fresh index would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from codeagentd.base.limits import BULK_RESOLVE_FILES
from tests.harness.stored_rows import StoredReference
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

MANY = BULK_RESOLVE_FILES + 30
MODULES = {
    f"shop/part{at}.py": f"from shop.part{(at + 1) % MANY} import lend as other\n\n\ndef lend():\n    return other()\n"
    for at in range(MANY)
}


def test_when_a_manifest_gives_all_modules_other_names_the_index_is_as_a_fresh_one(
    make_bench: Make, tmp_path: Path
) -> None:
    bench = make_bench({"shop/__init__.py": "", **MODULES})
    assert bench.stored.symbol("shop.part7.lend").path == "shop/part7.py"
    bench.write("pyproject.toml", "[project]\nname = 'all'\n[tool.setuptools.package-dir]\n'' = 'shop'\n")
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert bench.stored.symbol("part7.lend").path == "shop/part7.py"


def resolved(bench: Bench) -> list[StoredReference]:
    return [reference for reference in bench.stored.references() if reference.target_id is not None]


def test_data_refers_to_itself_however_many_files_there_are(make_bench: Make) -> None:
    bench = make_bench({f"data/{at}.yml": f"base: &base{at}\n  size: 1\nother: *base{at}\n" for at in range(MANY)})
    assert len(resolved(bench)) == MANY
    for at in range(MANY):
        bench.write(f"data/{at}.yml", f"first: &base{at}\n  size: 2\nother: *base{at}\n")
    bench.catch_up()
    assert len(resolved(bench)) == MANY


def test_when_nearly_all_files_change_the_others_are_resolved_as_well(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({"shop/__init__.py": "", **MODULES})
    for at in range(MANY - 50):
        text = MODULES[f"shop/part{at}.py"]
        bench.write(f"shop/part{at}.py", text.replace("def lend", "def borrow") if at % 2 else f"{text}# touched\n")
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert all(file.is_resolved for file in bench.stored.files(external=True) if file.names)
