"""Which tests `make check` runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.changed import changed_files, selected
from tests.harness.past import committed


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for path, text in {
        "daemon/shop/lend.py": "",
        "daemon/shop/desk.py": "",
        "tests/unit/test_lend.py": "from shop.lend import lend\n",
        "tests/unit/test_shop.py": "from shop import lend\n",
        "tests/unit/test_desk.py": "import shop.desk\n",
        "tests/e2e/test_all.py": "from shop import lend\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_tests_that_import_a_changed_module_are_selected(checkout: Path) -> None:
    assert selected(checkout, {"daemon/shop/lend.py"}) == ["tests/unit/test_lend.py", "tests/unit/test_shop.py"]


def test_tests_that_changed_themselves_are_selected(checkout: Path) -> None:
    assert selected(checkout, {"tests/unit/test_desk.py", "README.md"}) == ["tests/unit/test_desk.py"]


def test_what_differs_from_a_commit_and_what_is_new_has_changed(checkout: Path) -> None:
    committed(checkout, {"README.md": "Shop.\n"})
    (checkout / "daemon/shop/lend.py").write_text("lend = 1\n")
    (checkout / "daemon/shop/till.py").write_text("")
    assert changed_files(checkout, "main") == {"daemon/shop/lend.py", "daemon/shop/till.py"}
