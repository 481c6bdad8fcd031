"""What a request of an editor tells of the texts that it was answered from."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import Mock

from codeagentd.lsp.client_features import ClientFeatures
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.open_documents import OpenDocument
from tests.harness.document_index import documents_of

SHELF = "def lend():\n    pass\n"
DESK = "from shelf import lend\n"


def test_one_analysis_of_an_earlier_text_makes_the_answer_approximate_whatever_follows(tmp_path: Path) -> None:
    with documents_of(tmp_path, {"shelf.py": SHELF, "desk.py": DESK}) as index:
        earlier, late = index.analyse("shelf.py", "def lent(): pass\n"), index.analyse("desk.py", DESK + "lend()\n")
        answers: dict[str, list[Any]] = {"shelf.py": [None], "desk.py": [None, late]}
        process = Mock(**{
            "analysis.side_effect": lambda text, *_, **__: answers[text.path].pop(0),
            "earlier_analysis.side_effect": lambda text: earlier if text.path == "shelf.py" else None,
        })  # fmt: skip
        documents = {
            "shelf.py": OpenDocument("file:///shelf.py", "shelf.py", "python", 2, "def lend(): ...\n"),
            "desk.py": OpenDocument("file:///desk.py", "desk.py", "python", 2, DESK + "lend()\n"),
        }
        ctx = Mock(**{"engine.documents": process})
        context = MethodContext(ctx, index.database, documents, ClientFeatures(), is_exact=False)
        assert context.view("shelf.py").analysis is earlier
        assert context.view("desk.py").analysis is late
        assert context.is_approximate
