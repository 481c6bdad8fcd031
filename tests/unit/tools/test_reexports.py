"""What a file offers that is defined elsewhere, in its outline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "web/index.ts": (
        'export * from "./a"\nexport * as ns from "./a"\nexport {\n  one as uno,\n  two,\n} from "./b"\nexport { default } from "./b/deep"\n'
        'import { Three } from "./a"\nexport { Three }\nexport type { Kind } from "./b/types"\nexport { useState } from "react"\n'
        'export { gone } from "./nowhere"\nexport const own = 1\n'
    ),
    "web/a.ts": "export class Three {}\nexport function four() {}\nconst hidden = 1\n",
    "web/b/index.ts": 'export * from "./types"\nexport * from "../index"\nexport function one() {}\nexport function two() {}\n',
    "web/b/deep.ts": "export default class Deep {}\n",
    "web/b/types.ts": "export type Kind = 1\n",
    "web/all.ts": 'export * from "./b"\n',
    "web/user.ts": 'import { one } from "./b"\none()\n',
    "pkg/__init__.py": "from .core import Engine, helper\nfrom .core import other as another, _secret\nfrom .star import *\nimport os\n\nVERSION = 1\n",
    "pkg/core.py": "class Engine: ...\ndef helper(): ...\ndef other(): ...\ndef _secret(): ...\n",
    "pkg/star.py": "def starred(): ...\ndef _private(): ...\n",
    "crate/Cargo.toml": '[package]\nname = "crate"\nversion = "0.1.0"\n',
    "crate/src/lib.rs": "mod inner;\npub mod open;\npub use inner::Thing;\npub use inner::{Other as Renamed, run};\npub use open::*;\nuse inner::secret;\n",
    "crate/src/inner.rs": "pub struct Thing;\npub struct Other;\npub fn run() {}\npub fn secret() {}\n",
    "crate/src/open.rs": "pub fn opened() {}\nfn closed() {}\n",
    "net/Usings.cs": "global using System.Text;\n",
}
Json = dict[str, Any]


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("reexports"), FILES) as found:
        yield found


def outline(ctx: Context, path: str, **more: Any) -> Json:
    return dict(run(CATALOGUE["get_file_outline"], ctx, {"path": path, **more}).structured)


def test_the_outline_of_a_barrel_file_lists_what_it_exports_from_others(ctx: Context) -> None:
    answer = outline(ctx, "web/index.ts")
    assert [row["name"] for row in answer["results"]] == ["own"]
    assert answer["re_exports"] == [
        "everything of web/a.ts: Three, four", "file a as ns: web/a.ts", "function one as uno: web/b/index.ts:3", "function two: web/b/index.ts:4",
        "class Deep as default: web/b/deep.ts:1", "type Kind: web/b/types.ts:1", "external useState: external:ecmascript/react",
        "gone: ./nowhere, which is not found", "class Three: web/a.ts:1",
    ]  # fmt: skip


def test_an_export_of_everything_names_what_comes_through_further_barrels_and_ends_in_a_circle(ctx: Context) -> None:
    names = "one, two, Kind, own, Three, four, ns, uno, default, useState, gone"
    assert outline(ctx, "web/all.ts")["re_exports"] == [f"everything of web/b/index.ts: {names}"]


def test_a_python_package_offers_what_it_imports_from_its_own_modules(ctx: Context) -> None:
    assert outline(ctx, "pkg/__init__.py")["re_exports"] == [
        "class Engine: pkg/core.py:1", "function helper: pkg/core.py:2", "function other as another: pkg/core.py:3", "everything of pkg/star.py: starred",
    ]  # fmt: skip


def test_public_uses_of_a_crate_are_re_exports(ctx: Context) -> None:
    assert outline(ctx, "crate/src/lib.rs")["re_exports"] == [
        "module open: crate/src/open.rs", "struct Thing: crate/src/inner.rs:1", "struct Other as Renamed: crate/src/inner.rs:2",
        "function run: crate/src/inner.rs:3", "everything of crate/src/open.rs: opened",
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["web/user.ts", "net/Usings.cs", "pkg/core.py", "web/a.ts"])
def test_a_file_that_only_imports_re_exports_nothing(ctx: Context, path: str) -> None:
    assert "re_exports" not in outline(ctx, path)


def test_an_empty_outline_says_that_nothing_is_there(ctx: Context) -> None:
    assert outline(ctx, "web/user.ts") == {"results": [], "note": "the file defines no symbols and re-exports nothing"}
    assert "note" not in outline(ctx, "web/index.ts")


def test_re_exports_come_in_pages_behind_the_definitions(ctx: Context) -> None:
    rows: list[str] = []
    cursor = None
    while True:
        answer = outline(ctx, "web/index.ts", limit=2, cursor=cursor)
        found = [*(row["name"] for row in answer["results"]), *answer.get("re_exports", ())]
        assert len(found) <= 2
        rows += found
        cursor = answer.get("next_cursor")
        if not cursor:
            break
    assert rows == ["own", *outline(ctx, "web/index.ts")["re_exports"]]
