"""How many other files an edit has resolved again: none, as long as the edited file shows them what it showed before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeagentd.pipeline import refresh

from .conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

# by language: where a type is defined, a file that adds to it, and one that uses both
SPLIT = {
    "go": {
        "go.mod": "module shop\n", "shelf.go": "package shop\n\ntype Shelf struct{ size int }\n",
        "part.go": "package shop\n\nfunc (s Shelf) Lend() int {\n\treturn s.size\n}\n",
        "user.go": "package shop\n\nfunc use(s Shelf) int { return s.Lend() }\n",
    },
    "cpp": {
        "shelf.h": "namespace shop {\nclass Shelf {\n public:\n  int lend();\n};\n}\n",
        "part.cpp": '#include "shelf.h"\nnamespace shop {\nint Shelf::lend() {\n  return 1;\n}\n}\n',
        "user.cpp": '#include "shelf.h"\nint use(shop::Shelf s) { return s.lend(); }\n',
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": "pub mod part;\npub mod user;\npub struct Shelf { pub size: u32 }\n",
        "src/part.rs": "use crate::Shelf;\nimpl Shelf {\n    pub fn lend(&self) -> u32 {\n        self.size\n    }\n}\n",
        "src/user.rs": "use crate::Shelf;\npub fn using(s: Shelf) -> u32 { s.lend() }\n",
    },
    "csharp": {
        "Shelf.cs": "namespace Shop;\npublic partial class Shelf { int size; }\n",
        "Part.cs": "namespace Shop;\npublic partial class Shelf {\n  public int Lend() {\n    return size;\n  }\n}\n",
        "User.cs": "namespace Shop;\nclass User { int Use(Shelf s) { return s.Lend(); } }\n",
    },
    "swift": {
        "Shelf.swift": "struct Shelf { var size: Int }\n", "Part.swift": "extension Shelf {\n  func lend() -> Int {\n    return size\n  }\n}\n",
        "User.swift": "func use(s: Shelf) -> Int { return s.lend() }\n",
    },
    "ruby": {
        "shelf.rb": "class Shelf\n  def size\n    1\n  end\nend\n", "part.rb": "class Shelf\n  def lend\n    size\n  end\nend\n",
        "user.rb": "def use\n  Shelf.new.lend\nend\n",
    },
    "python": {
        "shelf.py": "class Shelf:\n    size = 1\n", "part.py": "from shelf import Shelf\n\nclass Part(Shelf):\n    def lend(self):\n        return self.size\n",
        "user.py": "from part import Part\n\ndef use(s: Part):\n    return s.lend()\n",
    },
    "typescript": {
        "shelf.ts": "export class Shelf { size = 1; }\n",
        "part.ts": 'import { Shelf } from "./shelf";\nexport class Part extends Shelf {\n  lend() {\n    return this.size;\n  }\n}\n',
        "user.ts": 'import { Part } from "./part";\nexport function use(s: Part) { return s.lend(); }\n',
    },
}  # fmt: skip
EDITS: dict[str, Callable[[str], str]] = {
    "a line at the end": lambda text: text + "\n",
    "lines before everything": lambda text: "\n\n" + text,
    "a line more in a body": lambda text: text.replace("size\n", "size\n\n").replace("return 1;\n", "\n  return 1;\n").replace("size;\n", "size;\n\n"),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("language", SPLIT)
def test_an_edit_that_shows_others_nothing_new_reaches_no_other_file(make_bench: Make, monkeypatch: pytest.MonkeyPatch, language: str, edit: str) -> None:
    bench = make_bench(SPLIT[language])
    (path,) = [path for path in SPLIT[language] if path.rpartition("/")[2].lower().startswith("part.")]
    reached: list[int] = []
    look = refresh.reached
    monkeypatch.setattr(refresh, "reached", lambda *asked: reached.append(len(found := look(*asked))) or found)
    changed = EDITS[edit](SPLIT[language][path])
    assert changed != SPLIT[language][path]
    bench.write(path, changed)
    bench.catch_up()
    assert reached == [1]
