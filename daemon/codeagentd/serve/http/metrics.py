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
    return "\n".join([*lines, *_responses(answered)]) + "\n"


SERVER_METRICS: Final = {
    "sessions": ("gauge", "sessions over HTTP"),
    "open_indexes": ("gauge", "commits whose index is open"),
    "builds_running": ("gauge", "indexes that are being built, or wait for that"),
    "builds_total": ("counter", "indexes that were built"),
    "build_failures_total": ("counter", "indexes that could not be built"),
    "cache_bytes": ("gauge", "of all indexes, after the last build"),
    "resident_memory_bytes": ("gauge", "of the server"),
    "threads": ("gauge", "of the server"),
}


def exposed_server(figures: Mapping[str, float], answered: Mapping[int, int]) -> str:
    """Return the metrics of a server of many repositories as Prometheus text: `figures` has a number for each of
    SERVER_METRICS.
    """
    lines = []
    for name, (kind, what) in SERVER_METRICS.items():
        lines += _metric(name, kind, what, {"": figures[name]})
    return "\n".join([*lines, *_responses(answered)]) + "\n"


def _responses(answered: Mapping[int, int]) -> list[str]:
    values = {f'{{status="{code}"}}': count for code, count in sorted(answered.items())}
    return _metric("http_responses_total", "counter", "by status", values)


def _metric(name: str, kind: str, what: str, values: Mapping[str, float]) -> list[str]:
    full = f"codeagentd_{name}"
    return [
        f"# HELP {full} {what}",
        f"# TYPE {full} {kind}",
        *(f"{full}{labels} {value}" for labels, value in values.items()),
    ]
