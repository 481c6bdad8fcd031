"""index_file: a source file as memories along its definitions, kept in step with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.memory.audit_log import latest
from codeagentd.memory.chunks.chunker import LONGEST, MOST, Definition, cut
from codeagentd.model.kinds import SymbolKind
from codeagentd.toolkit.context import Context
from tests.harness.served import surroundings
from tests.unit.memory.notebook import Json, Notebook

SECRET = "AKIA" + "Q3EGRIZX7M2PLTVB"
LONG = "class Big:\n" + "".join(
    f"    def method{number}(self):\n" + "        x = 1\n" * 20 + "\n" for number in range(10)
)
FILES = {
    "shop/pricing.py": (
        "import math\n\nRATE = 2\n\n\n# Sums.\ndef compute_total(amounts):\n    return sum(amounts)\n\n\n"
        "def rounded(amount):\n    return compute_total([math.floor(amount)])\n"
    ),
    "shop/big.py": LONG,
    "shop/keys.py": f'def connect():\n    return client("{SECRET}")\n',
    "src/a.ts": "export class Cart {\n  add(x: number) {\n    return x;\n  }\n}\n\nexport function total() {\n  return 1;\n}\n",
    "src/b.go": "package b\n\nfunc Total() int {\n\treturn 1\n}\n",
    "src/c.rs": "pub fn total() -> i32 {\n    1\n}\n",
    "src/d.c": "int total(void) {\n  return 1;\n}\n",
    "src/e.cpp": "namespace shop {\nint total() {\n  return 1;\n}\n}\n",
    "src/F.cs": "class F {\n  int Total() {\n    return 1;\n  }\n}\n",
    "src/g.lua": "function total()\n  return 1\nend\n",
    "src/h.sh": "total() {\n  echo 1\n}\n",
    "src/i.js": "function total() {\n  return 1;\n}\n",
    "docs/a.md": "# Totals\n\nAre sums.\n\n## Rounding\n\nHalf up.\n",
    "data.bin": "\0\1",
    ".gitignore": "left_out.py\n",
    "left_out.py": "def hidden():\n    return 1\n",
}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Notebook]:
    """A notebook on a repository that the test may change."""
    with surroundings(tmp_path, FILES) as ctx:
        yield Notebook(ctx)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("chunks"), FILES) as found:
        yield found


def pieces(notebook: Notebook, project: str = "p") -> dict[str, Json]:
    """Every chunk by its title."""
    return {
        row.title: notebook.ok("read", id=row.id) for row in latest(notebook.ctx.memory, project, "code_chunk", 1_000)
    }


def counts(answer: Json) -> tuple[int, int, int, int]:
    return tuple(answer.get(name, 0) for name in ("created", "updated", "unchanged", "retired"))  # type: ignore[return-value]


def test_each_definition_is_a_memory_and_what_is_between_them_too(notebook: Notebook) -> None:
    answer = notebook.ok("index_file", file_path="shop/pricing.py", project="p")
    assert counts(answer) == (3, 0, 0, 0)
    found = pieces(notebook)
    assert set(found) == {"shop/pricing.py (part 1)", "shop.pricing.compute_total", "shop.pricing.rounded"}
    total = found["shop.pricing.compute_total"]
    assert total["content"] == "# Sums.\ndef compute_total(amounts):\n    return sum(amounts)"
    metadata = total["metadata"]
    assert (metadata["start_line"], metadata["end_line"], metadata["chunk_type"], metadata["language"]) == (
        6,
        8,
        "function",
        "python",
    )
    assert "shop.pricing.compute_total" in found["shop.pricing.rounded"]["metadata"]["dependencies"]
    assert [anchor["symbol"] for anchor in total["anchors"]] == ["shop.pricing.compute_total"]


def test_a_file_that_did_not_change_is_skipped(notebook: Notebook) -> None:
    notebook.ok("index_file", file_path="shop/pricing.py", project="p")
    again = notebook.ok("index_file", file_path="./shop/../shop/pricing.py", project="p")
    assert (again["skipped"], again["chunks"], counts(again)) == (True, 3, (0, 0, 3, 0))


def test_only_what_changed_is_updated_and_what_vanished_is_deleted_with_its_record(own: Notebook) -> None:
    own.ok("index_file", file_path="shop/pricing.py", project="p")
    before = pieces(own)
    text = (
        FILES["shop/pricing.py"]
        .replace("# Sums.\ndef compute_total(amounts):\n    return sum(amounts)\n\n\n", "")
        .replace("floor", "ceil")
    )
    (own.ctx.root / "shop/pricing.py").write_text(text + "\n\ndef added():\n    return RATE\n")
    answer = own.ok("index_file", file_path="shop/pricing.py", project="p")
    assert counts(answer) == (1, 1, 1, 1)
    after = pieces(own)
    assert "shop.pricing.compute_total" not in after
    assert after["shop.pricing.rounded"]["id"] == before["shop.pricing.rounded"]["id"]
    assert "ceil" in after["shop.pricing.rounded"]["content"]
    gone = before["shop.pricing.compute_total"]["id"]
    assert own.error("read", id=gone)[0] == "NOT_FOUND"
    with own.ctx.memory.store.read() as db:
        assert [row[2] for row in db.all("memory.history", {"subject": gone, "since": 0, "limit": 9})] == [
            "delete",
            "store",
        ]


def test_a_piece_that_only_moved_keeps_its_memory_and_gets_its_new_lines(own: Notebook) -> None:
    own.ok("index_file", file_path="src/c.rs", project="p")
    before = pieces(own)
    (own.ctx.root / "src/c.rs").write_text("\n\n\n" + FILES["src/c.rs"])
    assert counts(own.ok("index_file", file_path="src/c.rs", project="p")) == (0, 0, 1, 0)
    ((title, moved),) = pieces(own).items()
    assert (moved["id"], moved["metadata"]["start_line"]) == (before[title]["id"], 4)


def test_a_file_that_is_gone_leaves_no_chunks(own: Notebook) -> None:
    own.ok("index_file", file_path="src/c.rs", project="p")
    (own.ctx.root / "src/c.rs").unlink()
    assert counts(own.ok("index_file", file_path="src/c.rs", project="p")) == (0, 0, 0, 1)
    assert pieces(own) == {}
    assert own.error("index_file", file_path="src/c.rs", project="p")[0] == "NOT_FOUND"


def test_a_long_type_is_cut_along_its_members(notebook: Notebook) -> None:
    notebook.ok("index_file", file_path="shop/big.py", project="p")
    titles = set(pieces(notebook))
    assert titles >= {f"shop.big.Big.method{number}" for number in range(10)}
    assert "shop.big.Big (part 1)" in titles


@pytest.mark.parametrize("path", sorted(path for path in FILES if path.startswith("src/")))
def test_every_language_of_the_page_has_chunks(notebook: Notebook, path: str) -> None:
    notebook.ok("index_file", file_path=path, project="p")
    assert any(
        title.rpartition(".")[2].rpartition(":")[2].lower() in ("total", "cart", "f") for title in pieces(notebook)
    )


def test_secrets_are_not_kept(notebook: Notebook) -> None:
    notebook.ok("index_file", file_path="shop/keys.py", project="p")
    found = pieces(notebook)
    assert found
    assert SECRET not in str(found)


@pytest.mark.parametrize(
    "path", ["../outside.py", "/etc/passwd", "shop", "data.bin", "left_out.py", "a\0b", "none.py", ""]
)
def test_what_is_no_source_file_of_the_repository_is_refused(notebook: Notebook, path: str) -> None:
    code, _ = notebook.error("index_file", file_path=path)
    assert code in ("VALIDATION_ERROR", "NOT_FOUND")
    assert notebook.ok("stats")["total"] == 0


def test_a_call_that_is_sent_again_is_answered_as_before(notebook: Notebook) -> None:
    first, again = (notebook.send("index_file", 9, {"file_path": "shop/pricing.py"}) for _ in range(2))
    assert first == again


def test_projects_have_chunks_of_their_own(notebook: Notebook) -> None:
    for project in ("p", "q"):
        assert notebook.ok("index_file", file_path="src/c.rs", project=project)["created"] == 1
    assert len(pieces(notebook, "q")) == 1


def definition(name: str, first: int, last: int, kind: SymbolKind = SymbolKind.FUNCTION) -> Definition:
    return Definition(name, b"", kind, first, last, "")


@pytest.mark.parametrize(
    "definitions",
    [
        [],
        [definition("a", 1, 400)],
        [definition("a", 5, 6), definition("b", 6, 9), definition("c", 9, 9)],
        [definition("a", 1, 300), definition("b", 2, 250), definition("c", 3, 4), definition("d", 240, 301)],
        [definition(f"k{line}", line, line, SymbolKind.KEY) for line in range(1, 300)],
    ],
)
def test_pieces_are_in_order_apart_and_not_too_long(definitions: list[Definition]) -> None:
    lines = [f"line {number}" for number in range(1, 401)]
    found: list[Any] = [piece.span for piece in cut(lines, definitions)]
    assert sorted(line for span in found for line in range(span.first, span.last + 1)) == list(range(1, 401))
    assert all(span.last - span.first < LONGEST for span in found)


def test_a_generated_file_has_no_more_pieces_than_can_be_kept() -> None:
    lines = ["x"] * 30_000
    assert len(cut(lines, [definition(f"f{line}", line, line) for line in range(1, 30_000)])) == MOST
