"""How a status reads: the fields of a daemon of any version as sections for people."""

from __future__ import annotations

from typing import Any

from codeagentd.cli.console import Paint, columns, count, duration, plain, size

Json = dict[str, Any]
STATE_STYLES = {"ready": "green", "indexing": "cyan", "starting": "cyan", "degraded": "yellow", "draining": "yellow"}
HEAD_DIGITS = 10
MOST_FAILED = 5
WINDOWS_SHOWN = 20


def render(fields: Json, paint: Paint, now: float) -> list[str]:
    """The whole status, section by section; a field that the daemon does not tell is left out."""
    lines = headline(fields, paint)
    if "indexed_files" not in fields:
        return lines
    lines += section("daemon", daemon(fields), paint)
    lines += section("index", index(fields, now), paint)
    lines += languages(fields)
    lines += section("clients", [], paint) + windows(fields)
    return lines + section("resources", resources(fields), paint)


def headline(fields: Json, paint: Paint) -> list[str]:
    """State, and why."""
    state = str(fields.get("state", "unknown"))
    product = f"codeagentd {fields['version']}" if "version" in fields else "codeagentd"
    lines = [f"{product}: {paint(state.replace('_', ' '), 'bold', STATE_STYLES.get(state, 'red'))}  {plain(str(fields.get('repo', '')))}".rstrip()]
    if fields.get("reason"):
        lines.append(f"  why     {plain(fields['reason'])}")
    if fields.get("remedy"):
        lines.append(f"  remedy  {plain(fields['remedy'])}")
    return lines


def section(name: str, pairs: list[tuple[str, str]], paint: Paint) -> list[str]:
    """A heading and its name-value lines."""
    return ["", paint(name, "bold"), *columns([[label, value] for label, value in pairs if value])]


def daemon(fields: Json) -> list[tuple[str, str]]:
    """The process."""
    return [("pid", str(fields.get("pid", ""))), ("uptime", duration(fields.get("uptime_s", 0.0)))]


def index(fields: Json, now: float) -> list[tuple[str, str]]:
    """What is indexed and how fresh it is."""
    return [
        ("head", str(fields.get("head") or "")[:HEAD_DIGITS]),
        ("generation", str(fields.get("generation", ""))),
        ("fresh", freshness(fields)),
        ("files", coverage(fields)),
        ("symbols", f"{fields.get('indexed_symbols', 0):,}"),
        ("failed", failures(fields)),
        ("watcher", " ".join(filter(None, (str(fields.get("watcher", "")), plain(str(fields.get("watcher_reason", ""))))))),
        ("last batch", last_batch(fields, now)),
        ("embeddings", embeddings(fields)),
    ]


def freshness(fields: Json) -> str:
    """Caught up, or how far behind and how far along."""
    if fields.get("caught_up"):
        return "caught up"
    waiting = count(fields.get("pending_files", 0), "file") + " pending"
    progress = fields.get("progress") or {}
    if progress.get("total"):
        return f"behind: {waiting}; {progress.get('phase')} {progress.get('done', 0):,} of {progress['total']:,}"
    return f"behind: {waiting}"


def coverage(fields: Json) -> str:
    """Indexed and skipped files."""
    skipped: dict[str, int] = fields.get("skipped") or {}
    text = f"{fields.get('indexed_files', 0):,}"
    if skipped:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in sorted(skipped.items(), key=lambda item: -item[1]))
        text += f", and {sum(skipped.values()):,} skipped ({reasons})"
    return text


def failures(fields: Json) -> str:
    """The first files that could not be indexed."""
    failed = fields.get("failed_files") or []
    more = f" and {len(failed) - MOST_FAILED} more" if len(failed) > MOST_FAILED else ""
    return ", ".join(plain(path) for path in failed[:MOST_FAILED]) + more


def last_batch(fields: Json, now: float) -> str:
    """The last commit to the index."""
    if not fields.get("last_batch_at"):
        return ""
    took = duration(fields.get("last_batch_s", 0.0))
    return f"{count(fields.get('last_batch_files', 0), 'file')} in {took}, {duration(now - fields['last_batch_at'])} ago"


def embeddings(fields: Json) -> str:
    """The semantic share, where there is a model."""
    told = fields.get("embeddings") or {}
    if not told.get("model"):
        return ""
    return f"{told['model']}: {told.get('count', 0):,}, {told.get('pending', 0):,} pending"


def languages(fields: Json) -> list[str]:
    """Coverage per language."""
    told = fields.get("languages") or []
    rows = [[item["language"], *(f"{item.get(name, 0):,}" for name in ("files", "symbols", "partial", "failed"))] for item in told]
    return ["", *columns([["language", "files", "symbols", "partial", "failed"], *rows], "<>>>>")] if rows else []


def windows(fields: Json) -> list[str]:
    """The clients that are connected."""
    told = fields.get("windows") or []
    if not told:
        return [f"  {count(fields.get('clients', 0), 'window')}"]
    rows = [
        [str(item.get("pid", "")), plain(str(item.get("window") or "-")), plain(str(item.get("cwd") or "-")), item.get("toolsets") or "default"]
        for item in told[:WINDOWS_SHOWN]
    ]
    more = [f"  and {len(told) - WINDOWS_SHOWN} more"] if len(told) > WINDOWS_SHOWN else []
    return columns([["pid", "client", "directory", "toolsets"], *rows], ">") + more


def resources(fields: Json) -> list[tuple[str, str]]:
    """Memory and disk."""
    memory = size(fields.get("rss_bytes", 0))
    if workers := fields.get("worker_pids"):
        memory += f", and {count(len(workers), 'worker')} {size(fields.get('worker_rss_bytes', 0))}"
    disk = [("index", "database_bytes"), ("its log", "wal_bytes"), ("blobs", "blobs_bytes")]
    return [("memory", memory), ("disk", ", ".join(f"{name} {size(fields[key])}" for name, key in disk if key in fields))]


def row(fields: Json) -> list[str]:
    """One daemon on one line."""
    fresh = "yes" if fields.get("caught_up") else "no"
    numbers = [f"{fields.get('indexed_files', 0):,}", str(fields.get("clients", 0)), size(fields.get("rss_bytes", 0))]
    return [str(fields.get("pid", "")), str(fields.get("state", "")), fresh, *numbers, plain(str(fields.get("repo", "")))]


def rows_as_table(rows: list[list[str]], paint: Paint) -> list[str]:
    """All daemons under one heading."""
    heading = [paint(name, "bold") for name in ("pid", "state", "fresh", "files", "clients", "memory", "repository")]
    return columns([heading, *rows], "><<>>><", indent=0)
