"""Symbols get vectors of what they say, in the background, from a process that may come, go and die."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import struct
from pathlib import Path

import pytest

from codeagentd.embed.model import ModelChoice
from codeagentd.model.embedding import PACKAGED, of_numbers, stored_mean, stored_vector
from codeagentd.model.ids import numbers_of
from codeagentd.pipeline.embedding import vector_store
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.query.retrieval.nearest_vectors import Meaning, nearest, similarities
from codeagentd.store.connection import Database
from tests.harness.models import FOLDER, embedded, needs_model, wanted
from tests.harness.served import served
from tests.harness.stored_rows import stored_rows, stored_vectors
from tests.harness.waiting import comes

FILES = {
    "library/loans.py": '''class Loan:
    """A book that a reader has taken home."""

    def renew(self, days):
        """Keep the book for longer."""
        self.due += days

    def give_back(self):
        self.shelf.put(self.book)
''',
    "library/fines.py": "def fine(days_late):\n    '''What a late reader pays.'''\n    return 10 * days_late\n",
    "README.md": "# Library\n\nBooks are lent.\n\n## Opening hours\n\nFrom nine to five.\n",
}


def first(engine: IndexingEngine, question: str) -> str:
    """The qualified name of the symbol nearest to a question."""
    vector = engine.begin_embedding(question)()
    assert vector is not None
    with engine.readers.read() as db:
        nearest_symbol = nearest(db, stored_vector(vector), 1)[0].symbol
        (symbol,) = [symbol for symbol in stored_rows(db).symbols() if symbol.id == nearest_symbol]
        return symbol.qualified_name


def passages_kept(place: Path) -> int:
    return int(Database(place / "blobs" / "blobs.db").value("vectors.count"))


def edit(engine: IndexingEngine, path: str, text: str) -> None:
    (engine.root / path).write_text(text)
    engine.request_scan()
    assert engine.wait_caught_up(30)
    assert embedded(engine)


@needs_model
def test_a_question_in_other_words_finds_what_it_means(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        assert first(engine, "return what was borrowed") == "library.loans.Loan.give_back"
        assert first(engine, "money to be paid for being overdue") == "library.fines.fine"
        assert first(engine, "when is it open") == "README.md#Library#Opening hours"


@needs_model
def test_only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        before = passages_kept(tmp_path)
        edit(engine, "library/loans.py", "import datetime\n\n" + FILES["library/loans.py"])
        assert passages_kept(tmp_path) == before  # the lines have moved, nothing says anything else
        edit(
            engine,
            "library/loans.py",
            FILES["library/loans.py"].replace("self.shelf.put(self.book)", "burn(self.book)"),
        )
        assert passages_kept(tmp_path) == before + 2  # the method, and its class, which shows its first lines
        assert first(engine, "set on fire").startswith("library.loans.Loan")


@needs_model
def test_a_doc_comment_that_changes_is_known_although_the_body_stays(tmp_path: Path) -> None:
    source = "package lib\n\n// Shut locks the doors.\nfunc Shut() {\n\tx()\n}\n\nfunc Other() {\n\ty()\n}\n"
    with served(tmp_path, {"lib/a.go": source}, wanted(tmp_path)) as engine:
        assert embedded(engine)
        edit(engine, "lib/a.go", source.replace("// Shut locks the doors.", "// Shut counts the penguins."))
        assert first(engine, "antarctic birds") == "lib.Shut"


@needs_model
def test_a_symbol_that_is_gone_is_never_near(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        edit(engine, "library/fines.py", "")
        assert first(engine, "money to be paid for being overdue") != "library.fines.fine"


@needs_model
def test_another_index_of_the_same_texts_embeds_nothing(tmp_path: Path) -> None:
    with served(tmp_path / "one", FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        before = passages_kept(tmp_path / "one")
    shutil.copytree(tmp_path / "one" / "blobs", tmp_path / "two" / "blobs")
    with served(tmp_path / "two", FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        assert first(engine, "money to be paid for being overdue") == "library.fines.fine"
        assert passages_kept(tmp_path / "two") == before


@needs_model
def test_a_vector_does_not_depend_on_what_is_embedded_beside_it(tmp_path: Path) -> None:
    vectors = []
    for name, files in (("alone", {"library/fines.py": FILES["library/fines.py"]}), ("among", FILES)):
        with served(tmp_path / name, files, wanted(tmp_path)) as engine:
            assert embedded(engine)
        vectors.append(stored_vectors(Database(tmp_path / name / "blobs" / "blobs.db")))
    assert vectors[0]
    assert vectors[0].items() <= vectors[1].items()


@needs_model
def test_an_index_that_is_opened_again_has_its_vectors(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        count = engine.embeddings.count
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        assert (engine.embeddings.count, engine.embeddings.pending) == (count, 0)


@needs_model
def test_vectors_of_another_model_are_dropped(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        count = engine.embeddings.count
    Database(tmp_path / "index" / "index.db", writable=True).run("writer.set_meta", ("vectors", "another@1"))
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        assert engine.embeddings.count == count


@needs_model
def test_a_killed_process_comes_back(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        os.kill(engine.embeddings.pid, signal.SIGKILL)
        assert comes(lambda: engine.embeddings.state != "ready")
        assert comes(lambda: engine.begin_embedding("what does a late reader pay")() is not None)


@needs_model
def test_a_model_that_nobody_uses_is_unloaded_and_wakes_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_store, "REST_S", 0.1)
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert comes(lambda: engine.embeddings.state == "resting" and engine.embeddings.count > 0)
        assert engine.embeddings.pid == 0
        monkeypatch.setattr(vector_store, "REST_S", 900.0)
        assert engine.begin_embedding("what does a late reader pay")() is None  # no waiting for a model to load
        assert comes(lambda: engine.begin_embedding("what does a late reader pay")() is not None)


@pytest.mark.parametrize("damage", ["missing", "empty", "no tokenizer", "garbage"])
def test_a_damaged_model_is_told_with_its_remedy_and_the_rest_goes_on(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "model"
    if damage != "missing":
        folder.mkdir()
    if damage in {"no tokenizer", "garbage"}:
        (folder / "model.onnx").write_bytes(b"this is no model")
    if damage == "garbage":
        (folder / "tokenizer.json").write_text("{}")
    with served(tmp_path, FILES, wanted(tmp_path, folder), watched=True) as engine:
        assert comes(lambda: engine.embeddings.state == "absent")
        status = engine.status()
        assert (status.state, status.embeddings.is_damaged) == ("degraded", True)
        assert str(folder) in status.reason
        assert "embedding.model_path" in status.remedy
        assert engine.begin_embedding("anything")() is None
        assert engine.sync().caught_up


def test_without_a_model_and_without_leave_to_fetch_one_that_of_the_package_is_used(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path, ""), watched=True) as engine:
        assert embedded(engine)
        status = engine.status()
        assert (status.state, status.embeddings.model) == ("ready", PACKAGED)
        assert "not allowed" in status.embeddings.reason
        assert "embedding.model_path" in status.embeddings.remedy
        assert first(engine, "give a book back") == "library.loans.Loan.give_back"
        assert first(engine, "what has to be paid when it is late") == "library.fines.fine"


def test_the_model_of_the_package_may_be_chosen(tmp_path: Path) -> None:
    with served(tmp_path, FILES, ModelChoice(PACKAGED, "", str(tmp_path / "models"), may_fetch=True)) as engine:
        assert embedded(engine)
        assert (engine.embeddings.model, engine.embeddings.reason) == (PACKAGED, "")


@needs_model
def test_vectors_are_made_again_when_a_sentence_model_takes_the_place_of_the_static_one(tmp_path: Path) -> None:
    for folder, model in (("", PACKAGED), (FOLDER, FOLDER.name)):
        with served(tmp_path, FILES, wanted(tmp_path, folder)) as engine:
            assert embedded(engine)
            assert engine.embeddings.model == model
            assert first(engine, "give a book back") == "library.loans.Loan.give_back"


def test_without_a_wanted_model_no_process_is_started(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        assert engine.embeddings.state == "off"
        assert engine.begin_embedding("anything")() is None
        assert engine.embeddings.pid == 0


@needs_model
def test_no_secret_is_embedded_or_kept(tmp_path: Path) -> None:
    secret = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    with served(tmp_path, {"a.py": f"def connect():\n    return login('{secret}')\n"}, wanted(tmp_path)) as engine:
        assert embedded(engine)
    assert FOLDER.is_dir()
    assert all(secret.encode() not in file.read_bytes() for file in (tmp_path / "blobs").iterdir())


def test_a_kept_vector_points_where_the_vector_did() -> None:
    chance = random.Random(7)
    for _ in range(20):
        original = [chance.gauss(0, 1) for _ in range(384)]
        numbers = struct.unpack("384b", stored_vector(struct.pack("<384f", *original)).numbers)
        product = sum(a * b for a, b in zip(original, numbers, strict=True))
        cosine = product / math.hypot(*original) / math.hypot(*numbers)
        assert cosine > 0.999


def test_the_mean_of_two_vectors_points_between_them() -> None:
    first, second = struct.pack("<8f", 1, *[0] * 7), struct.pack("<8f", 0, 1, *[0] * 6)
    assert [*stored_mean([first, second]).numbers] == [127, 127, 0, 0, 0, 0, 0, 0]
    assert stored_mean([first]) == stored_vector(first)


def test_pieces_and_files_score_by_how_far_they_stand_out_in_meaning(tmp_path: Path) -> None:
    with served(tmp_path, FILES, model=ModelChoice(PACKAGED, "", str(tmp_path), may_fetch=False)) as engine:
        assert embedded(engine)
        vector = engine.begin_embedding("keep a borrowed book for longer")()
        assert vector is not None
        with engine.readers.read() as db:
            meaning = Meaning(stored_vector(vector), nearest(db, stored_vector(vector)))
            files = {row.path: row.id for row in stored_rows(db).files()}
            chunks = {path: db.value("chunks.chunk_at", (*numbers_of(files[path]), 1)) for path in files}
            of_chunks = similarities(db, meaning, json.dumps([*chunks.values()]))
            of_files = similarities(db, meaning, json.dumps([*files.values()]), "vectors.similar_files")
    for scores, ids in ((of_chunks, chunks), (of_files, files)):
        assert scores[ids["library/loans.py"]] > scores[ids["library/fines.py"]]
    best = meaning.nearest[0].distance
    assert of_chunks[chunks["library/loans.py"]] == pytest.approx(meaning.score(best))


def test_signs_are_kept_eight_in_a_byte() -> None:
    assert stored_vector(struct.pack("<8f", 1, -1, 1, -1, 1, 1, 1, -1)).bits == bytes([0b10101110])
    assert of_numbers(bytes([127, 129, 1, 255, 0, 1, 1, 128])).bits == bytes([0b10100110])
