"""The engines offer the analysis of documents against their index."""

from __future__ import annotations

import contextlib
from pathlib import Path

from codeagentd.model.documents import DocumentAnalysis, DocumentText
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.pipeline.engine.readonly_engine import ReadOnlyEngine
from tests.harness.processes import ended
from tests.harness.served import served

PATIENCE_S = 60.0
FILES = {"shop/cart.py": "def total(items):\n    return sum(items)\n"}
TEXT = "from shop.cart import total\n\n\ndef pay(items):\n    return total(items)\n"


def targets(analysis: DocumentAnalysis | None, line: int) -> list[int]:
    assert analysis is not None
    return [use.target for use in analysis.uses if use.line == line]


def test_a_document_follows_what_is_saved_elsewhere(tmp_path: Path) -> None:
    document = DocumentText("shop/till.py", "python", TEXT)
    with served(tmp_path, FILES) as engine:
        (known,) = targets(engine.documents.analysis(document, PATIENCE_S), 5)
        assert known > 0
        assert engine.documents.analysis(document, 0.0) is not None, "it is kept"
        (tmp_path / "repo" / "shop" / "cart.py").write_text("def sum_of(items):\n    return sum(items)\n")
        engine.request_scan()
        assert engine.wait_caught_up(PATIENCE_S)
        assert targets(engine.documents.analysis(document, PATIENCE_S), 5) == []
        pid = engine.documents.pid
    assert ended(pid)


def test_an_index_that_is_only_read_has_documents_too(tmp_path: Path) -> None:
    with served(tmp_path, FILES):
        place, folders = tmp_path / "repo", (str(tmp_path / "index" / "index.db"), str(tmp_path / "blobs" / "blobs.db"))
        request = SnapshotRequest(str(place), *folders, "", 4_000_000, 1, (), ())
        with contextlib.closing(_Closing(ReadOnlyEngine(request, "local sockets are refused"))) as reading:
            (known,) = targets(
                reading.engine.documents.analysis(DocumentText("shop/till.py", "python", TEXT), PATIENCE_S), 5
            )
            assert known > 0


class _Closing:
    def __init__(self, engine: ReadOnlyEngine) -> None:
        self.engine = engine

    def close(self) -> None:
        self.engine.close(10)
