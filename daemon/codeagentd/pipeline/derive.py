"""FileFacts plus a path: the rows that index.db keeps of a file."""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Sequence
from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.anchors import mentions_of
from codeagentd.model.facts import FILE_SYMBOL, FileFacts
from codeagentd.model.ids import NAME_HASH, derive_uid, name_key
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.words import split_words

from .modules import ModuleName

_KEYS: dict[str, int] = {}
SHARED_PLACE: Final = "*"  # keeps what several files may define apart from a namesake that one file defines alone
KEYS_LIMIT: Final = 300_000  # cached name keys; about 40 MB

_TYPE_GROUP: Final = frozenset({4, 5, 6, 7, 8, 17, 19, 20, 21, 27, 29, 30, 33, 34})
_CALL_GROUP: Final = frozenset({9, 10, 11, 12, 18, 22, 32})


class SymbolRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One symbol as index.db keeps it; `parent` is an index into the file's list, -1 for the file's own symbol."""

    uid: bytes
    parent: int
    kind: int
    flags: int
    key: int
    name: str
    qualified_name: str
    line_start: int
    line_end: int
    line: int
    col: int
    access: str
    signature: str | None
    parameters: int | None
    returns: str | None
    body: int
    bases: str
    type: str
    shared: bool
    words: str
    more_lines: tuple[tuple[int, int, int], ...] = ()


class ImportRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One file-level import or export; see the table imports."""

    local: str
    module: str
    name: str
    exported: bool


class FileRows(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Everything index.db keeps of one file besides its references."""

    symbols: list[SymbolRow]
    imports: list[ImportRow]
    names: bytes


def key_of(name: str) -> int:
    """name_key with a memory: a process meets the same names again and again."""
    key = _KEYS.get(name)
    if key is None:
        if len(_KEYS) > KEYS_LIMIT:
            _KEYS.clear()
        key = _KEYS[name] = name_key(name)
    return key


@functools.lru_cache(maxsize=50_000)
def words_of(name: str) -> str:
    """The words of a camelCase name for the full-text table; '' for names that its tokenizer splits itself."""
    if name.islower():
        return ""
    words = split_words(name)
    return " ".join(words) if len(words) > 1 else ""


def derive_rows(path: str, project: str, module: ModuleName, facts: FileFacts) -> FileRows:
    """The rows of one file.

    Returns: symbols in the facts' order, the file's own first; ids derived, not yet looked up in identities.
    """
    language = languages()[facts.language]
    qualified: list[str] = []
    rows: list[SymbolRow] = []
    scope = path if language.rules.module != "none" else ""
    known, separator = _KEYS, language.symbols.separator
    for index, fact in enumerate(facts.symbols):
        if index == FILE_SYMBOL:
            kind = int(SymbolKind[language.symbols.file.upper()])
            name, full = module.own, module.qualified or path
            qualified.append(module.qualified)
            uid = derive_uid(facts.language, project, full, "file", path)
        else:
            outer = qualified[fact.parent]
            name, kind = fact.name, fact.kind
            full = f"{outer}{separator}{name}" if outer else name
            qualified.append(full)
            group = "type" if kind in _TYPE_GROUP else "call" if kind in _CALL_GROUP else "value"
            place = SHARED_PLACE if fact.shared else scope or (path if fact.parent == FILE_SYMBOL else "")
            uid = derive_uid(facts.language, project, full, group, f"{fact.header}\x00{place}")
        key = known.get(name) or key_of(name)
        bases = ",".join(fact.bases) if fact.bases else ""
        rows.append(
            SymbolRow(
                uid, fact.parent, kind, fact.flags, key, name, full, fact.line_start, fact.line_end, fact.line, fact.col, fact.access,
                fact.signature, fact.parameters, fact.returns, fact.body, bases, fact.type, fact.shared, words_of(name), fact.more_lines,
            )
        )  # fmt: skip
    return FileRows(rows, _import_rows(facts), _mentioned(facts))


def _import_rows(facts: FileFacts) -> list[ImportRow]:
    rows = [ImportRow(fact.local, fact.module, fact.name, fact.exported) for fact in facts.imports if fact.source == FILE_SYMBOL]
    return rows + [ImportRow(exported, "", local, True) for exported, local in facts.exports]


def pack_ids(ids: Sequence[int]) -> bytes:
    """Symbol ids as the column files.symbols keeps them."""
    return array("I", ids).tobytes()


def unpack_ids(packed: bytes) -> array[int]:
    """The inverse of `pack_ids`."""
    ids = array("I")
    ids.frombytes(packed)
    return ids


_SEGMENT = re.compile(r"[^./\\]+")


def _mentioned(facts: FileFacts) -> bytes:
    """Hashes of every name whose meaning may depend on other files."""
    names = set(facts.names)
    for fact in facts.imports:
        names.update(mentions_of(fact.name))
        names.add(fact.module)  # a namespace's whole name is one symbol's
        names.update(_SEGMENT.findall(fact.module))
    for symbol in facts.symbols:
        for base in symbol.bases:
            names.update(base.split("."))
    names.discard("")
    return array("I", sorted([key_of(name) & NAME_HASH for name in names])).tobytes()
