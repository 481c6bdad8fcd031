"""Which files use which is kept for search, and follows what is saved."""

from __future__ import annotations

from pathlib import Path

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.served import served
from tests.harness.stored_rows import stored_rows

FILES = {
    "a.py": "from b import f\n\nf()\n",
    "b.py": "import c\n\ndef f():\n    return c.g()\n",
    "c.py": "def g():\n    return 1\n",
}


def links(engine: IndexingEngine) -> set[tuple[str, str]]:
    assert engine.text_ready(30)
    with engine.readers.read() as db:
        return stored_rows(db).links()


def save(engine: IndexingEngine, path: str, text: str | None) -> None:
    if text is None:
        (engine.root / path).unlink()
    else:
        (engine.root / path).write_text(text)
    engine.request_scan()
    assert engine.wait_caught_up(30)


def test_a_file_uses_those_that_its_references_lead_to(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        assert links(engine) == {("a.py", "b.py"), ("b.py", "c.py")}


def test_links_follow_what_is_saved_also_in_files_that_were_not_touched(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        save(engine, "b.py", "def f():\n    return 1\n")
        assert links(engine) == {("a.py", "b.py")}
        save(engine, "b.py", None)
        assert links(engine) == set()
        save(engine, "b.py", FILES["b.py"])
        assert links(engine) == {("a.py", "b.py"), ("b.py", "c.py")}
