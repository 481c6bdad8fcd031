"""What every process of the daemon imports stays small."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy", "fastembed", "onnxruntime", "kingfisher_sdk", "mcp", "pydantic", "graspologic_native", "tiktoken", "lark", "regex",
}  # fmt: skip


@pytest.mark.parametrize(
    "module",
    [
        "codeagentd.boot.daemon_process",
        "codeagentd.pipeline.workers.worker",
        "codeagentd.pipeline.documents.document_process",
        "codeagentd.pipeline.engine.engine",
    ],
)
def test_no_process_loads_a_large_library_before_it_needs_it(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert not {name.partition(".")[0] for name in done.stdout.split()} & HEAVY
