"""Files are listed without an index as a first index reads them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeagentd.pipeline.batch.file_listing import ParsedFile, files_to_read, parsed_files
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

FILES = {
    "shop/__init__.py": "",
    "shop/shelf.py": "def lend(): pass\n",
    "run": "#!/usr/bin/env python3\nprint(1)\n",
    "logo.png": "",
    ".env": "KEY=1\n",
    "package-lock.json": "{}",
    ".gitignore": "generated/\n",
    "generated/a.py": "",
    "lib/api.h": "#define SHOP_BEGIN namespace shop {\n",
    "lib/api.cpp": '#include "api.h"\nSHOP_BEGIN\nint lend();\n}\n',
}


def test_the_files_are_those_of_a_first_index_with_their_languages_and_modules(
    make_bench: Callable[[dict[str, str]], Bench],
) -> None:
    bench = make_bench(FILES)
    listing = files_to_read(bench.root)
    parsed = {file.path: file.language for file in bench.stored.files() if file.language}
    assert {job.path: job.language for job in listing.jobs} == parsed
    assert set(parsed) == {"shop/__init__.py", "shop/shelf.py", "run", "lib/api.h", "lib/api.cpp", ".gitignore"}
    assert {job.path: job.module.qualified for job in listing.jobs}["shop/shelf.py"] == "shop.shelf"
    assert "SHOP_BEGIN" in listing.openings
    assert {job.path for job in listing.jobs if job.openings} == {"lib/api.h", "lib/api.cpp"}


def test_settings_leave_files_out(make_bench: Callable[[dict[str, str]], Bench]) -> None:
    bench = make_bench(FILES)
    listing = files_to_read(bench.root, ("lib/",), ("python",))
    assert {job.path for job in listing.jobs} == {"shop/__init__.py", "shop/shelf.py", "run"}


@pytest.mark.parametrize("settings", [(), (("lib/",),), ((), ("python",))])
def test_what_is_parsed_is_listed_without_projects_too(
    make_bench: Callable[[dict[str, str]], Bench], settings: tuple[tuple[str, ...], ...]
) -> None:
    bench = make_bench(FILES)
    jobs = files_to_read(bench.root, *settings).jobs
    assert parsed_files(bench.root, *settings) == [ParsedFile(job.path, job.language, job.openings) for job in jobs]
