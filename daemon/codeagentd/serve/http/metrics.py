"""The metrics for monitoring: the daemon's status as Prometheus text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codeagent_protocol.status import Status

MEDIA_TYPE: Final = "text/plain; version=0.0.4"
GAUGES: Final = {
    "uptime_s": ("uptime_seconds", "since the daemon started"),
    "generation": ("index_generation", "committed batches"),
    "pending_files": ("index_pending_files", "changes that are not indexed yet"),
    "indexed_files": ("index_files", "files in the index"),
    "indexed_symbols": ("index_symbols", "symbols in the index"),
    "clients": ("clients", "connected windows and HTTP sessions"),
    "workers": ("workers", "extract and analysis processes"),
    "rss_bytes": ("resident_memory_bytes", "of the daemon"),
    "worker_rss_bytes": ("worker_resident_memory_bytes", "of its processes"),
    "database_bytes": ("index_bytes", "of index.db"),
    "wal_bytes": ("index_wal_bytes", "of its write-ahead log"),
}


def exposed(status: Status, answered: Mapping[int, int]) -> str:
    """Return the metrics as Prometheus text: those of `status`, and the HTTP responses in `answered`, counted by status
    code.
    """
    lines = []
    for field, (name, what) in GAUGES.items():
        lines += _metric(name, "gauge", what, {"": getattr(status, field)})
    lines += _metric("index_caught_up", "gauge", "1 when every change is indexed", {"": int(status.caught_up)})
    lines += _metric("state", "gauge", "1 for the state that the daemon is in", {f'{{state="{status.state}"}}': 1})
    lines += _metric(
        "http_responses_total",
        "counter",
        "by status",
        {f'{{status="{code}"}}': count for code, count in sorted(answered.items())},
    )
    return "\n".join(lines) + "\n"


def _metric(name: str, kind: str, what: str, values: Mapping[str, float]) -> list[str]:
    full = f"codeagentd_{name}"
    return [
        f"# HELP {full} {what}",
        f"# TYPE {full} {kind}",
        *(f"{full}{labels} {value}" for labels, value in values.items()),
    ]
