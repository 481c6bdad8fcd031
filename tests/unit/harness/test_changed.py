"""Which tests `make check` runs, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.changed import changed_files, languages_of, selected
from tests.harness.past import committed


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for path, text in {
        "daemon/codeagentd/shop/lend.py": "",
        "daemon/codeagentd/shop/tills/coins.py": "",
        "daemon/codeagentd/shop/desk.py": "",
        "daemon/codeagentd/languages/lua/defs.scm": "",
        "tests/architecture/test_plain_words.py": "",
        "tests/architecture/test_docs.py": "",
        "tests/unit/shop/test_desk.py": "from codeagentd.shop import desk\n",
        "tests/unit/shop/test_lend.py": "from tests.harness.shop import shop\n",
        "tests/unit/shop/test_queue.py": "from codeagentd.shop.lend import lend\n",
        "tests/unit/shop/conftest.py": "",
        "tests/unit/town/test_street.py": "from codeagentd.shop.lend import lend\n",
        "tests/unit/town/test_well.py": "from codeagentd.town import well\n",
        "tests/harness/shop.py": "from codeagentd.shop.lend import lend\n",
        "tests/languages/test_cases.py": "",
        "tests/e2e/test_all.py": "from codeagentd.shop import lend\n",
        "shim/codeagent_shim/ledger.py": "",
        "tests/unit/shim/test_shim_ledger.py": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def chosen(checkout: Path, *changed: str) -> list[str]:
    """The test files of changed paths, without those of every change and without `tests/unit/`."""
    files = selected(checkout, set(changed))
    return [path.removeprefix("tests/unit/") for path in files if path != "tests/architecture/test_plain_words.py"]


def test_tests_of_the_mirroring_folder_come_before_others_that_import_the_module(checkout: Path) -> None:
    assert chosen(checkout, "daemon/codeagentd/shop/lend.py") == [
        "shop/test_lend.py",  # the namesake
        "shop/test_queue.py",  # imports it
        "shop/test_desk.py",
        "town/test_street.py",
    ]


def test_what_reaches_a_module_by_way_of_others_is_left_to_the_whole_suite(checkout: Path) -> None:
    assert "town/test_well.py" not in chosen(checkout, "daemon/codeagentd/shop/lend.py")


def test_a_package_without_a_folder_of_tests_has_those_of_the_one_around_it(checkout: Path) -> None:
    assert "shop/test_desk.py" in chosen(checkout, "daemon/codeagentd/shop/tills/coins.py")
    assert chosen(checkout, "daemon/codeagentd/mill/stones.py") == []


def test_the_shim_has_its_folder(checkout: Path) -> None:
    assert chosen(checkout, "shim/codeagent_shim/ledger.py") == ["shim/test_shim_ledger.py"]


def test_tests_that_changed_themselves_come_first_even_slow_ones(checkout: Path) -> None:
    assert chosen(checkout, "tests/e2e/test_all.py", "tests/unit/shop/test_queue.py", "daemon/codeagentd/shop/lend.py")[
        :3
    ] == ["tests/e2e/test_all.py", "shop/test_queue.py", "shop/test_lend.py"]


def test_slow_tests_are_left_to_the_whole_suite(checkout: Path) -> None:
    assert "tests/e2e/test_all.py" not in chosen(checkout, "daemon/codeagentd/shop/lend.py")


def test_what_tests_share_has_the_tests_that_use_it(checkout: Path) -> None:
    assert chosen(checkout, "tests/harness/shop.py") == ["shop/test_lend.py"]
    assert chosen(checkout, "tests/unit/shop/conftest.py") == [
        "shop/test_desk.py",
        "shop/test_lend.py",
        "shop/test_queue.py",
    ]


def test_data_and_documents_have_their_tests(checkout: Path) -> None:
    assert chosen(checkout, "daemon/codeagentd/languages/lua/defs.scm") == ["tests/languages/test_cases.py"]
    assert chosen(checkout, "tests/languages/lua/methods.case") == ["tests/languages/test_cases.py"]
    assert chosen(checkout, "docs/index.md") == ["tests/architecture/test_docs.py"]


def test_rules_of_the_sources_are_tested_with_every_change(checkout: Path) -> None:
    assert selected(checkout, {"LICENSE"}) == ["tests/architecture/test_plain_words.py"]
    assert selected(checkout, set()) == []


def test_the_languages_whose_data_or_cases_changed_are_known() -> None:
    assert languages_of(
        {"tests/languages/lua/methods.case", "daemon/codeagentd/languages/go/defs.scm", "tests/languages/test_cases.py"}
    ) == {"lua", "go"}


def test_what_differs_from_a_commit_and_what_is_new_has_changed(checkout: Path) -> None:
    committed(checkout, {"README.md": "Shop.\n"})
    (checkout / "daemon/codeagentd/shop/lend.py").write_text("lend = 1\n")
    (checkout / "daemon/codeagentd/shop/till.py").write_text("")
    assert changed_files(checkout, "main") == {"daemon/codeagentd/shop/lend.py", "daemon/codeagentd/shop/till.py"}
