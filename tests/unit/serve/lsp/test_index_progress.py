"""Progress of the index, as an editor shows it."""

from __future__ import annotations

import asyncio

import pytest

from codeagentd.model.engine_status import Progress
from codeagentd.serve.lsp import index_progress
from codeagentd.serve.lsp.asked_names import question_of
from codeagentd.serve.lsp.index_progress import CREATE_ID, IndexProgress
from tests.harness.waiting import let_pass_beside


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(index_progress, "PACE_S", 0.001)
    monkeypatch.setattr(index_progress, "PATIENCE_S", 0.001)


def shown(steps, *, accepted=True):
    """What a client is told, while the index makes these steps."""

    async def main():
        told, left = [], list(steps)

        def tell(message):
            told.append(message)
            if message.get("id") == CREATE_ID:
                progress.on_created(is_accepted=accepted)

        progress = IndexProgress(tell, lambda: left.pop(0) if left else Progress())
        progress.start()
        await let_pass_beside(0.1, "the index makes its steps")
        progress.stop()
        return told

    return asyncio.run(main())


def kinds(told):
    return [message["params"]["value"]["kind"] for message in told if message["method"] == "$/progress"]


def test_an_index_that_is_being_made_is_announced_reported_and_ended():
    told = shown([Progress("extract", 0, 200), Progress("extract", 50, 200), Progress("resolve", 150, 200)])
    assert told[0]["method"] == "window/workDoneProgress/create"
    assert kinds(told) == ["begin", "report", "report", "end"]
    assert [message["params"]["value"].get("percentage") for message in told[1:]] == [0, 25, 75, None]


def test_percentages_never_fall():
    told = shown([Progress("extract", 0, 10), Progress("extract", 9, 10), Progress("resolve", 1, 10)])
    values = [message["params"]["value"].get("percentage", 100) for message in told[1:]]
    assert values == sorted(values)


def test_a_daemon_that_has_just_started_is_looked_at_again():
    assert kinds(shown([Progress(), Progress(), Progress("extract", 1, 10)])) == ["begin", "end"]


def test_a_client_that_refuses_is_told_nothing():
    assert kinds(shown([Progress("extract", 0, 200)] * 3, accepted=False)) == []


def test_an_index_that_is_there_is_not_announced():
    assert shown([]) == []


def test_a_question_before_the_first_index_is_about_the_name_and_the_file(tmp_path):
    from codeagentd.lsp.open_documents import OpenDocument
    from codeagentd.lsp.positions import Encoding
    from codeagentd.lsp.uris import uri_of

    (tmp_path / "desk.py").write_text("shelf.lend(1)\n")
    uri = uri_of(tmp_path, "desk.py")
    documents = {"desk.py": OpenDocument(uri, "desk.py", "python", 1, "shelf.lend(1)\n")}
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}
    question = question_of("textDocument/references", params, tmp_path, documents, Encoding.UTF16)
    assert (question.names, question.paths, question.needs_uses) == (("lend",), ("desk.py",), True)
    question = question_of("textDocument/hover", params, tmp_path, documents, Encoding.UTF16)
    assert not question.needs_uses
    question = question_of("workspace/symbol", {"query": "len"}, tmp_path, documents, Encoding.UTF16)
    assert question.names == ("len",)
    for malformed in ({}, {"textDocument": 5, "position": "x"}, {"textDocument": {"uri": 7}, "item": []}):
        assert question_of("textDocument/hover", malformed, tmp_path, documents, Encoding.UTF16).is_empty
