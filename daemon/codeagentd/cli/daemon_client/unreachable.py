"""The status of a daemon that does not answer: it has ended, is starting, or is stuck.

Only its lock proves that it runs; sockets prove nothing.
"""

from __future__ import annotations

import os
import time
from typing import Any, Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import holder_line, is_held
from codeagent_protocol.sandbox import CONSEQUENCE, REMEDY, barrier
from codeagentd.cli.rendering.console import duration

STARTING_S: Final = 10.0  # seconds after taking its lock during which a daemon may not answer yet
START: Final = "the first window starts it, as does `codeagentd start`"
Json = dict[str, Any]


def unreachable_status(endpoint: Endpoint, patience_s: float) -> Json:
    """Return the fields of status for a daemon that has not answered within `patience_s` seconds."""
    place = endpoint.root or _root(endpoint)
    cut_off = _out_of_reach(endpoint)
    if not is_held(endpoint.life_lock):
        return {"state": "not_running", "repo": place} | (cut_off or _why_gone(endpoint))
    pid, _, version = holder_line(endpoint.life_lock).partition(" ")
    known: Json = {"repo": place, "pid": int(pid) if pid.isdigit() else 0, "version": version}
    if not cut_off and 0 <= time.time() - os.stat(endpoint.life_lock).st_mtime < STARTING_S:
        return {"state": "starting", "reason": "it has just taken its lock and does not answer yet"} | known
    silence = f"it holds its lock, and its control socket gave no answer in {patience_s:g} s"
    remedy = "`codeagentd logs` shows what it did last, `codeagentd restart` ends it"
    return {"state": "not_answering", "reason": silence, "remedy": remedy} | known | cut_off


def _out_of_reach(endpoint: Endpoint) -> Json:
    """The reason and the remedy if a sandbox keeps this process from every daemon; else {}."""
    if not (why := endpoint.root and barrier(endpoint)):
        return {}
    return {"reason": f"{why}: {CONSEQUENCE}", "remedy": REMEDY}


def _why_gone(endpoint: Endpoint) -> Json:
    # a daemon that shuts down in order removes these files
    if os.path.lexists(endpoint.control) or os.path.lexists(endpoint.ports):
        return {
            "reason": "the last daemon ended without a word",
            "remedy": f"`codeagentd logs` shows what it did last; {START}",
        }
    written = max(filter(None, (_written(f"{endpoint.index}/index.db{part}") for part in ("", "-wal"))), default=0.0)
    if not written:
        return {"reason": "there is no index yet", "remedy": START}
    return {
        "reason": f"nobody needs it; its index was written {duration(max(0.0, time.time() - written))} ago",
        "remedy": START,
    }


def _written(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _root(endpoint: Endpoint) -> str:
    """The repository's root from the record beside its index."""
    from codeagentd.boot.index_ownership import recorded

    residence = recorded(endpoint.index)
    return residence.root if residence else ""
