"""The text of a symbol that search by meaning embeds: one short passage, without secrets.

The text is never stored, and it cannot be recovered from its vector. Therefore only the daemon's own rules for secrets
are applied, not those of issuers.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.base.file_lines import lines_of
from codeagentd.base.paths import Jail
from codeagentd.languages.doc_comments import documentation, sentence
from codeagentd.languages.language import languages
from codeagentd.model.identifier_words import split_words
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import ReferenceKind, SymbolKind
from codeagentd.secrets.redaction import judged
from codeagentd.store.connection import Database, Row

CALLED: Final = 12  # names of called symbols in a passage
BODY_LINES: Final = 12
BODY_CHARACTERS: Final = 480  # more than a model's 128 tokens hold beside the rest
SIGNATURE_CHARACTERS: Final = 160
MEMBERS: Final = 24  # definitions of a file or type in its passage


class Passage(NamedTuple):
    """The text of a symbol with its digests. `was`: the digest of the text for which its vector was computed, None
    without a vector.
    """

    symbol: int
    content: bytes
    digest: bytes
    was: bytes | None
    text: str


def passages(database: Database, jail: Jail, version: str, symbols: Sequence[tuple[int, int]]) -> list[Passage]:
    """Return the passages of `symbols`, given as (symbol id, file id), from the present index and files. `version`
    names the model.
    """
    collected: dict[int, list[Row]] = defaultdict(list)
    for row in database.all("vectors.symbols", (json.dumps([symbol for symbol, _ in symbols]),)):
        collected[row[1]].append(row)
    result: list[Passage] = []
    for file, path, language, digest in database.all("vectors.files", (json.dumps([*collected]),)):
        lines = lines_of(jail, path)
        calls: dict[int, dict[str, None]] = defaultdict(dict)
        numbers = json.dumps([row[0] for row in collected[file]])
        for source, name in database.each("vectors.calls", (*numbers_of(file), int(ReferenceKind.CALL), numbers)):
            calls[source][name] = None
        for row in collected[file]:
            members = " ".join(name for (name,) in database.all("vectors.members", (row[0], MEMBERS)))
            text = judged(_text(row, path, language, lines, calls, members), path).text
            result.append(Passage(row[0], digest, digest_of(version, text), row[11], text))
    return result


def digest_of(version: str, text: str) -> bytes:
    """Return the key of the vector that the model `version` computes for the passage `text`."""
    return hashlib.blake2b(f"{version}\0{text}".encode(), digest_size=16).digest()


def _text(
    row: Row, path: str, language: str, lines: Sequence[str], calls: Mapping[int, Mapping[str, None]], members: str
) -> str:
    symbol, _, kind, name, qualified, signature, returns, first, line, last, is_whole, _ = row
    rule = languages()[language].rules.doc if language in languages() else ""
    doc = documentation(lines, rule, (first, line, last), whole=bool(is_whole))
    words = " ".join(split_words(path.rpartition(".")[0] if is_whole else qualified))
    header = f"{SymbolKind(kind).label} {words}"
    declared = f"{name}{(signature or '')[:SIGNATURE_CHARACTERS]}{f' -> {returns}' if returns else ''}"
    body = " ".join(" ".join(lines[line : min(last, line + BODY_LINES)]).split())[:BODY_CHARACTERS]
    called = " ".join(list(calls.get(symbol, ()))[:CALLED])
    return "\n".join(
        filter(
            None,
            (
                header,
                "" if is_whole else declared,
                sentence(doc) if doc else "",
                called or members,
                "" if is_whole else body,
            ),
        )
    )
