"""Modules that daemons of the last release start by their former names: an upgrade replaces the files under a running one."""

from __future__ import annotations

import importlib

import pytest

FORMER = {
    "codeagentd.pipeline.worker": "codeagentd.pipeline.workers.worker",
    "codeagentd.pipeline.historian": "codeagentd.pipeline.revisions.snapshot_process",
    "codeagentd.pipeline.analyst": "codeagentd.pipeline.graph.analysis_process",
    "codeagentd.pipeline.vector_worker": "codeagentd.pipeline.embedding.embedding_process",
    "codeagentd.pipeline.speculation.speculator": "codeagentd.speculation.process",
    "codeagentd.model.detector_worker": "codeagentd.secrets.scanner_process",
}


@pytest.mark.parametrize(("former", "name"), FORMER.items())
def test_a_process_is_started_by_its_former_name_too(former: str, name: str) -> None:
    assert importlib.import_module(former).main is importlib.import_module(name).main
