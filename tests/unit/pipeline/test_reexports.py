"""Who imports a name from a file that hands it on sees what that file's imports make of it, as a fresh index would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.contents import content
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

SHELF = "export class Shelf { lend() {} }\n"
TS = {
    "a.ts": "export const size = 1;\n",
    "b.ts": SHELF,
    "user.ts": 'import { Shelf } from "./a";\nnew Shelf().lend();\n',
}
PYTHON = {
    "a.py": "size = 1\n",
    "b.py": "class Shelf:\n    def lend(self): pass\n",
    "user.py": "from a import Shelf\nShelf().lend()\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": "pub mod a;\npub mod b;\n",
    "src/a.rs": "pub fn size() {}\n",
    "src/b.rs": "pub struct Shelf;\nimpl Shelf {\n    pub fn lend(&self) {}\n}\n",
    "src/main.rs": "use shop::a::Shelf;\nfn lend(s: Shelf) {\n    s.lend();\n}\n",
}
CHAIN = {
    "top.ts": 'export * from "./mid";\n',
    "mid/index.ts": 'export * from "./b";\n',
    "mid/b.ts": SHELF,
    "user.ts": 'import { Shelf } from "./top";\nnew Shelf().lend();\n',
}
CASES: dict[str, tuple[dict[str, str], dict[str, str | None]]] = {
    "everything of another module": (TS, {"a.ts": 'export const size = 1;\nexport * from "./b";\n'}),
    "a name of another module": (TS, {"a.ts": 'export { Shelf } from "./b";\n'}),
    "a name that it imports": (TS, {"a.ts": 'import { Shelf } from "./b";\nexport { Shelf };\n'}),
    "the same name of yet another module": (
        TS | {"a.ts": 'export { Shelf } from "./b";\n', "c.ts": SHELF},
        {"a.ts": 'export { Shelf } from "./c";\n'},
    ),
    "nothing any more": (TS | {"a.ts": 'export * from "./b";\n'}, {"a.ts": "export const size = 1;\n"}),
    "through a module that goes": (CHAIN, {"mid/index.ts": None}),
    "through a module that comes": (
        {path: text for path, text in CHAIN.items() if path != "mid/index.ts"},
        {"mid/index.ts": CHAIN["mid/index.ts"]},
    ),
    "through several": (CHAIN | {"mid/index.ts": "export const size = 1;\n"}, {"mid/index.ts": CHAIN["mid/index.ts"]}),
    "Python: everything": (PYTHON, {"a.py": "size = 1\nfrom b import *\n"}),
    "Python: a name": (PYTHON, {"a.py": "size = 1\nfrom b import Shelf\n"}),
    "Python: through a package": (
        {"shop/__init__.py": "", "shop/b.py": PYTHON["b.py"], "user.py": "import shop\nshop.Shelf().lend()\n"},
        {"shop/__init__.py": "from .b import Shelf\n"},
    ),
    "Rust: everything": (RUST, {"src/a.rs": "pub fn size() {}\npub use crate::b::*;\n"}),
    "Rust: a name": (RUST, {"src/a.rs": "pub fn size() {}\npub use crate::b::Shelf;\n"}),
    "Rust: everything, of a module that goes": (
        RUST | {"src/a.rs": "pub use super::b::*;\npub use crate::b::Shelf as Other;\n"},
        {"src/a.rs": None},
    ),
    "Python: a module that goes": (
        PYTHON | {"a.py": "import os\nfrom b import *\nfrom b import Shelf as Other\n"},
        {"a.py": None},
    ),
    "Rust: the module around that goes": (
        RUST
        | {
            "src/lib.rs": "pub mod shelves;\n",
            "src/shelves/mod.rs": "pub mod core;\npub mod user;\n",
            "src/shelves/core.rs": "pub fn lend() {}\n",
            "src/shelves/user.rs": "use super::core::lend;\npub fn all() {\n    lend();\n}\n",
        },
        {"src/shelves/mod.rs": None},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_file_hands_on_is_followed(make_bench: Make, tmp_path: Path, case: str) -> None:
    files, edits = CASES[case]
    bench = make_bench(files)
    before = content(bench.engine.index_path)["refs"]
    for path, text in edits.items():
        bench.write(path, text or "")
        if text is None:
            (bench.root / path).unlink()
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert before != content(bench.engine.index_path)["refs"]
