"""What a batch of noted changes means: which files are read, which are gone, when everything is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.pipeline.changes.change_scan import Seen, rules_of, survey
from codeagentd.pipeline.changes.pending_changes import ChangeBatch


def seen(root: Path, paths: set[str], known: set[str]) -> Seen:
    return survey(root, rules_of(root, ()), ChangeBatch(1, paths), known, lambda files: False)


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")


def test_a_directory_stands_for_what_it_holds_and_held(tmp_path: Path) -> None:
    write(tmp_path, "lib/a.py", "lib/b.py", "other.py")
    result = seen(tmp_path, {"lib/", "gone.py"}, {"lib/b.py", "lib/c.py", "libs.py", "gone.py", "other.py"})
    assert result.plan.changed == ("lib/a.py", "lib/b.py")
    assert result.plan.gone == ("gone.py", "lib/c.py")
    assert not result.moves_names


@pytest.mark.parametrize("path", ["go.mod", "lib/pyproject.toml", "lib/poetry.lock"])
def test_a_manifest_or_lock_file_has_everything_compared(tmp_path: Path, path: str) -> None:
    write(tmp_path, path)
    assert seen(tmp_path, {path}, {path}).moves_names


@pytest.mark.parametrize(("known", "moves"), [(set[str](), True), ({"lib/__init__.py"}, False)])
def test_a_package_begins_with_its_init_file_and_not_with_an_edit_of_it(
    tmp_path: Path, known: set[str], moves: bool
) -> None:
    write(tmp_path, "lib/__init__.py")
    assert seen(tmp_path, {"lib/__init__.py"}, known).moves_names is moves


@pytest.mark.parametrize("path", ["lib/go.mod", "lib/inner/package-lock.json"])
@pytest.mark.parametrize("is_there", [True, False])
def test_so_does_a_directory_that_comes_or_goes_with_one(tmp_path: Path, path: str, is_there: bool) -> None:
    if is_there:
        write(tmp_path, path)
    assert seen(tmp_path, {"lib/"}, set() if is_there else {path}).moves_names
