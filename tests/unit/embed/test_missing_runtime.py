"""Where the runtime of sentence models is not installed, the included model takes the place of the chosen one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from codeagentd.embed.model import load
from codeagentd.model.embedding import PACKAGED
from tests.harness.models import wanted
from tests.harness.static_models import static_model


@pytest.fixture(autouse=True)
def no_fastembed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_chosen_sentence_model_says_what_to_install(tmp_path: Path, is_folder: bool) -> None:
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "tokenizer.json").write_text("{}")
    model = load(wanted(tmp_path, tmp_path if is_folder else ""))
    assert model.name == PACKAGED
    assert "fastembed, which is not installed" in model.reason
    assert model.remedy == "pip install 'codeagentd[sentence-models]'"
    assert len(model.encode(["give a book back"])) == 1


def test_static_models_need_nothing_more(tmp_path: Path) -> None:
    included, own = (
        load(wanted(tmp_path, PACKAGED)),
        load(wanted(tmp_path, static_model(tmp_path / "tiny", {"book": (1,)}))),
    )
    assert (included.name, included.reason, included.remedy) == (PACKAGED, "", "")
    assert (own.name, own.reason, own.remedy) == ("tiny", "", "")
