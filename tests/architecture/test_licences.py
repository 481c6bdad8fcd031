"""All that an installation brings is known: what it is for, and that its licence may be combined with ours."""

from __future__ import annotations

from functools import cache

import pytest

from tests.harness.dependencies import PROJECT, ROOT, closure, purposes
from tests.harness.documents import generated_block
from tests.harness.installed_packages import Package, installed
from tests.harness.licences import is_allowed, licence_of

PAGE = ROOT / "docs" / "dependencies.md"
EXTRAS = [extra for extra in PROJECT["optional-dependencies"] if extra != "ray"]  # which the tests do not install


@cache
def packages() -> dict[str, Package]:
    return installed()


def test_every_package_that_users_install_has_a_licence_that_may_be_combined_with_ours():
    refused = {name: package.licence for name in closure(packages()) if not allowed(package := packages()[name])}
    assert not refused, "find out its licence, then see tests/harness/licences.py"


@pytest.mark.parametrize("extra", EXTRAS)
def test_so_has_every_package_of_an_extra(extra: str):
    brought = closure(packages(), extra)
    refused = {name: packages()[name].licence for name in brought if not allowed(packages()[name], in_extra=True)}
    assert not refused, "find out its licence, then see tests/harness/licences.py"


def allowed(package: Package, *, in_extra: bool = False) -> bool:
    return is_allowed(licence_of(package), in_extra=in_extra)


def test_what_packages_contain_may_be_combined_too():
    listed = {name: packages()[name].bundled for name in closure(packages(), *EXTRAS)}
    assert len(listed["tree-sitter-language-pack"]) > 150  # a licence for each grammar
    assert listed["kingfisher-secret-scanner"]
    refused = {(name, licence) for name, licences in listed.items() for licence in licences if not is_allowed(licence)}
    assert not refused


def test_the_page_of_dependencies_has_every_package_and_its_licence():
    purpose, table = purposes(), generated_block("installed", PAGE.read_text(encoding="utf-8"))
    for name in closure(packages()):
        assert name in purpose, f"say in tests/harness/dependencies.py what {name} is for"
        (row,) = [line for line in table.splitlines() if line.startswith(f"| `{name}` |")] or [""]
        assert f"| {licence_of(packages()[name])} |" in row, f"{name}: run `make dependencies`"


@pytest.mark.parametrize(
    ("licence", "is_good"),
    [
        ("MIT", True),
        ("MIT License", True),
        ("MPL-2.0 AND MIT", True),
        ("GPL-3.0-only OR MIT", True),
        ("(MIT OR GPL-2.0-only) AND Unicode-3.0", True),
        ("Apache-2.0  WITH  LLVM-exception", True),
        ("GPL-3.0-or-later WITH GCC-exception-3.1", True),
        ("GPL-3.0-or-later", False),
        ("AGPL-3.0-only", False),
        ("LGPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT AND GPL-2.0-only) OR AGPL-3.0-only", False),
        ("MIT WITH Some-exception", False),
        ("Proprietary", False),
        ("see the file", False),
        ("", False),
        ("()", False),
    ],
)
def test_only_a_choice_of_licences_on_the_list_is_good(licence: str, is_good: bool):
    assert is_allowed(licence) == is_good


def test_a_library_that_has_to_stay_replaceable_comes_with_extras_alone():
    assert is_allowed("LGPL-3.0-only", in_extra=True)
    assert "LGPL-3.0-only" in {licence_of(packages()[name]) for name in closure(packages(), "postgres")}
