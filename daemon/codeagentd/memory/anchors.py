"""The anchors of a memory: the code that its metadata names, and the code that its text names unambiguously."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from codeagentd.model.ids import uid_of
from codeagentd.model.kinds import OUTLINE
from codeagentd.query.symbols.lookup import Subject, named
from codeagentd.store.connection import Database
from codeagentd.store.memory_backend import MemoryConnection

from . import digests
from .memory_store import Code, MemoryStore
from .metadata import ANCHORS

MOST: Final = 20  # anchors of one memory: a memory about more code than this is about the whole repository
AT_ONCE: Final = 100  # memories that are processed at once
LOOKED_UP: Final = 60  # names of one text that are looked up

SYMBOL: Final = "symbol"
FILE: Final = "file"
LATER: Final = "the index is catching up: anchors that are missing are looked for again when it has"

_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`")
# it begins where its letters do: from each letter of a long run, the search for its end would take hours
_PATH: Final = re.compile(r"(?<![\w@+./-])(?:[\w@+.-]+/)*[\w@+-][\w@+.-]*\.\w{1,10}(?![\w/])")
_NAME: Final = re.compile(r"(?<![\w.])[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*(\(\))?")
_MARKED: Final = re.compile(r"[._#:]\w|[a-z0-9][A-Z]")  # a name of code that cannot be a plain word
_DOCUMENTS: Final = frozenset(int(kind) for kind in OUTLINE)


class Anchor(NamedTuple):
    """Code in the state in which it was anchored: the columns of table anchors without memory and repository."""

    kind: str
    uid: bytes
    name: str
    path: str
    digest: bytes
    body: int


def anchors_of(repository: str, code: Code, text: str, metadata: dict[str, Any]) -> tuple[list[Anchor], list[str]]:
    """Return the anchors of a memory with this text and metadata, and notes in words about names in its metadata for
    which no anchor was found.
    """
    requested: list[str] = metadata.get(ANCHORS, [])
    if not repository:
        return [], ["no anchor can be looked up: this window has no repository"] if requested else []
    result: dict[tuple[str, bytes, str], Anchor] = {}
    lacking = []
    with code.read() as db:
        for name in requested[:MOST]:
            anchor = symbol_anchor(db, code, name) or file_anchor(db, code, name)
            if anchor is None:
                lacking.append(name)
            else:
                result[anchor.kind, anchor.uid, anchor.path] = anchor
        for anchor in _in_text(db, code, text):
            if len(result) >= MOST:
                break
            # for other kinds the path already shows the place
            if anchor.kind == SYMBOL or all(anchor.path != other.path for other in result.values()):
                result.setdefault((anchor.kind, anchor.uid, anchor.path), anchor)
    notes = (
        [f"no anchor for {', '.join(lacking)}: the index knows no such file, or not exactly one such symbol"]
        if lacking
        else []
    )
    notes = notes if code.generation >= 0 else [LATER]
    return list(result.values()), [*notes, f"only the first {MOST} of {len(requested)} anchors are kept"] if len(
        requested
    ) > MOST else notes


def put_anchors(db: MemoryConnection, repository: str, memory: int, anchors: Iterable[Anchor]) -> None:
    """Replace the anchors that the memory with the number `memory` has in this repository by `anchors`."""
    if repository:
        db.run("anchors.delete", (memory, repository))
        db.run_many("anchors.put", [(memory, repository, *anchor) for anchor in anchors])


def anchor_late(memories: MemoryStore, code: Code) -> bool:
    """Search again for the anchors of memories that were written while the index was behind.

    Returns: whether there were such memories.
    """
    with memories.store.read() as db:
        rows = (
            db.all("anchors.unanchored", (memories.repository, AT_ONCE))
            if memories.repository and code.generation >= 0
            else []
        )
    for number, title, content, metadata, digest in rows:
        anchors, _ = anchors_of(memories.repository, code, f"{title}\n{content}", msgspec.json.decode(metadata))
        with memories.store.write() as db:
            if db.value("anchors.set_anchored", (number, digest)):
                put_anchors(db, memories.repository, number, anchors)
    return bool(rows)


def _in_text(db: Database, code: Code, text: str) -> Iterator[Anchor]:
    for name in list(dict.fromkeys(_names(text)))[:LOOKED_UP]:
        if anchor := symbol_anchor(db, code, name):
            yield anchor
    for path in list(dict.fromkeys(match[0].removeprefix("./") for match in _PATH.finditer(text)))[:LOOKED_UP]:
        if anchor := file_anchor(db, code, path):
            yield anchor


def _names(text: str) -> Iterator[str]:
    """Yield the parts of a text that look like names of code: in backticks, called, dotted, with a capital or
    underscore inside.
    """
    for quoted in _QUOTED.finditer(text):
        if match := _NAME.fullmatch(quoted[1].strip()):
            yield match[0].removesuffix("()")
    for match in _NAME.finditer(text):
        if match[1] or _MARKED.search(match[0]):
            yield match[0].removesuffix("()")


def symbol_anchor(db: Database, code: Code, name: str) -> Anchor | None:
    """Return an anchor for the symbol with this name or node id. None if the repository has none or several, or if the
    file's text differs from the index.
    """
    uid = uid_of(name)
    row = db.row("symbols.by_uid", (uid,)) if uid else None
    subjects = [Subject(*row)] if row else [Subject(*columns[:-1]) for columns in named(db, name)]
    if len(subjects) != 1 or subjects[0].id < 0 or subjects[0].kind in _DOCUMENTS or subjects[0].parent is None:
        return None
    subject = subjects[0]
    line = code.lines(subject.path)[subject.line - 1 : subject.line]
    digest = digests.of_symbol(code.lines, subject)
    if not digest or not line or subject.name not in line[0]:
        return None
    return Anchor(
        SYMBOL, subject.uid, subject.qualified_name, subject.path, digest, db.value("anchors.body", (subject.id,))
    )


def file_anchor(db: Database, code: Code, path: str) -> Anchor | None:
    """Return an anchor for the present content of the indexed file at `path`; None for any other path."""
    raw = db.value("anchors.file", (path,))
    digest = digests.of_file(code.lines, path) if raw else b""
    return Anchor(FILE, raw, "", path, digest, 0) if digest else None
