"""The text of a status, in sections for people."""

from __future__ import annotations

from codeagent_protocol.status import Coverage, Status, UnreadFile, percent

from .console import Paint, by_number, columns, count, duration, pace_text, plain, size

STATE_STYLES = {"ready": "green", "indexing": "cyan", "starting": "cyan", "degraded": "yellow", "draining": "yellow"}
STATES_WITHOUT_MODEL = {
    "off": "off (embedding.enabled)",
    "resting": "not loaded yet",
    "loading": "the model is being loaded",
}
HEAD_DIGITS = 10
MOST_UNREAD = 5
MOST_NESTED = 5
WINDOWS_SHOWN = 20
Pairs = list[tuple[str, str]]


def render(status: Status, paint: Paint, now: float) -> list[str]:
    """Return the lines of the whole status, section by section. `now` in unix seconds."""
    lines = headline(status, paint)
    if not status.rss_bytes:  # the daemon did not answer: there is no more information
        return lines
    lines += section("daemon", daemon(status), paint)
    lines += section("index", index(status, now), paint) + languages(status)
    lines += section("clients", [], paint) + windows(status)
    return lines + section("resources", resources(status), paint)


def headline(status: Status, paint: Paint) -> list[str]:
    """Return the heading of the status: the state and its reason."""
    product = f"codeagentd {plain(status.version)}" if status.version else "codeagentd"
    state = paint(plain(status.state).replace("_", " ") or "unknown", "bold", STATE_STYLES.get(status.state, "red"))
    lines = [f"{product}: {state}  {plain(status.repo)}".rstrip()]
    return lines + columns(
        [[label, plain(text)] for label, text in (("why", status.reason), ("remedy", status.remedy)) if text]
    )


def section(name: str, pairs: Pairs, paint: Paint) -> list[str]:
    """Return a heading and its name-value lines, from `pairs`; empty values are left out."""
    return ["", paint(name, "bold"), *columns([[label, value] for label, value in pairs if value])]


def daemon(status: Status) -> Pairs:
    """Return the section on the daemon's process."""
    return [("pid", str(status.pid)), ("uptime", duration(status.uptime_s)), ("http", plain(status.http))]


def index(status: Status, now: float) -> Pairs:
    """Return the section on the contents and freshness of the index; `now` in unix seconds."""
    return [
        ("head", head(status)),
        ("generation", str(status.generation)),
        ("fresh", freshness(status)),
        ("files", coverage(status)),
        ("unknown", unknown(status)),
        ("nested", nested(status)),
        ("symbols", f"{status.indexed_symbols:,}"),
        ("not read", unread(status)),
        ("withheld", withheld(status)),
        ("on demand", f"{count(status.on_demand_files, 'file')} for questions" if status.on_demand_files else ""),
        ("text", f"still to be indexed of {count(status.text_pending, 'file')}" if status.text_pending else ""),
        ("watcher", plain(f"{status.watcher}: {status.watcher_reason}" if status.watcher_reason else status.watcher)),
        ("last batch", last_batch(status, now)),
        ("embeddings", embeddings(status)),
    ]


def head(status: Status) -> str:
    """Return the text about what is checked out: commit, branch, whether files differ from it, and the linked work
    tree.
    """
    if not status.head:
        return ""
    parts = [plain(status.head)[:HEAD_DIGITS], f"on {plain(status.branch)}" if status.branch else ""]
    parts += [f"in the worktree {plain(status.worktree)}" if status.worktree else ""]
    state = "" if status.dirty is None else ", with changes" if status.dirty else ", without changes"
    return " ".join(filter(None, parts)) + state


def nested(status: Status) -> str:
    """Return the text about repositories inside of this one; '' without any."""
    if not status.nested:
        return ""
    more = len(status.nested) - MOST_NESTED
    names = ", ".join(plain(folder) for folder in status.nested[:MOST_NESTED])
    names += f" and {more} more (--json)" if more > 0 else ""
    return f"{names}: not in this index, each is a repository of its own (--repo PATH)"


def freshness(status: Status) -> str:
    """Return the text about freshness: caught up, or the number of pending files and the progress."""
    if status.caught_up:
        return "caught up"
    pending, progress = max(status.pending_files, status.queued), status.progress
    if not pending and not progress.total:
        return "not known"
    pending_text = f"behind: {count(pending, 'file')} pending"
    if not progress.total:
        return pending_text
    pace = pace_text(progress.done, progress.total, progress.rate)
    done = f"{progress.phase} {progress.done:,} of {progress.total:,}" + (f" ({pace})" if pace else "")
    return f"{pending_text}; {done}"


def coverage(status: Status) -> str:
    """Return the numbers of indexed and skipped files, as a text."""
    indexed = f"{status.indexed_files:,}"
    if not status.skipped:
        return indexed
    return f"{indexed}, and {sum(status.skipped.values()):,} skipped ({by_number(status.skipped)})"


def unknown(status: Status) -> str:
    """Return the numbers of files of unknown language, by extension, as a text."""
    return by_number(status.unknown)


def unread(status: Status) -> str:
    """Return the first MOST_UNREAD files of known languages that are not in the index, each with the reason, and the
    number of the others that the status lists, as a text.
    """
    files = status.unread_files or tuple(UnreadFile(path, "failed") for path in status.failed_files)
    more = len(files) - MOST_UNREAD
    return ", ".join(f"{plain(file.path)} ({plain(file.reason)})" for file in files[:MOST_UNREAD]) + (
        f" and {more} more (--json)" if more > 0 else ""
    )


def withheld(status: Status) -> str:
    """Return a text about the files whose text is not in the index: their number and the reason; '' without any."""
    files = count(status.withheld_files, "file")
    return (
        f"text of {files}: it could not be searched for keys (`codeagentd logs`), and is when it changes"
        if status.withheld_files
        else ""
    )


def last_batch(status: Status, now: float) -> str:
    """Return the text about the last commit to the index; '' before the first. `now` in unix seconds."""
    batch = status.last_batch
    return (
        f"{count(batch.files, 'file')} in {duration(batch.seconds)}, {duration(now - batch.at)} ago" if batch.at else ""
    )


def embeddings(status: Status) -> str:
    """Return the progress of search by meaning, or the reason why it is off, as a text."""
    embedding = status.embeddings
    if embedding.model:
        whole = f" of {embedding.eligible:,} symbols" if embedding.is_limited else ""
        pending = f", {embedding.pending:,} pending" if embedding.pending else ""
        limit = f"only the {embedding.budget:,} most referenced ones get a vector (`codeagentd index --embed N`"
        notes = [
            f"{plain(embedding.model)}: {embedding.count:,}{whole}{pending}",
            f"{limit} raises that)" if embedding.is_limited else "",
            f"in place of a sentence model: {plain(embedding.reason)}" if embedding.reason else "",
            plain(embedding.remedy),
        ]
        return "; ".join(filter(None, notes))
    if embedding.state in STATES_WITHOUT_MODEL:
        return STATES_WITHOUT_MODEL[embedding.state]
    return f"none: {plain(embedding.reason)}; {plain(embedding.remedy)}" if embedding.reason else ""


BY_NAME = "generic"  # the tier of languages whose references are found by name alone: none of them is proved


def languages(status: Status) -> list[str]:
    """Return the coverage per language, line by line."""
    if not status.languages:
        return []
    rows = [
        [
            plain(item.language),
            *(f"{number:,}" for number in (item.files, item.symbols, item.references.total)),
            item.tier if item.tier == BY_NAME else settled(item.references),
            *(f"{number:,}" for number in (item.partial, item.failed)),
        ]
        for item in status.languages
    ]
    return [
        "",
        *columns([["language", "files", "symbols", "references", "settled", "partial", "failed"], *rows], "<>>>>>>"),
    ]


def settled(references: Coverage) -> str:
    """Return the share of references whose target is known, as a text; never rounded up to all, '-' without
    references.
    """
    return f"{percent(references.settled)}%" if references.total else "-"


def windows(status: Status) -> list[str]:
    """Return the connected clients, line by line."""
    if not status.windows:
        return [f"  {count(status.clients, 'window')}"]
    heading = ["pid", "client", "connected", "requests", "directory"]
    rows = [
        [str(item.pid), plain(item.client) or "-", duration(item.since_s), f"{item.requests:,}", plain(item.cwd) or "-"]
        for item in status.windows[:WINDOWS_SHOWN]
    ]
    more = len(status.windows) - WINDOWS_SHOWN
    return columns([heading, *rows], "><>><") + ([f"  and {more} more"] if more > 0 else [])


def resources(status: Status) -> Pairs:
    """Return the section on memory and disk, and on measures that spare the machine."""
    memory = size(status.rss_bytes)
    if status.workers:
        memory += f", and {count(status.workers, 'worker')} with {size(status.worker_rss_bytes)}"
    shared = " (one file with another worktree's)" if status.is_shared else ""
    disk = (
        f"index {size(status.database_bytes)}{shared}, write-ahead log {size(status.wal_bytes)}, facts "
        f"{size(status.blobs_bytes)}"
    )
    paused = f"paused: {plain(status.background)}" if status.background else ""
    return [("memory", memory), ("disk", disk), ("background", paused), ("before", plain(status.previous))]


def rows_as_table(statuses: list[Status], paint: Paint) -> list[str]:
    """Return all daemons in one table, one line each."""
    heading = [
        paint(name, "bold") for name in ("pid", "state", "caught up", "files", "clients", "memory", "repository")
    ]
    return columns([heading, *map(row, statuses)], "><<>>><", indent=0) + [
        line for status in statuses for line in troubles(status)
    ]


def troubles(status: Status) -> list[str]:
    """Return the remarks on a daemon, for the lines below the table."""
    embedding = [
        f"{label}: {plain(text)}" for label, text in (("why", status.reason), ("remedy", status.remedy)) if text
    ]
    return (
        [
            "",
            f"{plain(status.repo) or status.pid}: {plain(status.state).replace('_', ' ')}",
            *(f"  {line}" for line in embedding),
        ]
        if embedding
        else []
    )


def row(status: Status) -> list[str]:
    """Return the cells of the table for one daemon."""
    numbers = [f"{status.indexed_files:,}", str(status.clients), size(status.rss_bytes)]
    return [
        str(status.pid),
        plain(status.state).replace("_", " "),
        "yes" if status.caught_up else "no",
        *numbers,
        plain(status.repo),
    ]
